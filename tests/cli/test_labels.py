"""Labels that come and go while a model is in use."""
import json
import subprocess
import unittest

from program import SOBA, ProgramTest

START = ["--learner", "auto", "--labels", "red,green", "--quiet"]


def line(**event):
    return json.dumps(event) + "\n"


def answers(text):
    return [json.loads(one) for one in text.splitlines()]


class Labels(ProgramTest):
    def decide(self, lines, *arguments):
        return answers(self.ok("decide", *arguments, stdin=lines))

    def teach(self, model, labels, rounds, *arguments):
        """Rounds of which the colour is the label; the greedy labels of the last 30."""
        process = subprocess.Popen([SOBA, "decide", *arguments, "--model", model, "--quiet"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        greedy = []
        for i in range(rounds):
            truth = labels[i % len(labels)]
            process.stdin.write(line(id=f"{truth}{i}", x={"colour": truth}))
            answer = json.loads(process.stdout.readline())
            process.stdin.write(line(id=f"{truth}{i}", correct=answer["label"] == truth))
            greedy.append((answer["greedy"], truth))
        process.stdin.close()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 0)
        return greedy[-30:]

    def test_one_is_added_renamed_and_retired(self):
        model = self.path("m.model")
        self.teach(model, ["red", "green"], 60, *START)
        replies = self.decide(line(add_label="blue") + line(id=7, rename_label={"from": "red", "to": "rot"}),
                              "--model", model, "--quiet")
        self.assertEqual(replies, [{"added_label": "blue"}, {"id": 7, "renamed_label": "red", "to": "rot"}])
        process = subprocess.run([SOBA, "inspect", model, "--json"], capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(process.stdout)["labels"], ["rot", "green", "blue"])
        late = self.teach(model, ["green", "blue"], 120)
        self.assertGreaterEqual(sum(greedy == truth for greedy, truth in late), 27)
        replies = self.decide(line(retire_label="green") + line(id="a", x={"colour": "green"}),
                              "--model", model, "--quiet")
        self.assertEqual(replies[0], {"retired_label": "green"})
        for i in range(20):
            (reply,) = self.decide(line(id=f"b{i}", x={"colour": "green"}), "--load", model, "--quiet")
            self.assertIn(reply["label"], ("rot", "blue"))
        self.assertRegex(self.ok("inspect", model), r"retired +green")

    def test_a_killed_program_has_added_what_it_replied_to(self):
        whole, killed = self.path("whole.model"), self.path("killed.model")
        events = [line(id=i, x={"size": i}) for i in range(5)]
        events += [line(add_label="blue")] + [line(id=i, correct=i % 2 == 0) for i in range(5)]
        events += [line(id=9, x={"size": 2}, allowed=["blue", "red"]), line(id=9, correct=True)]
        self.ok("decide", *START, "--ack", "--model", whole, stdin="".join(events))
        for number, event in enumerate(events):
            start = START if number == 0 else []  # the model has its labels, which change
            process = subprocess.Popen([SOBA, "decide", *start, "--ack", "--model", killed],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
            process.stdin.write(event)
            self.assertNotIn("error", json.loads(process.stdout.readline()))
            process.kill()
            process.communicate()
        self.ok("decide", "--model", killed, "--quiet", stdin="")
        def state(path):
            fields = json.loads(self.ok("inspect", path, "--json", "--fields"))
            return [field for field in fields["fields"] if not field["name"].startswith("journal")]
        self.assertEqual(state(killed), state(whole))

    def test_a_decision_among_some(self):
        model = self.path("m.model")
        self.ok("decide", "--learner", "soba", "--gamma", "0.3", "--labels", "a,b,c,d", "--model", model, stdin="")
        for i in range(30):
            (reply,) = self.decide(line(id=i, x={"f": 1}, allowed=["d", "b"]), "--load", model, "--quiet")
            self.assertIn(reply["label"], "bd")
            greedy = reply["label"] == reply["greedy"]
            self.assertAlmostEqual(reply["probability"], 0.7 * greedy + 0.3 / 2)

    def test_what_is_wrong_is_said_with_its_place(self):
        for event, said in [
            (line(add_label="red"), ": the model already has a label 'red'"),
            (line(retire_label="x"), ": the model has no label 'x'"),
            (line(rename_label={"from": "red"}), 'expected {"from":…,"to":…} under "rename_label"'),
            (line(id=1, x={}, allowed=[]), 'expected an array of labels under "allowed"'),
            (line(id=1, x={}, allowed=["red", "x"]), "the model has no label 'x'"),
            (line(id=1, correct=True, allowed=["red"]), '"allowed" belongs beside "x"'),
            (line(id=1, x={}, add_label="y"), 'expected one of "x", "correct" and "forget"'),
        ]:
            with self.subTest(event=event):
                self.assertIn(said, self.fails(3, "decide", *START, stdin=event))

    def test_a_run_adds_those_of_its_data_only_when_asked(self):
        monday = self.write("monday.csv", "colour,label\n" + "red,red\ngreen,green\n" * 40)
        tuesday = self.write("tuesday.csv", "colour,label\n" + "blue,blue\nred,red\namber,amber\n" * 60)
        model = self.path("m.model")
        self.ok("run", monday, "--learner", "auto", "--save", model)
        self.assertIn("tuesday.csv:2:6", self.fails(3, "run", tuesday, "--load", model))
        result = self.json("run", tuesday, "--load", model, "--add-labels", "--save", model)
        self.assertEqual(result["classes"], 4)
        self.assertLess(result["greedy_error"], 0.3)
        labels = json.loads(self.ok("inspect", model, "--json"))["labels"]
        self.assertEqual(labels, ["green", "red", "amber", "blue"])
        self.assertIn("--add-labels needs --load", self.fails(2, "run", monday, "--learner", "auto", "--add-labels"))


if __name__ == "__main__":
    unittest.main()
