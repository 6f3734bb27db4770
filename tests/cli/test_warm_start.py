"""A history of known labels teaches a learner, which then decides on; and decisions that wait, or do not."""
import gzip
import json
import subprocess
import time
import unittest

from program import SOBA, ProgramTest


def line(**event):
    return json.dumps(event) + "\n"


def answers(text):
    return [json.loads(one) for one in text.splitlines()]


COLOURS = ["red", "green", "blue"]


class WarmStart(ProgramTest):
    def history(self, rows=300):
        text = "colour,size,label\n"
        for i in range(rows):
            text += f"{COLOURS[i % 3]},{i % 7},{COLOURS[i % 3]}\n"
        return self.write("history.csv", text)

    def test_decisions_go_on_from_labels(self):
        data, model = self.history(), self.path("m.model")
        text = self.ok("run", data, "--learner", "auto", "--as", "labelled", "--save", model)
        self.assertIn("was taught the label of every example", text)
        self.assertNotIn("played error", text)
        self.assertIn("right and the others wrong", text)
        for colour in ("red", "green"):
            (reply,) = answers(self.ok("decide", "--load", model, "--quiet", stdin=line(id=1, x={"colour": colour})))
            self.assertEqual(reply["greedy"], colour)
            self.assertGreater(reply["probability"], 0.9)

    def test_it_teaches_more_than_guessing_does(self):
        for learner in ("bandit-arow", "soba-ovr", "auto", "squarecb"):
            with self.subTest(learner=learner):
                error = {}
                for how in ("bandit", "labelled"):
                    result = self.json("run", "synnonsep:n=2000,seed=3", "--learner", learner, "--as", how)
                    error[how] = result["greedy_error"]
                    self.assertEqual("taught" in result, how == "labelled")
                self.assertLess(error["labelled"], error["bandit"])

    def test_it_resumes_as_it_began(self):
        data, whole, parts = self.history(), self.path("whole.model"), self.path("parts.model")
        self.ok("run", data, "--learner", "sobadiag", "--as", "labelled", "--save", whole)
        broken = self.write("broken.csv", self.read("history.csv").replace("blue,", "blue", 1))
        self.assertIn("colour,size,label", self.read("broken.csv"))
        self.fails(3, "run", broken, "--learner", "sobadiag", "--as", "labelled", "--save", parts)
        self.assertIn("leave out --as", self.fails(2, "run", data, "--resume", parts, "--as", "bandit"))

    def test_mistakes(self):
        data = self.history()
        self.assertIn("'x' is not bandit or labelled", self.fails(2, "run", data, "--learner", "auto", "--as", "x"))
        self.assertIn("is told every label as it is",
                      self.fails(2, "run", data, "--learner", "perceptron", "--as", "labelled"))


class Waiting(ProgramTest):
    START = ["--learner", "bandit-arow", "--labels", "a,b", "--quiet"]

    def waiting(self, model):
        return len(json.loads(self.ok("inspect", model, "--json"))["pending"])

    def test_they_expire_by_their_number(self):
        model = self.path("m.model")
        lines = "".join(line(id=i, x={"f": i}) for i in range(10)) + line(id=2, correct=True) + line(id=8, correct=True)
        out = answers(self.ok("decide", *self.START, "--ack", "--expire-decisions", "3", "--model", model, stdin=lines))
        self.assertEqual(out[10]["error"], "no decision waits under this id")
        self.assertEqual(out[11], {"id": 8, "learned": True})
        self.assertEqual(self.waiting(model), 2)
        found = json.loads(self.ok("inspect", model, "--json"))
        self.assertEqual(found["answers"], 1)  # no answer was made up

    def test_with_the_answer_that_is_stated(self):
        model = self.path("m.model")
        lines = "".join(line(id=i, x={"f": i}) for i in range(10))
        done = subprocess.run([SOBA, "decide", *self.START[:-1], "--expire-decisions", "3", "--expired", "wrong",
                               "--model", model], input=lines, capture_output=True, text=True, check=True)
        self.assertIn("6 expired", done.stderr)
        found = json.loads(self.ok("inspect", model, "--json"))
        self.assertEqual((found["answers"], found["mistakes"]), (6, 6))

    def test_they_expire_by_their_age_also_across_a_restart(self):
        model = self.path("m.model")
        self.ok("decide", *self.START, "--expire-after", "1", "--model", model, stdin=line(id=1, x={"f": 1}))
        self.assertEqual(self.waiting(model), 1)
        time.sleep(1.1)
        self.ok("decide", *self.START, "--expire-after", "1", "--model", model, stdin=line(id=2, x={"f": 1}))
        self.assertEqual(self.waiting(model), 1)

    def test_decisions_that_are_not_kept_change_nothing(self):
        model = self.path("m.model")
        self.ok("decide", *self.START, "--model", model, stdin=line(id=1, x={"f": 1}))
        fields = ("inspect", model, "--json", "--fields")
        before = json.loads(self.ok(*fields))
        lines = line(id="n", x={"g": 1}) + line(id="n", correct=True)
        out = answers(self.ok("decide", *self.START, "--forget-decisions", "--model", model, stdin=lines))
        self.assertIn(out[0]["label"], "ab")
        self.assertEqual(out[1]["error"], "no decision waits under this id")
        self.assertEqual(json.loads(self.ok(*fields)), before)

    def test_files(self):
        model = self.path("m.model")
        events = "".join(line(id=i, x={"f": i}) for i in range(5))
        with gzip.open(self.path("events.jsonl.gz"), "wt") as file:
            file.write(events)
        out = self.ok("decide", self.path("events.jsonl.gz"), *self.START)
        self.assertEqual(out, self.ok("decide", *self.START, stdin=events))
        data = self.write("new.csv", "f,colour\n1,red\n2,blue\n")
        taught = self.write("old.csv", "f,colour,label\n1,red,a\n2,blue,b\n" * 30)
        self.ok("run", taught, "--learner", "bandit-arow", "--as", "labelled", "--save", model)
        out = answers(self.ok("decide", data, "--load", model, "--forget-decisions", "--quiet"))
        self.assertEqual([(one["id"], one["greedy"]) for one in out], [(f"{data}:1", "a"), (f"{data}:2", "b")])
        out = answers(self.ok("decide", data, "--model", model, "--quiet"))
        self.assertEqual(self.waiting(model), 2)
        (reply,) = answers(self.ok("decide", "--model", model, "--ack", "--quiet", stdin=line(id=f"{data}:2", correct=True)))
        self.assertTrue(reply["learned"])
        self.assertIn("bad.jsonl:1:1", self.fails(3, "decide", self.write("bad.jsonl", "x\n"), *self.START))


if __name__ == "__main__":
    unittest.main()
