import json
import random
import signal
import subprocess
import unittest

from program import SOBA, ProgramTest, soba

START = ["--learner", "soba", "--gamma", "0.1", "--labels", "a,b,c", "--quiet"]


def question(identity, **features):
    return json.dumps({"id": identity, "x": features}) + "\n"


def lesson(identity, correct):
    return json.dumps({"id": identity, "correct": correct}) + "\n"


def answers(text):
    return [json.loads(line) for line in text.splitlines()]


class Decide(ProgramTest):
    def decide(self, lines, *arguments):
        return answers(self.ok("decide", *arguments, stdin=lines))

    def test_a_decision(self):
        (answer,) = self.decide(question("e1", red=1), *START)
        self.assertEqual(list(answer), ["id", "label", "probability", "greedy"])
        self.assertEqual(answer["id"], "e1")
        self.assertIn(answer["label"], "abc")
        greedy = answer["label"] == answer["greedy"]
        self.assertAlmostEqual(answer["probability"], 0.9 * greedy + 0.1 / 3)

    def test_labels_with_commas_and_from_a_file(self):
        path = self.write("labels.txt", "Billing, refunds\nother\n")
        for option in (["--labels", '"Billing, refunds", other'], ["--labels-file", path]):
            with self.subTest(option=option):
                out = self.decide("".join(question(i, red=1) for i in range(20)),
                                  "--learner", "soba", "--gamma", "1", "--quiet", *option)
                self.assertEqual({answer["label"] for answer in out}, {"Billing, refunds", "other"})

    def test_unknown_columns(self):
        data = self.write("data.csv", "age,plan,label\n1,pro,a\n2,free,b\n")
        model = self.path("m.model")
        self.ok("run", data, "--learner", "soba", "--save", model)
        said = self.fails(3, "decide", "--load", model, "--quiet", stdin=question(1, Age=1))
        self.assertIn('"Age" is not a column of the model; did you mean "age"?', said)
        (reply,) = self.decide(question(1, Age=1), "--load", model, "--quiet", "--skip-bad")
        self.assertEqual(reply["id"], 1)
        for how in ("ignore", "learn"):
            (reply,) = self.decide(question(1, Age=1, plan="new"), "--load", model, "--quiet",
                                   "--unknown", how)
            self.assertIn(reply["label"], "ab")
        self.assertIn("--unknown: 'x' is not accepted",
                      self.fails(2, "decide", "--load", model, "--unknown", "x"))
        (reply,) = self.decide(question(1, age="n/a"), "--load", model, "--quiet")
        self.assertIn(reply["label"], "ab")

    def test_it_learns(self):
        process = subprocess.Popen([SOBA, "decide", *START], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True, bufsize=1)
        wrong = 0
        for i in range(300):
            truth = "abc"[i % 3]
            process.stdin.write(question(i, **{truth: 1, "noise": i % 5}))
            answer = json.loads(process.stdout.readline())
            self.assertEqual(answer["id"], i)
            wrong += i >= 200 and answer["greedy"] != truth
            process.stdin.write(lesson(i, answer["label"] == truth))
        process.stdin.close()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertLessEqual(wrong, 5)

    def test_acknowledgement_and_unknown_ids(self):
        lines = question("e1", x=1) + lesson("e1", True) + lesson("e1", True) + lesson(7, False)
        plain = self.decide(lines, *START)
        error = "no decision waits under this id"
        self.assertEqual(plain[1:], [{"id": "e1", "error": error}, {"id": 7, "error": error}])
        told = self.decide(lines, *START, "--ack")
        self.assertEqual(told[1], {"id": "e1", "learned": True})

    def test_forget(self):
        lines = question("e1", x=1) + '{"id":"e1","forget":true}\n' + lesson("e1", True)
        told = self.decide(lines, *START, "--ack")
        self.assertEqual(told[1], {"id": "e1", "forgotten": True})
        self.assertIn("error", told[2])

    def test_an_id_that_waits_gets_its_decision_again(self):
        first, again = self.decide(question("e1", x=1) * 2, *START)
        self.assertEqual(first, again)

    def test_a_waiting_id_with_another_x_is_a_bad_line(self):
        message = self.fails(3, "decide", *START, stdin=question("e1", red=1) + question("e1", red=2))
        self.assertIn("<stdin>:2:", message)
        self.assertIn("waits", message)

    def test_what_stands_twice_is_a_bad_line(self):
        for line in ('{"id":"a","correct":true,"correct":false}', '{"id":"a","id":"b","x":[1]}',
                     '{"id":"a","x":[1],"x":[2]}'):
            self.assertIn("twice", self.fails(3, "decide", *START, stdin=line + "\n"))

    def test_a_value_too_large_is_a_bad_line_and_the_rest_is_kept(self):
        model = self.path("the.model")
        self.fails(3, "decide", *START, "--model", model,
                   stdin=question("e1", red=1) + question("e2", red=1e170))
        self.assertEqual(self.json("inspect", model)["pending"], ["e1"])

    def test_arrays_and_several_kinds_of_values(self):
        lines = ('{"id":1,"x":[1,0.5,2]}\n{"id":2,"x":{"plan":"pro","age":31,"new":true,"gone":null}}\n'
                 '{"id":3,"x":{}}\n\n')
        self.assertEqual([answer["id"] for answer in self.decide(lines, *START)], [1, 2, 3])

    def test_classes_normalize_and_bias(self):
        (answer,) = self.decide(question("e", x=3), "--learner", "banditron", "--classes", "4",
                                "--normalize", "l2", "--bias", "--save", self.path("m"))
        self.assertIn(answer["label"], "1234")
        model = self.json("inspect", self.path("m"))
        self.assertEqual((model["normalize"], model["bias"]), ("l2", True))
        self.assertEqual(model["labels"], ["1", "2", "3", "4"])


