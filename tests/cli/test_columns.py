import json
import pathlib
import subprocess
import sys
import time
import unittest

from program import ProgramTest, soba

MAKE_TICKETS = pathlib.Path(__file__).parent.parent / "data" / "make_tickets.py"


def tickets(*arguments):
    """Support tickets as text: CSV, or JSON Lines."""
    return subprocess.run([sys.executable, "-B", MAKE_TICKETS, *map(str, arguments)],
                          capture_output=True, check=True, encoding="utf-8").stdout


class Columns(ProgramTest):
    """What a newcomer meets: a file with an id, a date, numbers, categories and free text."""

    @classmethod
    def setUpClass(cls):
        cls.csv = tickets(2000)
        cls.jsonl = tickets(2000, "--jsonl")

    def run_json(self, data, *options, stdin=""):
        done = json.loads(self.ok("run", data, "--learner", "auto", *options, "--json", stdin=stdin))
        return {key: done[key] for key in ("rounds", "mistakes", "features", "updates")}

    def test_a_run_says_what_it_took_columns_for(self):
        data = self.write("tickets.csv", self.csv)
        done = soba("run", data, "--label", "team", "--learner", "auto")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("soba: column 'id' has a different value in every row, as an id: it is left "
                      "out; option 'only' or 'categorical' keeps it\n", done.stderr)
        self.assertIn("soba: column 'created' has dates: the day, the hour and the weekday are "
                      "features;", done.stderr)
        self.assertIn("soba: column 'message' has free text: its words are features;", done.stderr)
        quiet = soba("run", data, "--label", "team", "--learner", "auto", "--quiet")
        self.assertEqual(quiet.stderr, "")
        self.assertEqual(quiet.stdout.splitlines()[0], done.stdout.splitlines()[0])

    def test_check_explains_columns_first(self):
        text = self.ok("check", self.write("tickets.csv", self.csv), "--label", "team")
        lines = text.splitlines()
        self.assertRegex(lines[1], r"^  columns +id: ignored, 2000 distinct \(a different value")
        self.assertIn("  labels     6: ", text[text.index("message: text, "):])
        words = " ".join(text.split())
        for expected in ("created: date, ", "(dates: the day, the hour and the weekday are features; "
                         "option 'categorical' makes each date a category)", "plan: category, 4 distinct",
                         "amount: number, ", "message: text, ", "(free text: its words are features;"):
            self.assertIn(expected, words)
        columns = {c["name"]: c for c in self.json("check", self.path("tickets.csv"), "--label",
                                                   "team")["columns"]}
        self.assertEqual([columns[c]["type"] for c in ("id", "created", "plan", "items", "message")],
                         ["ignored", "date", "category", "number", "text"])
        self.assertIn("left out", columns["id"]["found"])
        self.assertNotIn("found", columns["plan"])
        keys = self.json("check", self.write("tickets.jsonl", self.jsonl))["columns"]
        self.assertEqual({c["name"]: c["type"] for c in keys},
                         {name: column["type"] for name, column in columns.items()})

    def test_file_pipe_cache_and_json_lines_are_played_alike(self):
        data = self.write("tickets.csv", self.csv)
        played = self.run_json(data, "--label", "team")
        labels = ["--labels", "account,billing,returns,sales,shipping,technical"]
        self.assertEqual(self.run_json("-", "--label", "team", stdin=self.csv), played)
        self.assertEqual(self.run_json("-", "--label", "team", *labels, stdin=self.csv), played)
        self.assertEqual(self.run_json(data, "--label", "team", *labels), played)
        self.ok("convert", data, self.path("tickets.soba"), "--label", "team")
        self.assertEqual(self.run_json(self.path("tickets.soba")), played)
        # JSON Lines has its features in the order of its keys: other sums, the same example.
        lines = self.run_json(self.write("tickets.jsonl", self.jsonl))
        self.assertEqual(lines["features"], played["features"])
        self.ok("convert", self.path("tickets.jsonl"), self.path("lines.soba"))
        self.assertEqual(self.run_json(self.path("lines.soba")), lines)

    def test_a_model_keeps_what_columns_hold(self):
        data = self.write("tickets.csv", self.csv)
        model = self.path("team.model")
        self.ok("run", data, "--label", "team", "--learner", "auto", "--text-weight", "tfidf",
                "--save", model)
        self.assertIn("columns       ignore id; dates created; text message; text-weight tfidf",
                      self.ok("inspect", model))
        self.assertEqual(self.json("inspect", model)["columns"]["text"], "message")
        later = self.write("later.csv", "message,team,id,created,items,amount,country,channel,plan\n"
                           "the tracking number,shipping,1,2027-01-01,1,2,de,web,pro\n")
        self.ok("run", later, "--label", "team", "--load", model)
        event = {"id": "e", "x": {"message": "the courier and the tracking number", "id": "T-5",
                                  "created": "2027-01-01T08:00Z", "plan": "pro"}}
        answer = json.loads(self.ok("decide", "--model", model, stdin=json.dumps(event) + "\n"))
        self.assertEqual(answer["greedy"], "shipping")
        event["x"]["created"] = "yesterday"
        self.assertIn('expected a date such as 2026-11-16 or 2026-11-16T22:37 for "created"',
                      self.fails(3, "decide", "--model", model, stdin=json.dumps(event) + "\n"))

    def test_options_are_stronger_than_guesses(self):
        data = self.write("tickets.csv", self.csv)
        done = soba("run", data, "--label", "team", "--learner", "perceptron", "--ignore", "id,2",
                    "--categorical", "message")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("soba: ", done.stderr)
        only = self.json("run", data, "--label", "-1", "--learner", "perceptron", "--only", "items")
        self.assertEqual(only["features"], 1)
        few = self.json("run", data, "--label", "team", "--learner", "perceptron", "--only",
                        "message", "--hash-bits", "6")
        self.assertEqual(few["features"], 64)
        self.assertIn("ignore: ", self.fails(2, "run", "synsep:n=10", "--ignore", "id", "--learner",
                                             "perceptron"))

    def test_files_without_a_header_and_with_other_separators(self):
        data = self.write("data.txt", "1|x|a\n2|y|b\n" * 5)
        report = self.json("check", data, "--no-header", "--label", "3")
        self.assertEqual([c["name"] for c in report["columns"]], ["1", "2"])
        data = self.write("data.csv", "n^label\n1^a\n2^b\n")
        self.assertEqual(self.json("check", data, "--separator", "^")["features"], 1)
        self.assertIn("--separator", self.fails(2, "check", data, "--separator", "x"))

    def test_decide_teaches_a_new_model_with_free_text(self):
        event = {"id": "e", "x": {"m": "My card was charged twice", "at": "2026-11-16", "no": 7}}
        model = self.path("new.model")
        self.ok("decide", "--model", model, "--learner", "sobadiag", "--labels", "a,b", "--text", "m",
                "--dates", "at", "--ignore", "no", "--bigrams", stdin=json.dumps(event) + "\n")
        names = self.json("inspect", model)["feature_names"]
        self.assertEqual(sorted(names), sorted(
            ["m~my", "m~card", "m~was", "m~charged", "m~twice", "m~my card", "m~card was",
             "m~was charged", "m~charged twice", "at.day", "at.hour", "at.weekday=mon"]))


class Newcomer(ProgramTest):
    def test_twenty_thousand_tickets(self):
        data = self.write("tickets.csv", tickets())
        begin = time.monotonic()
        report = self.json("run", data, "--label", "team", "--learner", "auto")
        seconds = time.monotonic() - begin
        counts = self.json("check", data, "--label", "team")["labels"]
        constant = 1 - max(counts.values()) / sum(counts.values())
        self.assertEqual(report["rounds"], 20000)
        self.assertLess(report["error"], constant / 3)
        self.assertLess(report["greedy_error"], constant / 3)
        self.assertLess(seconds, 60)  # 5 s where the program is optimised and alone


if __name__ == "__main__":
    unittest.main()
