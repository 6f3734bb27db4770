"""`auto` on data as it comes: columns of text, huge numbers, features that nobody announced."""

import json
import random
import unittest

from program import ProgramTest, soba


def numbers_and_names(rows, names):
    """A number that decides the label, beside a column with many texts."""
    draw = random.Random(1)
    lines = ["label,size,who"]
    for _ in range(rows):
        size = draw.random() * 10
        label = "small" if size < 3 else "medium" if size < 7 else "large"
        lines.append(f"{label},{size:.3f},u{draw.randrange(names)}")
    return "\n".join(lines) + "\n"


def libsvm(rows, features):
    draw = random.Random(2)
    lines = []
    for _ in range(rows):
        label = draw.randrange(4)
        values = [draw.random() + (j % 4 == label) for j in range(features)]
        entries = (f"{j + 1}:{v:.4f}" for j, v in enumerate(values) if draw.random() < 0.7)
        lines.append(" ".join([str(label + 1), *entries]))
    return "\n".join(lines) + "\n"


def seconds(rows):
    """Seconds since 1970 beside the number that decides the label."""
    draw = random.Random(3)
    now = 1_600_000_000
    lines = ["label,time,size"]
    for _ in range(rows):
        now += draw.randrange(5000)
        size = draw.random() * 10
        lines.append(f"{'a' if size < 5 else 'b'},{now},{size:.3f}")
    return "\n".join(lines) + "\n"


class Auto(ProgramTest):
    def test_many_texts_take_no_time(self):
        data = self.write("data.csv", numbers_and_names(20_000, 15_000))
        result = self.json("run", data, "--learner", "auto")
        self.assertGreater(result["features"], 8_000)
        self.assertIn("bandit-arow-adaptive", result["remarks"])
        self.assertNotIn("full matrices", result["remarks"])

    def test_the_bits_do_not_depend_on_what_reveals_the_features(self):
        for name, text, labels in [
            ("few.libsvm", libsvm(600, 30), "1,2,3,4"),
            ("many.libsvm", libsvm(600, 70), "1,2,3,4"),
            ("texts.csv", numbers_and_names(600, 300), "large,medium,small"),
        ]:
            data = self.write(name, text)
            traces = set()
            for source, options in [
                (data, []),
                (data, ["--labels", labels]),
                (data, ["--scale", "none"]),
                ("-", ["--labels", labels]),
            ]:
                trace = self.path("trace.csv")
                self.ok("run", source, "--learner", "auto", "--trace", trace, *options,
                        stdin=text if source == "-" else "")
                traces.add(self.read("trace.csv"))
            self.assertEqual(len(traces), 1, name)

    def test_a_bias_alone_announces_nothing(self):
        data = self.write("many.libsvm", libsvm(300, 300))
        plain = self.json("run", data, "--learner", "auto", "--bias")
        named = self.json("run", data, "--learner", "auto", "--bias", "--labels", "1,2,3,4")
        self.assertEqual(plain["mistakes"], named["mistakes"])

    def test_seconds_since_1970_do_no_harm(self):
        data = self.write("data.csv", seconds(6000))
        result = self.json("run", data, "--learner", "auto")
        self.assertLessEqual(result["error"], 0.10)
        self.assertIn("divided by a power of two: 1", result["remarks"])

    def test_full_matrices_print_numbers_and_name_the_column(self):
        data = self.write("data.csv", seconds(1000))
        for learner in ["bandit-arow-full", "squarecb-full", "soba", "soba-block"]:
            done = soba("run", data, "--learner", learner, "--save", self.path("m.model"), "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("null", done.stdout.lower())
            self.assertNotIn("nan", done.stdout.lower())
            self.assertIn("feature 'time'", done.stderr)
            self.assertIn("maxabs", done.stderr)
            self.ok("inspect", self.path("m.model"))

    def test_updates_that_are_left_out_are_reported(self):
        data = self.write("data.csv", seconds(1000))
        model = self.path("m.model")
        result = self.json("run", data, "--learner", "bandit-arow-full", "--save", model)
        self.assertGreater(result["skipped_updates"], 0)
        self.assertIn("feature 'time' has the value 1.6e+09", result["remarks"])
        self.assertIn("scale with maxabs", result["remarks"])
        self.assertRegex(self.ok("inspect", model), r"left out +\d+ updates")
        described = self.json("inspect", model)
        self.assertEqual(described["skipped_updates"], result["skipped_updates"])
        done = soba("decide", "--load", model, stdin="")
        self.assertRegex(done.stderr, r"\d+ updates left out so far")
        scaled = self.json("run", data, "--learner", "bandit-arow-full", "--scale", "maxabs")
        self.assertNotIn("skipped_updates", scaled)
        self.assertLess(scaled["error"], 0.1)

    def decide(self, *options):
        """Decisions over a few names, one over 11,000 new ones, and more decisions."""
        lines = []
        for i in range(40):
            x = {f"n{j}": 1 + i * j % 7 for j in range(6)}
            if i == 20:
                x = {f"word{j}": 1 for j in range(11_000)}
            lines.append(json.dumps({"id": i, "x": x}))
            lines.append(json.dumps({"id": i, "correct": i == 20 or i % 3 == 0}))
        model = self.path("m.model")
        text = self.ok("decide", "--learner", "auto", "--labels", "a,b,c", "--model", model, "--ack",
                       "--quiet", *options, stdin="\n".join(lines) + "\n")
        return [json.loads(line) for line in text.splitlines()], model

    def test_an_answer_that_is_too_large_for_matrices_is_learnt(self):
        replies, model = self.decide()
        self.assertEqual(sum("learned" in reply for reply in replies), 40)
        self.assertIn("(diagonals)", self.ok("inspect", model))
        self.ok("decide", "--load", model, stdin=json.dumps({"id": "later", "x": {"n1": 1}}) + "\n")

    def test_where_matrices_are_insisted_on_it_is_refused(self):
        replies, model = self.decide("--members", "sobadiag,bandit-arow-full", "--memory", "1")
        self.assertEqual(sum("learned" in reply for reply in replies), 39)
        refused = [reply for reply in replies if "error" in reply]
        self.assertEqual([reply["id"] for reply in refused], [20])
        self.assertIn("memory", refused[0]["error"])
        self.ok("inspect", model)
        self.ok("decide", "--load", model, stdin=json.dumps({"id": "later", "x": {"n1": 1}}) + "\n")


if __name__ == "__main__":
    unittest.main()
