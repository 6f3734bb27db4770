import json
import pathlib
import subprocess
import tempfile
import time
import unittest

from program import SOBA, ProgramTest, soba

CONTENDERS = ["perceptron", "banditron", "pnewtron", "sobadiag", "soba exact", "bandit-arow", "auto"]
FIGURE = pathlib.Path(__file__).parents[2] / "experiments" / "figure1"


class Reproduce(ProgramTest):
    @classmethod
    def setUpClass(cls):
        """Reproduces once, from stand-ins for the data that are small and of the same kind."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.data = pathlib.Path(folder.name)
        cls.work = cls.data / "a" / "b"  # where no data lies beside
        cls.work.mkdir(parents=True)
        cls.covtype, cls.reuters = cls.data / "covtype.libsvm", cls.data / "reuters.libsvm"
        cls.covtype.write_text("".join(f"{1 + i % 7} {1 + i % 7}:{1 + i % 3} {8 + i % 11}:100\n"
                                       for i in range(300)))
        cls.reuters.write_text("".join(f"{1 + i % 4} {1 + i % 4}:0.5 {5 + i % 97}:0.5\n" for i in range(300)))
        cls.done = cls.reproduce()

    @classmethod
    def reproduce(cls, *arguments, limit=150):
        return soba("reproduce", "--limit", limit, "--covtype", cls.covtype, "--reuters4", cls.reuters, *arguments,
                    cwd=cls.work)

    def rows(self, folder="reproduction/quick"):
        return [json.loads(line) for line in (self.work / folder / "results.jsonl").read_text().splitlines()]

    def test_plays_every_panel_and_writes_the_report(self):
        done = self.done
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(path.name for path in (self.work / "reproduction/quick").iterdir()),
                         ["report.html", "report.md", "results.jsonl"])
        rows = self.rows()
        for name in ("SynSep", "SynNonSep", "Covtype", "Covtype, scaled", "Reuters4 (sample)"):
            self.assertEqual({row["contender"] for row in rows if row["name"] == name}, set(CONTENDERS))
            self.assertIn(f"{name}: 150 rounds", done.stdout)
        self.assertTrue(all(row["rounds"] == 150 for row in rows))
        self.assertIn("300 documents, not the paper's 665,265: a sample", done.stderr)
        self.assertIn("## What the paper says", (self.work / "reproduction/quick/report.md").read_text())
        for line in done.stdout.splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_statements_follow_the_numbers(self):
        result = json.loads(self.reproduce("--json", "--quiet").stdout)
        claims = {one["claim"]: one for one in result["statements"]}
        self.assertEqual(len(claims), 13)
        means = {}
        for row in self.rows():
            if row["name"].startswith("Reuters4"):
                key = (row["contender"], json.dumps(row["grid"]))
                means.setdefault(key, []).append(row["error"])
        best = {name: min(sum(errors) / len(errors) for key, errors in means.items() if key[0] == name)
                for name in ("sobadiag", "banditron", "pnewtron")}
        text = claims["On Reuters4 (sample) SOBAdiag is better than Banditron"]
        self.assertEqual(text["verdict"] == "holds here", best["sobadiag"] < best["banditron"])
        self.assertIn(f"SOBAdiag {100 * best['sobadiag']:.2f}, Banditron {100 * best['banditron']:.2f}", text["found"])
        never = claims["On Reuters4 (sample) PNewtron is never better than 57 %"]
        self.assertEqual(never["verdict"] == "holds here", best["pnewtron"] >= 0.57)
        # Nothing here has the size of the paper's data.
        self.assertLessEqual({one["verdict"] for one in claims.values()}, {"holds here", "does not hold here"})

    def test_goes_on_where_it_was_killed(self):
        process = subprocess.Popen([SOBA, "reproduce", "--limit", "150", "--covtype", self.covtype, "--reuters4",
                                    self.reuters, "--output", "part", "--quiet"], cwd=self.work,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        part = self.work / "part" / "results.jsonl"
        while not (part.exists() and part.stat().st_size > 50_000):
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        process.kill()
        process.wait()
        done = self.reproduce("--output", "part", "--quiet", "--json")
        self.assertGreater(json.loads(done.stdout)["before"], 10)

        def comparable(folder):
            return sorted(json.dumps({key: row[key] for key in row if key != "measured"})
                          for row in self.rows(folder))
        self.assertEqual(comparable("part"), comparable("reproduction/quick"))

    def test_what_is_not_there_is_left_out_and_said(self):
        done = soba("reproduce", "--limit", "20", "--covtype", self.covtype, "--output", "some", cwd=self.work)
        self.assertIn("Reuters4 is left out; --reuters4 PATH names it", done.stderr)
        self.assertEqual({row["name"] for row in self.rows("some")},
                         {"SynSep", "SynNonSep", "Covtype", "Covtype, scaled"})
        self.assertNotIn("On Reuters4", done.stdout)
        self.assertNotIn("3 data sets of 4", done.stdout)

    def test_errors(self):
        self.fails(2, "reproduce", "--quick", "--full")
        self.fails(3, "reproduce", "--covtype", self.path("none"), cwd=self.work)
        self.fails(2, "reproduce", "--workers", "none", cwd=self.work)

    def test_plays_the_plan_of_the_experiments(self):
        plan = json.loads((FIGURE / "quick.json").read_text())
        expected = set()
        for data in plan["data"]:
            for learner in plan["learners"]:
                learner = {"learner": learner} if isinstance(learner, str) else learner
                if data["name"] not in learner.get("data", [data["name"]]):
                    continue
                rates = learner.get("grid", {}).get("gamma", "").split(",")
                name = data["name"] + (" (sample)" if data["name"] == "Reuters4" else "")
                expected |= {(name, learner.get("name", learner["learner"]), rate and 2.0 ** int(rate[2:]), seed)
                             for rate in rates for seed in (1, 2, 3)}
        self.assertEqual({(row["name"], row["contender"], row["grid"].get("gamma", ""), row["seed"])
                          for row in self.rows()}, expected)

    def test_another_limit_in_the_same_folder_is_refused_at_once(self):
        done = self.reproduce(limit=140)
        self.assertEqual(done.returncode, 3)
        self.assertIn("give another output file", done.stderr)
        self.assertNotIn("runs/s", done.stderr)


if __name__ == "__main__":
    unittest.main()
