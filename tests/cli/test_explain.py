"""What a model has learnt, and why it decides as it does."""
import json
import unittest

from program import ProgramTest


class Explain(ProgramTest):
    def setUp(self):
        super().setUp()
        # The plan says the label; the noise says nothing.
        rows = [f"{('pro', 'free')[i % 2]},{(i * 7919 % 13) / 13},{('keep', 'lose')[i % 2]}" for i in range(400)]
        self.data = self.write("data.csv", "plan,noise,label\n" + "\n".join(rows) + "\n")
        self.model = self.path("m.model")
        self.ok("run", self.data, "--learner", "auto", "--save", self.model)

    def test_weights(self):
        found = json.loads(self.ok("inspect", self.model, "--weights", "--json"))
        self.assertEqual(found["member"], "soba-ovr")
        keep, lose = found["labels"]
        self.assertEqual((keep["label"], lose["label"]), ("keep", "lose"))
        of_keep = {feature["name"]: feature["weight"] for feature in keep["features"]}
        self.assertGreater(of_keep["plan=pro"], of_keep["plan=free"])
        sizes = [abs(feature["weight"]) for feature in keep["features"]]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        one = json.loads(self.ok("inspect", self.model, "--weights", "--top", "1", "--json"))
        self.assertEqual([len(label["features"]) for label in one["labels"]], [1, 1])
        text = self.ok("inspect", self.model, "--weights")
        self.assertIn("Weights of soba-ovr, the member that weighs most", text)
        self.assertRegex(text, r"[+-][0-9.]+  plan=pro")

    def test_rows(self):
        out = self.ok("explain", self.model, self.data, "--limit", "2", "--top", "1")
        self.assertRegex(out, r"^row 1: keep over lose, by [0-9.]+ \(scores of soba-ovr\)\n  plan=pro")
        self.assertIn("row 2: lose over keep", out)
        self.assertIn("the rest", out)

    def test_the_amounts_add_up(self):
        for line in self.ok("explain", self.model, self.data, "--limit", "50", "--json").splitlines():
            found = json.loads(line)
            total = found["constant"] + found["rest"] + sum(one["amount"] for one in found["features"])
            self.assertAlmostEqual(total, found["lead"], places=9)

    def test_named_values_on_standard_input(self):
        out = self.ok("explain", self.model, "-", "--format", "jsonl", stdin='{"x":{"plan":"free","noise":0.5}}\n')
        self.assertIn("row 1: lose over keep", out)

    def test_in_a_reply(self):
        out = self.ok("decide", "--load", self.model, "--explain", "1", "--quiet",
                      stdin='{"id":1,"x":{"plan":"pro","noise":0.1}}\n')
        because = json.loads(out)["because"]
        self.assertEqual(because["label"], "keep")
        self.assertEqual([one["name"] for one in because["features"]], ["plan=pro"])

    def test_scores_that_are_not_linear(self):
        model = self.path("c.model")
        self.ok("run", self.data, "--learner", "confidit", "--save", model)
        for arguments in (["inspect", model, "--weights"], ["explain", model, self.data]):
            self.assertIn("learner 'confidit' are not linear", self.fails(2, *arguments))


if __name__ == "__main__":
    unittest.main()
