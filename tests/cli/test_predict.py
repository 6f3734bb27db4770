import csv
import gzip
import pathlib
import unittest

from program import ProgramTest

ROWS = [(i % 7, "red" if i % 3 else "blue", 'ye"s' if i % 3 else "no, never") for i in range(300)]


def table(rows, *columns):
    return "".join(",".join(row) + "\n" for row in [columns, *rows])


class Predict(ProgramTest):
    def setUp(self):
        super().setUp()
        quoted = ['"' + label.replace('"', '""') + '"' for _, _, label in ROWS]
        self.data = self.write("history.csv", table(
            [(str(size), colour, label) for (size, colour, _), label in zip(ROWS, quoted)],
            "size", "colour", "label"))
        self.model = self.path("m.model")
        self.ok("run", self.data, "--learner", "soba", "--gamma", "0.1", "--save", self.model)
        self.bytes = pathlib.Path(self.model).read_bytes()
        self.unlabelled = self.write("new.csv", table(
            [(str(size), colour) for size, colour, _ in ROWS], "size", "colour"))

    def tearDown(self):
        self.assertEqual(pathlib.Path(self.model).read_bytes(), self.bytes)

    def rows(self, *arguments, stdin=""):
        return list(csv.reader(self.ok("predict", self.model, *arguments, stdin=stdin).splitlines()))

    def test_labels_with_and_without_a_label_column(self):
        expected = [["label"]] + [[label] for _, _, label in ROWS]
        self.assertEqual(self.rows(self.data), expected)
        self.assertEqual(self.rows(self.unlabelled), expected)

    def test_a_label_that_the_model_does_not_know_is_not_looked_at(self):
        other = self.write("other.csv", "size,colour,label\n1,red,none of them\n")
        self.assertEqual(self.rows(other), [["label"], ['ye"s']])

    def test_scores_and_probabilities_have_a_column_for_each_label(self):
        for option in ("--scores", "--probabilities"):
            header, *rows = self.rows(self.unlabelled, option)
            self.assertEqual(header, ["label", "no, never", 'ye"s'])
            for label, *numbers in rows:
                numbers = [float(number) for number in numbers]
                self.assertEqual(label, header[1 + numbers.index(max(numbers))])
                if option == "--probabilities":
                    self.assertAlmostEqual(min(numbers), 0.05)
                    self.assertAlmostEqual(sum(numbers), 1)

    def test_every_format(self):
        jsonl = "".join(f'{{"x":{{"size":{size},"colour":"{colour}"}}}}\n' for size, colour, _ in ROWS)
        expected = self.rows(self.unlabelled)
        self.assertEqual(self.rows("-", "--format", "jsonl", stdin=jsonl), expected)
        path = self.path("new.jsonl.gz")
        with gzip.open(path, "wt") as file:
            file.write(jsonl)
        self.assertEqual(self.rows(path), expected)
        numbered = self.path("n.model")
        self.ok("run", "synnonsep:n=500", "--learner", "auto", "--save", numbered)
        data = self.path("d.libsvm")
        self.ok("generate", "synnonsep:n=50,seed=2", "--output", data)
        bare = "".join(line.split(" ", 1)[1] for line in self.read("d.libsvm").splitlines(True))
        first = self.ok("predict", numbered, data)
        self.assertEqual(self.ok("predict", numbered, self.write("bare.libsvm", bare)), first)
        self.assertEqual(len(first.splitlines()), 51)

    def test_it_is_the_greedy_label_of_a_trace(self):
        trace = self.path("trace.csv")
        self.ok("run", self.data, "--load", self.model, "--limit", "1", "--trace", trace)
        with open(trace, newline="") as file:
            self.assertEqual(next(csv.DictReader(file))["greedy"], self.rows(self.data)[1][0])

    def test_out_appears_whole_or_not_at_all(self):
        out = self.path("out.csv")
        self.ok("predict", self.model, self.unlabelled, "--out", out)
        self.assertEqual(self.read("out.csv"), self.ok("predict", self.model, self.unlabelled))
        broken = self.write("broken.csv", "size,colour\n1,red\n1,red,blue\n")
        message = self.fails(3, "predict", self.model, broken, "--out", self.path("not.csv"))
        self.assertIn("broken.csv:3:", message)
        self.assertNotIn("not.csv", self.names())
        self.assertEqual(len(self.rows(broken, "--skip-bad")), 2)

    def test_what_cannot_be(self):
        self.assertIn("exclude", self.fails(2, "predict", self.model, self.data, "--scores",
                                            "--probabilities"))
        self.assertIn("lost", self.fails(2, "predict", self.model, self.data, "--out", self.data))
        self.assertIn("lost", self.fails(2, "predict", self.model, self.data, "--out", self.model))
        self.assertIn("DATA", self.fails(2, "predict", self.model))


if __name__ == "__main__":
    unittest.main()
