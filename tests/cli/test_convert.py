import json
import unittest

from program import ProgramTest, soba


class Generate(ProgramTest):
    def test_default_is_libsvm_on_standard_output(self):
        lines = self.ok("generate", "synsep:n=20,seed=1").splitlines()
        self.assertEqual(len(lines), 20)
        for line in lines:
            label, *entries = line.split()
            self.assertIn(int(label), range(1, 10))
            indices = [int(entry.split(":")[0]) for entry in entries]
            self.assertEqual(indices, sorted(set(indices)))
            self.assertTrue(1 <= indices[0] and indices[-1] <= 400)

    def test_the_seed_decides(self):
        self.assertEqual(self.ok("generate", "synsep:n=20"),
                         self.ok("generate", "synsep:n=20,seed=1"))
        self.assertNotEqual(self.ok("generate", "synsep:n=20,seed=1"),
                            self.ok("generate", "synsep:n=20,seed=2"))

    def test_every_format_plays_the_same(self):
        spec = "synnonsep:n=300,seed=5"
        expected = self.json("run", spec, "--learner", "soba", "--gamma", "0.1")
        labels = ",".join(map(str, range(1, 10)))
        for name in ("a.libsvm", "a.csv", "a.jsonl", "a.libsvm.gz", "a.csv.xz", "a.jsonl.zst"):
            with self.subTest(name=name):
                self.ok("generate", spec, "--output", self.path(name))
                result = self.json("run", self.path(name), "--learner", "soba", "--gamma", "0.1",
                                   "--labels", labels)
                self.assertEqual(result["rounds"], 300)
                self.assertEqual(result["mistakes"], expected["mistakes"])
                self.assertEqual(result["updates"], expected["updates"])

    def test_csv_has_a_header(self):
        lines = self.ok("generate", "synsep:n=3,seed=1", "--to", "csv").splitlines()
        self.assertEqual(len(lines), 4)
        self.assertIn("label", lines[0].split(","))


class Convert(ProgramTest):
    def test_round_trip(self):
        text = "a 1:0.5 3:-2\nb 2:1e-07 3:4\na 1:1\n"
        data = self.write("data.libsvm", text)
        self.ok("convert", data, self.path("data.jsonl"))
        self.ok("convert", self.path("data.jsonl"), self.path("data.csv"))
        self.assertEqual(len(self.read("data.csv").splitlines()), 4)
        labels = [json.loads(line)["label"] for line in self.read("data.jsonl").splitlines()]
        self.assertEqual(labels, ["a", "b", "a"])
        self.assertEqual(self.ok("convert", data, "-"), self.ok("convert", data, "-", "--to",
                                                                "libsvm"))

    def test_counts_go_to_standard_error(self):
        data = self.write("data.libsvm", "a 1:0.5 3:-2\nb 2:1 3:4\n")
        done = soba("convert", data, "-", "--to", "csv")
        self.assertIn("2 examples, 2 labels, 3 features", done.stderr)
        self.assertEqual(soba("convert", data, "-", "--quiet").stderr, "")

    def test_preparation_and_order(self):
        data = self.write("data.libsvm", "a 1:5\nb 1:10\nc 1:-2\n")
        lines = self.ok("convert", data, "-", "--scale", "maxabs", "--bias").splitlines()
        self.assertEqual(lines, ["a 1:1 2:0.5", "b 1:1 2:1", "c 1:1 2:-0.2"])
        shuffled = self.ok("convert", data, "-", "--shuffle", "1", "--limit", "2").splitlines()
        self.assertEqual(len(shuffled), 2)

    def test_the_format_must_be_known(self):
        data = self.write("data.libsvm", "a 1:5\nb 1:10\n")
        self.assertIn("--to", self.fails(2, "convert", data, self.path("data.dat")))
        self.fails(2, "convert", data, self.path("data.dat"), "--to", "xml")
        self.ok("convert", data, self.path("data.dat"), "--to", "csv")

    def test_a_bad_line_leaves_no_output(self):
        data = self.write("data.libsvm", "a 1:5\nb 1:\n")
        self.write("out.jsonl", "old\n")
        self.fails(3, "convert", data, self.path("out.jsonl"))
        self.assertEqual(self.read("out.jsonl"), "old\n")
        self.assertEqual(self.names(), ["data.libsvm", "out.jsonl"])


if __name__ == "__main__":
    unittest.main()
