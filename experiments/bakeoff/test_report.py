import json
import pathlib
import tempfile
import unittest

import report


def data_set(name="toy", rounds=1000, shuffles=4, **changes):
    return {"name": name, "classes": 3, "features": 1234, "rows": rounds, "rounds": rounds, "shuffles": shuffles,
            "learners": [], "skipped": {}} | changes


def rows(name, learner, *errors, rounds=1000):
    """Result rows of shuffles 1, 2, … with these errors in percent."""
    return [{"name": name, "contender": learner, "seed": seed, "rounds": rounds, "key": f"{learner} {seed}",
             "error": error / 100} for seed, error in enumerate(errors, start=1)]


class Errors(unittest.TestCase):
    def test_are_percentages_by_set_learner_and_shuffle(self):
        found = report.read_errors(rows("toy", "auto", 10, 20, 30, 40), [data_set()])
        self.assertEqual(found, {"toy": {"auto": {1: 10, 2: 20, 3: 30, 4: 40}}})

    def test_of_an_incomplete_learner_are_left_out(self):
        found = report.read_errors(rows("toy", "auto", 1, 2, 3, 4) + rows("toy", "bpa", 1, 2, 3), [data_set()])
        self.assertEqual(list(found["toy"]), ["auto"])

    def test_of_other_sizes_shuffles_and_sets_are_left_out(self):
        many = [*rows("toy", "auto", 1, 2, 3, 4, 5, 6), *rows("old", "auto", 1),
                *rows("toy", "auto", 9, 9, 9, 9, rounds=7)]
        self.assertEqual(report.read_errors(many, [data_set()]), {"toy": {"auto": {1: 1, 2: 2, 3: 3, 4: 4}}})

    def test_do_not_depend_on_the_order_of_the_rows(self):
        made = rows("toy", "b", 1, 2, 3, 4) + rows("toy", "a", 1, 2, 3, 4)
        for order in (made, made[::-1]):
            self.assertEqual(list(report.read_errors(order, [data_set()])["toy"]), ["a", "b"])

    def test_of_two_different_runs_are_refused(self):
        twice = rows("toy", "auto", 1, 2, 3, 4) + [rows("toy", "auto", 5)[0] | {"key": "other"}]
        with self.assertRaisesRegex(report.Mistake, "two results of auto on toy, shuffle 1.*another --output"):
            report.read_errors(twice, [data_set()])


