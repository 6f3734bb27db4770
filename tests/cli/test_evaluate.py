import json
import pathlib
import random
import re
import shlex
import unittest

from program import ProgramTest, soba

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "evaluation.md"


def rows(n, gamma=0.4, seed=1):
    """A log: label b is right 7 times in 10, the others 3 times; b is drawn with 1 - gamma, else uniformly."""
    draw = random.Random(seed)
    for i in range(n):
        label = draw.choice("abc") if draw.random() < gamma else "b"
        yield {"id": i, "x": {"n": i % 4}, "label": label,
               "probability": gamma / 3 + (1 - gamma) * (label == "b"), "greedy": "b",
               "correct": draw.random() < (0.7 if label == "b" else 0.3), "policies": {"a": int(label == "a")}}


class Evaluate(ProgramTest):
    def log(self, n=2000, name="log.jsonl", **keywords):
        return self.write(name, "".join(json.dumps(row) + "\n" for row in rows(n, **keywords)))

    def test_policies_and_the_keys_of_json(self):
        found = self.json("evaluate", self.log(), "--policy", "a", "--greedy", "--uniform", "--constant", "c",
                          "--best-constant", "--clip", 2, "--switch", 5)
        self.assertEqual(found["decisions"], 2000)
        self.assertEqual(found["answered"], 2000)
        for key in ("mean_weight", "mean_weight_error", "ess", "largest_weight_share"):
            self.assertIn(key, found["audit"]["policies"][0])
        self.assertIn("min_probability", found["audit"])
        policies = {one["name"]: one for one in found["policies"]}
        self.assertEqual(list(policies), ["log", "a", "greedy", "uniform", "constant c", "best constant, b"])
        for one in policies.values():
            for key in ("ips", "snips", "dr", "lower", "upper", "approximate_lower", "approximate_upper",
                        "cressie_read", "confidence", "verdict"):
                self.assertIn(key, one)
            self.assertLessEqual(one["lower"], one["upper"])
        self.assertIsNone(policies["a"]["dr"])
        self.assertAlmostEqual(policies["greedy"]["dr"], 0.7, delta=0.05)
        self.assertIn("worse than what was deployed", policies["constant c"]["verdict"])
        self.assertTrue(policies["a"]["lower"] < 0.3 < policies["a"]["upper"])

    def test_the_audit_comes_first_and_may_refuse(self):
        text = self.ok("evaluate", self.log(), "--uniform")
        self.assertLess(text.index("audit"), text.index("IPS"))
        done = soba("evaluate", self.log(100, name="greedy.jsonl", gamma=0), "--uniform")
        self.assertEqual(done.returncode, 1)
        self.assertIn("refused: every label was played with probability 1", done.stdout)
        self.assertNotIn("IPS", done.stdout)

    def test_learners(self):
        log, model = self.log(6000), self.path("next.model")
        found = self.json("evaluate", log, "--learner", "bandit-arow", "--as", "online")
        self.assertGreater(found["policies"][1]["rounds"], 500)
        self.assertEqual(found["policies"][1]["question"],
                         "what the learner would have earned had it been deciding")
        self.ok("evaluate", log, "--learner", "bandit-arow", "--as", "trained", "--save", model)
        reply = json.loads(self.ok("decide", "--load", model, "--quiet", stdin='{"id":1,"x":{"n":2}}\n'))
        self.assertEqual(reply["greedy"], "b")
        self.assertIn("need each other", self.fails(2, "evaluate", log, "--learner", "soba"))

    def test_answers_may_come_through_a_pipe(self):
        decision = '{"id":"e","label":"a","probability":0.5}\n{"id":"e","correct":true}\n' \
                   '{"id":"f","label":"b","probability":0.5,"correct":false}\n'
        found = self.json("evaluate", "-", stdin=decision)
        self.assertEqual(found["policies"][0]["ips"], 0.5)

    def test_bad_lines_have_a_place(self):
        log = self.write("bad.jsonl", '{"label":"a","probability":0.5,"correct":true}\n{"label":"a"}\n')
        self.assertIn(f"{log}:2:1: expected \"probability\"", self.fails(3, "evaluate", log))
        self.assertIn("1 bad line left out", self.ok("evaluate", log, "--skip-bad"))

    def test_run_writes_a_log(self):
        log = self.path("run.jsonl.gz")
        run = self.json("run", "synnonsep:n=3000,seed=1", "--learner", "banditron", "--gamma", "0.2", "--log", log)
        found = self.json("evaluate", log, "--greedy")
        self.assertEqual(found["decisions"], 3000)
        self.assertEqual(found["audit"]["right"], 3000 - run["mistakes"])
        greedy = found["policies"][1]
        self.assertTrue(greedy["lower"] < 1 - run["greedy_error"] < greedy["upper"])

    def test_decide_appends_to_a_log_that_can_be_replayed(self):
        log, model = self.path("decided.jsonl"), self.path("m.model")
        for start in (0, 200):
            lines = "".join(f'{{"id":"e{i}","x":{{"n":{i % 5}}}}}\n{{"id":"e{i}","correct":{str(i % 3 == 0).lower()}}}\n'
                            for i in range(start, start + 200))
            self.ok("decide", "--learner", "soba", "--gamma", "0.3", "--labels", "a,b", "--model", model,
                    "--log", log, "--quiet", stdin=lines)
        self.assertNotIn("seed", self.read("decided.jsonl"))
        found = self.json("evaluate", log)
        self.assertEqual((found["decisions"], found["answered"]), (400, 400))
        self.assertEqual(self.json("evaluate", log, "--replay", model)["mismatches"], 0)
        swapped = self.read("decided.jsonl").replace('"label":"a"', '"label":"b"', 1)
        done = soba("evaluate", self.write("swapped.jsonl", swapped), "--replay", model)
        self.assertEqual(done.returncode, 1)
        self.assertIn("in the log", " ".join(done.stdout.split()))

    def test_a_decision_that_is_told_again_is_logged_once(self):
        log = self.path("again.jsonl")
        question = '{"id":"e","x":{"n":1}}\n'
        self.ok("decide", "--learner", "soba", "--labels", "a,b", "--log", log, "--quiet", stdin=question * 3)
        self.assertEqual(len(self.read("again.jsonl").splitlines()), 1)

    def test_the_page_needs_nothing_but_itself(self):
        page = self.path("page.html")
        self.ok("evaluate", self.log(), "--uniform", "--html", page)
        text = self.read("page.html")
        self.assertNotIn("@EVALUATION@", text)
        self.assertNotRegex(text, r'(src|href)="?http')
        data = json.loads(re.search(r'<script type="application/json" id="evaluation">(.*?)</script>', text, re.S)[1])
        self.assertEqual([one["name"] for one in data["policies"]], ["log", "uniform"])
        self.assertEqual(data["policies"][1]["course"][-1][0], 2000)
        self.assertEqual(sum(data["policies"][1]["weights"]), 2000)

    def test_the_example_of_the_document(self):
        """Every command of docs/evaluation.md's worked example runs, in order."""
        block = re.search(r"<!-- example -->\n```sh\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.S)[1]
        commands = [line for line in block.replace("\\\n", " ").splitlines() if line.startswith("soba ")]
        self.assertGreater(len(commands), 4)
        questions = "".join(
            f'{{"id":"t{i}","x":{{"amount":{i % 50},"country":"{"de" if i % 3 else "fr"}"}}}}\n'
            f'{{"id":"t{i}","correct":{str(i % 3 == 0).lower()}}}\n' for i in range(2000))
        for line in commands:
            words = shlex.split(line.split(" < ")[0])[1:]
            with self.subTest(command=line):
                done = soba(*words, stdin=questions if " < " in line else "", cwd=self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
