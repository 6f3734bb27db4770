import json
import pathlib
import subprocess
import unittest

from program import SOBA, ProgramTest, soba

CONTENDERS = ["perceptron", "banditron", "pnewtron", "sobadiag", "soba exact", "bandit-arow", "auto"]
FIGURE = pathlib.Path(__file__).parents[2] / "experiments" / "figure1"


class Reproduce(ProgramTest):
    def setUp(self):
        super().setUp()
        self.work = self.folder / "a" / "b"  # where no data lies beside
        self.work.mkdir(parents=True)
        # Stand-ins: small, of the same kind.
        lines = [f"{1 + i % 7} {1 + i % 7}:{1 + i % 3} {8 + i % 11}:100\n" for i in range(300)]
        self.covtype = self.write("covtype.libsvm", "".join(lines))
        lines = [f"{1 + i % 4} {1 + i % 4}:0.5 {5 + i % 97}:0.5\n" for i in range(300)]
        self.reuters = self.write("reuters.libsvm", "".join(lines))

    def reproduce(self, *arguments, code=0):
        done = soba("reproduce", "--limit", "150", *arguments, cwd=self.work)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def both(self, *arguments):
        return self.reproduce("--covtype", self.covtype, "--reuters4", self.reuters, *arguments)

    def rows(self):
        return [json.loads(line) for line in self.read("a/b/reproduction/quick/results.jsonl").splitlines()]

    def test_plays_every_panel_and_writes_the_report(self):
        done = self.both()
        self.assertEqual(sorted(path.name for path in (self.work / "reproduction/quick").iterdir()),
                         ["report.html", "report.md", "results.jsonl"])
        rows = self.rows()
        for name in ("SynSep", "SynNonSep", "Covtype", "Reuters4 (sample)"):
            self.assertEqual({row["contender"] for row in rows if row["name"] == name}, set(CONTENDERS))
            self.assertIn(f"{name}: 150 rounds", done.stdout)
        self.assertTrue(all(row["rounds"] == 150 for row in rows))
        self.assertIn("300 documents, not the paper's 665,265: a sample", done.stderr)
        self.assertIn("## What the paper says", self.read("a/b/reproduction/quick/report.md"))
        for line in done.stdout.splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_statements_follow_the_numbers(self):
        result = json.loads(self.both("--json", "--quiet").stdout)
        claims = {one["claim"]: one for one in result["statements"]}
        self.assertEqual(len(claims), 13)
        means = {}
        for row in self.rows():
            if row["name"].startswith("Reuters4"):
                key = (row["contender"], json.dumps(row["grid"]))
                means.setdefault(key, []).append(row["error"])
        best = {name: min(sum(errors) / len(errors) for key, errors in means.items() if key[0] == name)
                for name in ("sobadiag", "banditron", "pnewtron")}
        text = claims["On Reuters4 SOBAdiag is better than Banditron"]
        self.assertEqual(text["verdict"] == "reproduced", best["sobadiag"] < best["banditron"])
        self.assertIn(f"SOBAdiag {100 * best['sobadiag']:.2f}, Banditron {100 * best['banditron']:.2f}", text["found"])
        never = claims["On Reuters4 PNewtron is never better than 57 %"]
        self.assertEqual(never["verdict"] == "reproduced", best["pnewtron"] >= 0.55)
        floor = claims["No error rate is below (k-1)/k gamma, the price of exploration"]
        self.assertEqual(floor["verdict"], "reproduced")

    def test_goes_on_where_it_was_killed(self):
        self.both("--output", "whole", "--quiet")
        process = subprocess.Popen([SOBA, "reproduce", "--limit", "150", "--covtype", self.covtype, "--reuters4",
                                    self.reuters, "--output", "part", "--quiet"], cwd=self.work,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        part = self.work / "part" / "results.jsonl"
        while process.poll() is None and not (part.exists() and part.stat().st_size > 50_000):
            pass
        process.kill()
        process.wait()
        self.both("--output", "part", "--quiet")

        def comparable(folder):
            rows = [json.loads(line) for line in self.read(f"a/b/{folder}/results.jsonl").splitlines()]
            return sorted(json.dumps({key: row[key] for key in row if key != "measured"}) for row in rows)
        self.assertEqual(comparable("part"), comparable("whole"))
        # The tables have no time but the speed.
        self.assertEqual(json.loads(self.both("--output", "part", "--json", "--quiet").stdout)["before"],
                         len(comparable("whole")))

    def test_what_is_not_there_is_left_out_and_said(self):
        done = self.reproduce("--covtype", self.covtype)
        self.assertIn("Reuters4 is left out; --reuters4 PATH names it", done.stderr)
        self.assertEqual({row["name"] for row in self.rows()}, {"SynSep", "SynNonSep", "Covtype"})
        self.assertNotIn("On Reuters4", done.stdout)
        self.assertNotIn("3 data sets of 4", done.stdout)

    def test_errors(self):
        self.fails(2, "reproduce", "--quick", "--full")
        self.fails(3, "reproduce", "--covtype", self.path("none"), cwd=self.work)
        self.fails(2, "reproduce", "--workers", "none", cwd=self.work)

    def test_the_plans_of_the_program_are_those_of_the_experiments(self):
        for size, seeds, rates in (("quick", 3, 7), ("full", 10, 14)):
            done = soba("sweep", "--plan", FIGURE / f"{size}.json", "--dry-run")
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = [line for line in done.stdout.splitlines() if "synsep" in line and "sobadiag" in line]
            self.assertEqual(len(lines), seeds * rates)


if __name__ == "__main__":
    unittest.main()
