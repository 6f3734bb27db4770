"""A small bake-off with the program named by the environment variable SOBA, on data that is made here."""
import gzip
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

import run

HERE = pathlib.Path(__file__).parent
LEARNERS = "auto,sobadiag,banditron,newtron,bandit-arow"


def examples(seed, rows, classes, features, noise):
    """LIBSVM text: the label is the highest of random linear scores, or with probability `noise` any label."""
    rng = random.Random(seed)
    weights = [[rng.gauss(0, 1) for _ in range(features)] for _ in range(classes)]
    lines = []
    for _ in range(rows):
        x = {j: rng.gauss(0, 1) for j in sorted(rng.sample(range(features), min(features, 20)))}
        scores = [sum(w[j] * value for j, value in x.items()) for w in weights]
        label = rng.randrange(classes) if rng.random() < noise else scores.index(max(scores))
        lines.append(f"{label + 1} " + " ".join(f"{j + 1}:{value:.4f}" for j, value in x.items()) + "\n")
    return "".join(lines)


class BakeoffTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.data = cls.folder / "data"
        cls.data.mkdir()
        (cls.data / "clean.libsvm").write_text(examples(1, 800, 3, 5, 0.0))
        (cls.data / "noisy.txt").write_text(examples(2, 1000, 4, 6, 0.2))
        (cls.data / "wide.svm.gz").write_bytes(gzip.compress(examples(3, 300, 3, 200, 0.0).encode()))
        (cls.data / "README.md").write_text("not data\n")

    def bakeoff(self, *arguments, code=0):
        done = subprocess.run([sys.executable, "-B", HERE / "run.py", *map(str, arguments)], capture_output=True,
                              text=True, encoding="utf-8", check=False, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done


class Small(BakeoffTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.output = cls.folder / "output"
        other = cls.folder / "other.csv"
        other.write_text("data,mode,error\nclean,first,60\nclean,second,50\nnoisy,first,0.5\nelsewhere,first,1\n")
        cls.command = ["--data", cls.data, "--generator", "synsep:n=1500", "--limit", "600", "--shuffles", "4",
                       "--learners", LEARNERS, "--other", other, "--output", cls.output]
        cls.done = cls.bakeoff(cls(), *cls.command)
        cls.report = cls.done.stdout

    def rows(self):
        return list(map(json.loads, (self.output / "results.jsonl").read_text().splitlines()))

    def errors(self):
        """{(set, learner): {shuffle: error in percent}}, without the script's own functions."""
        found = {}
        for row in self.rows():
            found.setdefault((row["name"], row["contender"]), {})[row["seed"]] = 100 * row["error"]
        return found

    def cells(self, first, title):
        """The line that starts with this cell in the section of this title."""
        section = self.report.split(f"### {title}\n")[1].split("\n### ")[0]
        line = next(line for line in section.splitlines() if line.startswith(f"| {first} |"))
        return line.strip("| ").split(" | ")

    def test_plays_every_learner_on_every_shuffle(self):
        played = self.errors()
        for name in ("clean", "noisy", "wide", "synsep:n=1500"):
            for learner in LEARNERS.split(","):
                if (name, learner) not in {("wide", "newtron"), ("synsep:n=1500", "newtron")}:
                    self.assertEqual(sorted(played.pop((name, learner))), [1, 2, 3, 4])
        self.assertEqual(played, {})
        # The same shuffles for all learners, and no option but the learner.
        for row in self.rows():
            self.assertEqual(row["grid"], {})
            self.assertEqual(row["reading"].get("scale", "none"), "none")
            if not row["name"].startswith("synsep"):
                self.assertEqual(row["reading"]["shuffle"], str(row["seed"]))

    def test_table_is_right(self):
        played = self.errors()
        ratios, title = [], "auto against the best single learner"
        for name, about in {"clean": ["3", "5", "600 of 800"], "noisy": ["4", "6", "600 of 1,000"],
                            "wide": ["3", "200", "300"], "synsep:n=1500": ["9", "400", "1,500"]}.items():
            cells = self.cells(name, title)
            self.assertEqual(cells[1:5], [*about, "4"])
            singles = {learner: one for (where, learner), one in played.items() if where == name and learner != "auto"}
            best = min(singles, key=lambda learner: singles[learner][1] + singles[learner][3])
            ours, theirs = (played[name, "auto"], singles[best])
            means = [(one[2] + one[4]) / 2 for one in (ours, theirs)]
            spreads = [abs(one[2] - one[4]) / 2 for one in (ours, theirs)]
            self.assertEqual(cells[-4], f"{best}: {means[1]:.2f} ± {spreads[1]:.2f}")
            self.assertEqual(cells[5], f"{means[0]:.2f} ± {spreads[0]:.2f}")
            self.assertEqual(cells[-3], f"{means[0] / means[1]:.3f}")
            self.assertAlmostEqual(float(cells[-2].split()[0]), means[0] - means[1], delta=0.00051)
            self.assertIn(cells[-1], ("win", "tie", "loss"))
            ratios.append(means[0] / means[1])
        scores = self.cells("auto / best single", title)
        self.assertEqual(scores[1:3], ["4", f"{math.prod(ratios) ** 0.25:.3f}"])
        self.assertEqual(sum(map(int, scores[3:6])), 4)

    def test_other_tool_stands_beside(self):
        mean = sum(self.errors()["clean", "auto"].values()) / 4
        cells = self.cells("clean", "auto beside other")
        self.assertEqual(cells[2:], ["60", "50", f"{mean / 50:.3f}", "win"])
        self.assertEqual(self.cells("noisy", "auto beside other")[-1], "loss")
        self.assertIn("Not played here: elsewhere.", self.report)

    def test_every_learner_is_shown(self):
        played = self.errors()
        for learner in LEARNERS.split(","):
            cells = self.cells(learner, "Every learner")
            mean = sum(played["noisy", learner].values()) / 4
            self.assertEqual(cells[4], f"{mean:.2f}")
            self.assertEqual(cells[2], "2" if learner == "newtron" else "4")
            self.assertGreaterEqual(float(cells[1]), 1)
        self.assertIn("- newtron on wide, synsep:n=1500: too slow, rounds·(kd)³ is over 10¹⁰\n", self.report)

    def test_says_what_it_does(self):
        self.assertIn("1 of 4: clean, 600 rounds, 5 learners, 4 shuffles\n", self.done.stderr)

    def test_resumes_and_summarises_to_the_same_report(self):
        path = self.output / "results.jsonl"
        before = path.read_bytes()
        self.assertEqual(self.bakeoff(*self.command).stdout, self.report)
        self.assertEqual(path.read_bytes(), before)
        only = ["--summarise-only", "--output", self.output, "--other", self.command[-3], "--learners", LEARNERS]
        self.assertEqual(self.bakeoff(*only).stdout, self.report)
        # An interrupted sweep has lost its last runs, and the last line is cut short.
        lines = before.splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:-7]) + lines[-7][:50])
        self.assertIn("not all shuffles have a result", self.bakeoff(*only).stdout)
        self.assertEqual(self.bakeoff(*self.command).stdout, self.report)


