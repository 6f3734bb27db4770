import json
import unittest

from program import ProgramTest

QUICK = ("--points", "3", "--epochs", "10")
TERMS = ("competitor_loss", "regulariser", "quadratic", "exploration")


class Bound(ProgramTest):
    def test_prints_the_terms_of_each_bound(self):
        result = self.json("bound", "synsep:n=1500,seed=1", "--learner", "soba", "--gamma", "0.1", "--seeds", "2", *QUICK)
        self.assertEqual(result["rounds"], 1500)
        self.assertEqual(result["runs"], 2)
        for competitor in result["competitors"]:
            self.assertLessEqual({"loss", "eta", "value", "norm", "zero_one"}, competitor.keys())
        names = [bound["theorem"] for bound in result["bounds"]]
        self.assertEqual(names[:2], ["theorem-2", "fall-back-theorem-2"])
        for bound in result["bounds"]:
            self.assertAlmostEqual(sum(bound[term] for term in TERMS), bound["bound"], delta=1e-6 * bound["bound"])
            self.assertEqual(bound["vacuous"], bound["bound"] >= 1500)
            self.assertTrue(bound["holds"])
        self.assertIn(result["tightest"], names)

    def test_says_it_in_words(self):
        text = self.ok("bound", "synsep:n=1500,seed=1", "--learner", "perceptron", *QUICK)
        self.assertIn("theorem-1", text)
        self.assertIn("The guarantee (theorem-1) says at most", " ".join(text.split()))
        diagonal = " ".join(self.ok("bound", "synsep:n=300,seed=1", "--learner", "sobadiag", *QUICK).split())
        self.assertIn("nothing is proved of this form", diagonal)
        self.assertIn("No guarantee applies", diagonal)

    def test_a_trace_and_a_model_give_the_bound_of_their_run(self):
        data = ("synnonsep:n=800,seed=5", "--learner", "soba", "--gamma", "0.1")
        self.ok("run", *data, "--trace", self.path("t.csv"), "--save", self.path("m"))
        played = self.json("bound", *data, *QUICK)
        traced = self.json("bound", *data, *QUICK, "--trace", self.path("t.csv"), "--seed", "9")
        self.assertEqual(traced["bounds"], played["bounds"])
        loaded = self.json("bound", data[0], *QUICK, "--model", self.path("m"))
        known = {bound["theorem"]: bound for bound in played["bounds"]}
        self.assertEqual(len(loaded["bounds"]), 5)  # not those that need Σγ of the rounds
        for bound in loaded["bounds"]:
            self.assertEqual(bound, known[bound["theorem"]])

    def test_refuses_a_run_of_something_else(self):
        self.ok("run", "synsep:n=200,seed=1", "--learner", "soba", "--save", self.path("m"), "--trace", self.path("t.csv"))
        self.assertIn("200 rounds", self.fails(3, "bound", "synsep:n=300,seed=1", "--model", self.path("m"), *QUICK))
        self.assertIn("of the trace", self.fails(3, "bound", "synsep:n=200,seed=2", "--learner", "soba", "--trace",
                                                 self.path("t.csv"), *QUICK))
        self.assertIn("--learner is missing", self.fails(2, "bound", "synsep:n=20"))
        self.assertIn("twice", self.fails(2, "bound", "-", "--learner", "soba"))
        self.assertIn("--seeds", self.fails(2, "bound", "synsep:n=20", "--model", self.path("m"), "--seeds", "2"))

    def test_leaves_a_page(self):
        self.ok("bound", "synsep:n=500,seed=1", "--learner", "perceptron", *QUICK, "--html", self.path("b.html"))
        page = self.read("b.html")
        start = page.index('<script type="application/json" id="report">')
        report = json.loads(page[page.index(">", start) + 1:page.index("</script>", start)])
        points = report["bound"]["curve"]
        self.assertEqual(points[-1]["round"], 500)
        for point in points:
            self.assertGreaterEqual(point["bound"] * (1 + 1e-9), point["mistakes"])
        self.assertIn("buildBound", page)

    def test_tunings_say_what_they_assumed(self):
        run = self.json("run", "synsep:n=1000,seed=1", "--learner", "soba", "--gamma", "theory-hinge", "--hinge-loss", "5",
                        "--a", "theory", "--X", "7")
        self.assertEqual(run["options"]["a"], 49)
        self.assertEqual(run["options"]["gamma"], "theory-hinge")
        self.assertIn("norms of x up to 7", run["reason"])
        self.assertIn("hinge loss of 5", run["reason"])
        self.assertIn("horizon", self.fails(2, "decide", "--learner", "soba", "--labels", "a,b", "--a", "theory-hinge"))


if __name__ == "__main__":
    unittest.main()