class Files(ProgramTest):
    def stream(self, seed):
        """Questions and lessons, the lessons late and in another order."""
        rng = random.Random(seed)
        lines, waiting = [], []
        for i in range(200):
            lines.append(question(f"e{i}", **{f"f{rng.randrange(6)}": 1, "z": rng.random()}))
            waiting.append(f"e{i}")
            while len(waiting) > 20:
                lines.append(lesson(waiting.pop(rng.randrange(20)), rng.random() < 0.5))
        return lines

    def test_stopping_and_going_on_equals_never_stopping(self):
        lines = self.stream(1)
        start = [*START, "--seed", "5"]
        whole = self.ok("decide", *start, "--save", self.path("m"), stdin="".join(lines))
        parts = ""
        for begin in range(0, len(lines), 90):
            parts += self.ok("decide", *start, "--model", self.path("parts"),
                             stdin="".join(lines[begin:begin + 90]))
        self.assertEqual(whole, parts)
        self.assertEqual((self.folder / "m").read_bytes(), (self.folder / "parts").read_bytes())
        model = self.json("inspect", self.path("m"))
        self.assertEqual((model["rounds"], model["answers"], len(model["pending"])), (200, 180, 20))

    def test_load_and_save(self):
        self.ok("decide", *START, "--save", self.path("a"), stdin=question("e1", x=1))
        (told,) = answers(self.ok("decide", "--load", self.path("a"), "--save", self.path("b"),
                                  "--ack", stdin=lesson("e1", True)))
        self.assertEqual(told, {"id": "e1", "learned": True})
        self.assertEqual(self.json("inspect", self.path("a"))["pending"], ["e1"])
        self.assertEqual(self.json("inspect", self.path("b"))["pending"], [])

    def test_a_model_of_a_run_goes_to_work(self):
        data = self.write("d.jsonl", '{"label":"yes","x":{"f":1}}\n{"label":"no","x":{"g":1}}\n' * 50)
        self.ok("run", data, "--learner", "soba", "--save", self.path("m"))
        for feature, label in (("f", "yes"), ("g", "no")):
            (answer,) = answers(self.ok("decide", "--load", self.path("m"),
                                        stdin=question(1, **{feature: 1})))
            self.assertEqual(answer["greedy"], label)

    def test_contradictions_and_nonsense(self):
        self.ok("decide", *START, "--save", self.path("m"), stdin="")
        load = ["decide", "--load", self.path("m")]
        for more in (["--learner", "banditron"], ["--labels", "a,b"], ["--seed", "8"], ["--bias"]):
            self.assertIn("contradicts", self.fails(2, *load, *more))
        self.fails(2, *load, "--model", self.path("m"))
        self.fails(2, "decide", "--learner", "soba")
        self.fails(2, "decide", "--learner", "soba", "--labels", "a,b", "--save-every", "2")
        self.fails(2, "decide", "--learner", "perceptron", "--labels", "a,b")
        self.fails(3, "decide", "--load", self.path("none"))
        self.fails(4, "decide", *START, "--save", self.path("no/folder/m"))

    def test_save_every(self):
        process = subprocess.Popen([SOBA, "decide", *START, "--save", self.path("m"),
                                    "--save-every", "2"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True, bufsize=1)
        for i in range(3):
            process.stdin.write(question(i, x=1))
            process.stdout.readline()
        process.kill()
        process.wait(timeout=60)
        process.stdin.close()
        process.stdout.close()
        self.assertEqual(self.json("inspect", self.path("m"))["rounds"], 3)
        (self.folder / "m.journal").unlink()  # the file alone
        self.assertEqual(self.json("inspect", self.path("m"))["rounds"], 2)

    def test_signals_save(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            process = subprocess.Popen([SOBA, "decide", *START, "--save", self.path("m")],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                       bufsize=1)
            process.stdin.write(question("e1", x=1))
            process.stdout.readline()
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=60), 0)
            process.stdin.close()
            process.stdout.close()
            self.assertEqual(self.json("inspect", self.path("m"))["pending"], ["e1"])
            (self.folder / "m").unlink()

    def test_a_reader_that_goes_away_loses_nothing(self):
        process = subprocess.Popen([SOBA, "decide", *START, "--save", self.path("m")],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, bufsize=1)
        process.stdout.close()
        process.stdin.write(question("e1", x=1))
        process.stdin.close()
        message = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(timeout=60), -signal.SIGPIPE, message)
        self.assertEqual(self.json("inspect", self.path("m"))["pending"], ["e1"])