class Markdown(unittest.TestCase):
    def report(self, sets, made, leaders=("auto", "soba-ovr"), other=None):
        return report.markdown(sets, report.read_errors(made, sets), list(leaders), other)

    def test_best_is_chosen_on_odd_and_compared_on_even_shuffles(self):
        made = (rows("toy", "auto", 50, 12, 50, 13) + rows("toy", "bpa", 1, 10, 1, 11)
                + rows("toy", "soba", 2, 0, 2, 0))
        text = self.report([data_set(rounds=400, rows=1000)], [one | {"rounds": 400} for one in made])
        # 12.5 against 10.5; the differences are 2 and 2.
        self.assertIn("| toy | 3 | 1,234 | 400 of 1,000 | 4 | 12.50 ± 0.50 | – | bpa: 10.50 ± 0.50 | 1.190 | "
                      "+2.000 [+2.000, +2.000] | loss |", text)
        self.assertIn("| auto / best single | 1 | 1.190 | 0 | 0 | 1 | toy, +19.0 % |", text)
        # Means over all shuffles, the lowest of which is soba's 1.
        self.assertIn("| soba | 1.000 | 1 | 1.00 |", text)
        self.assertIn("| bpa | 5.750 | 1 | 5.75 |", text)
        self.assertIn("| auto | 31.250 | 1 | 31.25 |", text)

    def test_auto_is_no_single_learner_and_soba_ovr_is_one(self):
        made = rows("toy", "auto", 1, 1, 1, 1) + rows("toy", "soba-ovr", 2, 2, 2, 2) + rows("toy", "bpa", 4, 4, 4, 4)
        text = self.report([data_set()], made)
        self.assertIn("| 1.00 ± 0.00 | 2.00 ± 0.00 | soba-ovr: 2.00 ± 0.00 | 0.500 |", text)
        self.assertIn("| auto / best single | 1 | 0.500 | 1 | 0 | 0 | none |", text)
        self.assertIn("| soba-ovr / best single | 1 | 1.000 | 0 | 1 | 0 | none |", text)
        self.assertIn("### soba-ovr against the best single learner", text)

    def test_geometric_mean_is_over_the_sets(self):
        made = [*rows("a", "auto", 1, 2, 1, 2), *rows("a", "bpa", 1, 1, 1, 1),
                *rows("b", "auto", 8, 8, 8, 8), *rows("b", "bpa", 1, 1, 1, 1)]
        text = self.report([data_set("a"), data_set("b")], made)
        self.assertIn("| auto / best single | 2 | 4.000 | 0 | 0 | 2 | b, +700.0 % |", text)
        self.assertIn("| bpa | 1.000 | 2 | 1.00 | 1.00 |", text)

    def test_learner_that_left_sets_out_comes_last(self):
        made = [*rows("a", "auto", 5, 5, 5, 5), *rows("a", "bpa", 1, 1, 1, 1), *rows("b", "auto", 5, 5, 5, 5)]
        sets = [data_set("a", learners=["auto", "bpa"], skipped={"newtron": "too slow"}),
                data_set("b", learners=["auto", "bpa"], skipped={"newtron": "too slow"})]
        text = self.report(sets, made)
        self.assertLess(text.index("| auto | 2.236 | 2 |"), text.index("| bpa | 1.000 | 1 | 1.00 | – |"))
        self.assertIn("- newtron on a, b: too slow\n", text)
        self.assertIn("- bpa on b: not all shuffles have a result\n", text)

    def test_other_tool_counts_by_its_best_mode(self):
        made = [*rows("a", "auto", 9, 11, 9, 11), *rows("b", "auto", 10, 10, 10, 10),
                *rows("c", "auto", 10, 10, 10, 10), *rows("d", "auto", 1, 1, 1, 1)]
        other = {"a": {"greedy": 40, "cover": 20}, "b": {"greedy": 5}, "c": {"cover": 10.2}, "z": {"greedy": 1}}
        text = self.report(list(map(data_set, "abcd")), made, other=("VW", other))
        self.assertIn("| data set | auto | VW greedy | VW cover | ratio | verdict |", text)
        self.assertIn("| a | 10.00 ± 0.58 | 40 | 20 | 0.500 | win |", text)
        self.assertIn("| b | 10.00 ± 0.00 | 5 | – | 2.000 | loss |", text)
        self.assertIn("| c | 10.00 ± 0.00 | – | 10.2 | 0.980 | tie |", text)
        self.assertIn("| auto / best of VW | 3 | 0.993 | 1 | 1 | 1 | b, +100.0 % |", text)
        self.assertIn("Not played here: z.", text)

    def test_nothing_played_is_a_mistake(self):
        with self.assertRaises(report.Mistake):
            self.report([data_set()], rows("toy", "auto", 1, 2))


class Other(unittest.TestCase):
    def read(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            path.write_text(text, encoding="utf-8")
            return report.read_other(path)

    def test_reads_json_and_csv_alike(self):
        entries = [{"data": "a", "mode": "x", "error": 1.5}, {"data": "a", "mode": "y", "error": 2}]
        found = {"a": {"x": 1.5, "y": 2.0}}
        self.assertEqual(self.read("vw.json", json.dumps(entries)), ("vw", found))
        self.assertEqual(self.read("vw.json", json.dumps({"tool": "VW 9", "rows": entries})), ("VW 9", found))
        self.assertEqual(self.read("vw.csv", "data,mode,error\na,x,1.5\na,y,2\n"), ("vw", found))

    def test_says_what_is_wrong(self):
        for name, text, words in (("a.json", "{", "expected rows"), ("a.json", '[{"data": "a"}]', "error"),
                                  ("a.csv", "data,mode,error\na,x,101\n", "percentage"),
                                  ("a.csv", "data,mode,error\na,x,nan\n", "percentage"),
                                  ("a.csv", "data,mode,error\na,x,1\na,x,1\n", "twice")):
            with self.subTest(text=text), self.assertRaisesRegex(report.Mistake, words):
                self.read(name, text)


if __name__ == "__main__":
    unittest.main()
