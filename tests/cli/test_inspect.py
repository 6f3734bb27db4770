import unittest

from program import ProgramTest


class Inspect(ProgramTest):
    def test_prints_what_the_run_has_left(self):
        result = self.json("run", "synnonsep:n=700,seed=1", "--learner", "soba", "--gamma", "0.1",
                           "--seed", "9", "--save", self.path("m.model"))
        model = self.json("inspect", self.path("m.model"))
        for key in ("learner", "options", "seed", "rounds", "mistakes", "error", "updates",
                    "classes"):
            self.assertEqual(model[key], result[key], key)
        self.assertEqual(model["answers"], 700)
        self.assertEqual(model["greedy_mistakes"], round(700 * result["greedy_error"]))
        self.assertEqual(sorted(model["labels"]), [str(i) for i in range(1, 10)])
        self.assertEqual(model["pending"], [])
        text = " ".join(self.ok("inspect", self.path("m.model")).split())  # lines break anywhere
        for words in ("soba", "gamma 0.1", "seed", "700", "labels", "features"):
            self.assertIn(words, text)

    def test_fields(self):
        self.ok("run", "synsep:n=50,seed=1", "--learner", "banditron", "--save", self.path("m"))
        fields = self.json("inspect", self.path("m"), "--fields")["fields"]
        self.assertIn("tally.rounds", [field["name"] for field in fields])
        self.assertIn("tally.rounds", self.ok("inspect", self.path("m"), "--fields"))

    def test_data_is_no_model_and_a_model_is_no_data(self):
        self.ok("convert", "synsep:n=20", self.path("d.soba"))
        self.assertIn("is data, not a model", self.fails(3, "inspect", self.path("d.soba")))
        self.ok("run", "synsep:n=50,seed=1", "--learner", "banditron", "--save", self.path("m"))
        self.assertIn("is a model, not data", self.fails(3, "check", self.path("m")))

    def test_missing_file(self):
        self.assertIn("none.model", self.fails(3, "inspect", self.path("none.model")))


if __name__ == "__main__":
    unittest.main()
