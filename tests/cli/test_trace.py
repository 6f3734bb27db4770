import csv
import unittest

from program import ProgramTest

HEADER = "round,label,greedy,played,probability,gamma,correct,updated,margin_sum"


class Trace(ProgramTest):
    def trace(self, *arguments):
        path = self.path("trace.csv")
        result = self.json("run", *arguments, "--trace", path)
        with open(path, newline="", encoding="utf-8") as file:
            self.assertEqual(file.readline(), HEADER + "\n")
            file.seek(0)
            return result, list(csv.DictReader(file))

    def test_rows_agree_with_each_other_and_with_the_result(self):
        for learner in ("soba", "sobadiag", "banditron"):
            with self.subTest(learner=learner):
                result, rows = self.trace("synnonsep:n=1500,seed=2", "--learner", learner,
                                          "--gamma", "0.1")
                self.assertEqual([int(row["round"]) for row in rows], list(range(1, 1501)))
                for row in rows:
                    self.assertEqual(row["correct"], "1" if row["played"] == row["label"] else "0")
                    self.assertEqual(float(row["gamma"]), 0.1)
                    greedy = row["played"] == row["greedy"]
                    self.assertAlmostEqual(float(row["probability"]), 0.9 * greedy + 0.1 / 9,
                                           places=15)
                    self.assertEqual(row["margin_sum"] == "", learner == "banditron")
                    if learner != "banditron":
                        self.assertGreaterEqual(float(row["margin_sum"]), 0)
                        self.assertFalse(row["updated"] == "1" and row["correct"] == "0")
                self.assertEqual(sum(row["correct"] == "0" for row in rows), result["mistakes"])
                self.assertEqual(sum(row["updated"] == "1" for row in rows), result["updates"])
                wrong = sum(row["greedy"] != row["label"] for row in rows)
                self.assertEqual(wrong / 1500, result["greedy_error"])

    def test_floats_have_17_significant_digits(self):
        self.trace("synsep:n=5,seed=1", "--learner", "soba", "--gamma", "0.1")
        self.assertIn("0.10000000000000001", self.read("trace.csv"))

    def test_labels_are_those_of_the_data(self):
        lines = []
        for i in range(30):
            label = ['plain', 'with, comma', 'with \\"quote\\"'][i % 3]
            lines.append(f'{{"label": "{label}", "x": {{"f{i % 3}": 1}}}}\n')
        data = self.write("data.jsonl", "".join(lines))
        _, rows = self.trace(data, "--learner", "soba")
        expected = ["plain", "with, comma", 'with "quote"']
        self.assertEqual([row["label"] for row in rows], expected * 10)
        self.assertTrue({row["played"] for row in rows} <= set(expected))

    def test_a_yardstick_plays_greedily(self):
        _, rows = self.trace("synsep:n=300,seed=1", "--learner", "perceptron")
        for row in rows:
            self.assertEqual((row["played"], float(row["probability"]), float(row["gamma"])),
                             (row["greedy"], 1, 0))


if __name__ == "__main__":
    unittest.main()
