import unittest

from program import ProgramTest, soba


class Reproduce(ProgramTest):
    def covertype(self):
        """A stand-in: small, of the same shape of file."""
        lines = [f"{1 + i % 7} {1 + i % 7}:{1 + i % 3} {8 + i % 11}:100\n" for i in range(400)]
        return self.write("covtype.libsvm", "".join(lines))

    def test_compares_on_both_data_sets(self):
        result = self.json("reproduce", "--rounds", "3000", "--covtype", self.covertype())
        synthetic, forest = result["comparisons"]
        self.assertEqual((synthetic["title"], forest["title"]), ("SynNonSep", "Covertype"))
        for comparison in (synthetic, forest):
            self.assertEqual([run["name"] for run in comparison["runs"]],
                             ["perceptron", "banditron", "sobadiag", "soba", "auto"])
            self.assertGreaterEqual(len(comparison["findings"]), 3)
        self.assertEqual(synthetic["runs"][3]["rounds"], 3000)
        self.assertEqual(synthetic["runs"][3]["options"]["gamma"], 2**-6)
        self.assertEqual(forest["runs"][1]["options"]["gamma"], 0.02)

    def test_a_line_can_be_repeated(self):
        result = self.json("reproduce", "--rounds", "2000", "--covtype", self.covertype())
        for comparison, gamma in zip(result["comparisons"], ("2^-6", "0.02")):
            words = comparison["command"].split()
            self.assertEqual(words[:2], ["soba", "run"])
            for run in comparison["runs"][1:]:
                rate = ("--gamma", gamma) if "gamma" in run["options"] else ()
                alone = self.json(*words[1:], "--learner", run["name"], *rate)
                self.assertEqual(alone["mistakes"], run["mistakes"], run["name"])

    def test_findings_follow_the_numbers(self):
        result = self.json("reproduce", "--rounds", "2000", "--covtype", self.covertype())
        for comparison in result["comparisons"]:
            errors = {run["name"]: run["error"] for run in comparison["runs"]}
            word = "fewer" if errors["soba"] <= errors["sobadiag"] else "more"
            gap = f"{100 * abs(errors['soba'] - errors['sobadiag']):.1f} points {word}"
            self.assertIn(gap, comparison["findings"][0])

    def test_text_and_missing_data(self):
        done = soba("reproduce", "--rounds", "1000", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Covertype is left out", done.stderr)
        self.assertIn("SynNonSep: 1,000 rounds", done.stdout)
        for line in done.stdout.splitlines():
            self.assertLessEqual(len(line), 80, line)
        self.fails(3, "reproduce", "--rounds", "10", "--covtype", self.path("none"))


if __name__ == "__main__":
    unittest.main()