class Refusals(BakeoffTest):
    def test_name_what_is_wrong(self):
        empty = self.folder / "empty"
        empty.mkdir(exist_ok=True)
        for arguments, words in ((["--data", self.data, "--learners", "auto,perceptron"], "called perceptron"),
                                 (["--data", empty], "no file in"), (["--data", self.folder / "none"], "not a folder"),
                                 (["--data", self.data, "--shuffles", "3"], "at least 4"), ([], "nothing to play"),
                                 (["--summarise-only"], "nothing was played"),
                                 (["--data", self.data, "--whole", "clean.libsvm"], "two data sets are called clean"),
                                 (["--data", self.data, "--other", self.data / "none.json"], "none.json")):
            with self.subTest(arguments=arguments):
                done = self.bakeoff(*arguments, "--output", self.folder / "refused", code=2)
                self.assertIn(words, done.stderr)
                self.assertEqual(done.stdout, "")

    def test_failed_runs_are_reported(self):
        # A matrix for each class would need more than the 4 GiB that a learner may take.
        far = self.folder / "far.libsvm"
        far.write_text("".join(f"{1 + i % 2} {1 + i % 2}:1 20000:1\n" for i in range(8)))
        done = self.bakeoff("--whole", far, "--learners", "bpa,banditron,bandit-arow-full", "--shuffles", "4",
                            "--output", self.folder / "failed", code=1)
        self.assertIn("- bandit-arow-full on far: not all shuffles have a result\n", done.stdout)
        self.assertIn("| bpa |", done.stdout)


class Learners(unittest.TestCase):
    def test_are_those_with_bandit_feedback_and_their_aliases(self):
        found = run.bandit_learners(os.environ["SOBA"])
        self.assertEqual(found["auto"], {})
        self.assertEqual(found["sobadiag"], {"covariance": "diagonal"})
        self.assertLessEqual({"soba", "soba-block", "squarecb-adaptive", "bandit-arow-full", "newtron"}, found.keys())
        self.assertFalse({"perceptron", "arow", "passive-aggressive"} & found.keys())

    def test_are_left_out_by_a_stated_rule(self):
        one = {"rounds": 1000, "classes": 10, "features": 20}
        self.assertIsNone(run.too_slow("newtron", {}, one))
        self.assertIn("(kd)³", run.too_slow("newtron", {}, one | {"features": 22}))
        full = {"covariance": "full"}
        self.assertIsNone(run.too_slow("bandit-arow-full", full, one | {"features": 10_000}))
        self.assertIn("k·d²", run.too_slow("bandit-arow-full", full, one | {"features": 10_001}))
        self.assertIsNone(run.too_slow("bandit-arow", {}, one | {"features": 10**9}))

    def test_data_sets_are_called_by_their_files(self):
        for name, found in {"dna.libsvm.xz": "dna", "a.b.txt": "a.b", "c.svm.zst": "c", "d.gz": None, "e.csv": None,
                            ".libsvm": None}.items():
            self.assertEqual(run.set_name(pathlib.Path(name)), found, name)


if __name__ == "__main__":
    unittest.main()