class BadLines(ProgramTest):
    BAD = ['{"id":"e1","x":{"a":', "nonsense", "[1]", '{"x":{"a":1}}', '{"id":"e1"}',
           '{"id":"e1","x":{"a":1},"correct":true}', '{"id":"e1","correct":1}',
           '{"id":"e1","forget":false}', '{"id":1.5,"x":{}}', '{"id":null,"x":{}}',
           '{"id":"e1","x":3}', '{"id":"e1","x":{"a":[1]}}', '{"id":"e1","x":{"a":1,"a":2}}']

    def test_a_bad_line_stops_but_what_was_learnt_is_kept(self):
        for bad in self.BAD:
            with self.subTest(bad=bad):
                done = soba("decide", *START, "--save", self.path("m"),
                            stdin=question("e0", x=1) + bad + "\n" + question("e2", x=1))
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn("<stdin>:2:", done.stderr)
                self.assertEqual(len(answers(done.stdout)), 1)
                self.assertEqual(self.json("inspect", self.path("m"))["pending"], ["e0"])

    def test_skip_bad_answers_and_goes_on(self):
        lines = question("e0", x=1) + "".join(line + "\n" for line in self.BAD) + question("z", x=1)
        done = soba("decide", *START[:-1], "--skip-bad", stdin=lines)
        self.assertEqual(done.returncode, 0, done.stderr)
        told = answers(done.stdout)
        self.assertEqual((told[0]["id"], told[-1]["id"]), ("e0", "z"))
        for i, answer in enumerate(told[1:-1]):
            named = '"id":"e1"' in self.BAD[i] and self.BAD[i].endswith("}")
            self.assertEqual(list(answer), ["id", "error"] if named else ["error"])
            self.assertTrue(answer["error"].startswith(f"<stdin>:{i + 2}:"), answer)
        self.assertEqual(len(told), len(self.BAD) + 2)
        self.assertIn(f"{len(self.BAD)} bad lines", done.stderr)

    def test_places_are_exact(self):
        done = soba("decide", *START, stdin='{"id":"e1","x":{"a":1,"b":[2]}}\n')
        self.assertIn("<stdin>:1:23:", done.stderr)  # at "b"


if __name__ == "__main__":
    unittest.main()
