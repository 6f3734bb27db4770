import csv
import gzip
import io
import json
import re
import unittest

from program import ProgramTest, soba
from rows import lines, row, sweep

SEEDS = [row(grid={"gamma": gamma}, seed=seed, error=error + seed / 100)
         for gamma, error in ((0.5, 0.4), (0.25, 0.2)) for seed in (1, 2, 3)]


def page_data(page):
    found = re.search(r'<script type="application/json" id="report">(.*?)</script>', page, re.S)
    return json.loads(found.group(1))


class Report(ProgramTest):
    def csv(self, rows):
        text = self.ok("report", self.write("rows.jsonl", lines(rows)), "--format", "csv")
        return list(csv.DictReader(io.StringIO(text)))

    def test_csv_has_a_line_for_each_grid_point(self):
        low, high = self.csv(SEEDS)
        self.assertEqual((low["grid.gamma"], high["grid.gamma"]), ("0.25", "0.5"))
        self.assertEqual((low["best"], high["best"]), ("1", "0"))
        self.assertEqual(low["seeds"], "3")
        self.assertAlmostEqual(float(low["error"]), 0.22)
        # t with 2 degrees of freedom is 4.3027; the deviation 0.01
        self.assertAlmostEqual(float(low["error_ci95"]), 4.30265 * 0.01 / 3**0.5, places=6)
        self.assertEqual(low["greedy_error_ci95"], "0")
        self.assertEqual(low["rounds_per_second"], "200")
        self.assertEqual(low["paper_percent"], "")

    def test_one_seed_has_no_confidence(self):
        [only] = self.csv([row()])
        self.assertEqual((only["error"], only["error_ci95"]), ("0.25", ""))

    def test_the_order_of_rows_changes_nothing(self):
        self.assertEqual(self.csv(SEEDS), self.csv(SEEDS[::-1]))

    def test_markdown(self):
        text = self.ok("report", self.write("rows.jsonl", lines(SEEDS)), "--format", "md",
                       "--title", "A | B")
        self.assertTrue(text.startswith("# A | B\n"))
        self.assertIn("## Toy\n", text)
        self.assertIn("100 rounds, 4 classes, 10 features; 6 runs", text)
        self.assertIn("| soba | gamma 0.25 | 22.00 ± 2.48 | 12.00 ± 0.00 | 22 | 200 | 3 |\n", text)
        self.assertIn("| 0.5 | 42.00 ± 2.48 |\n", text)
        widths = {line.count("|") for line in text.splitlines() if line.startswith("|")}
        self.assertEqual(widths, {8, 3})

    def test_a_bar_in_a_name_stays_in_its_cell(self):
        text = self.ok("report", self.write("rows.jsonl", lines([row(contender="a|b")])),
                       "--format", "md")
        self.assertIn("| a\\|b |", text)

    def test_the_paper_stands_beside_what_it_speaks_of(self):
        def paper(**changes):
            return self.csv([row(**{"name": "SynNonSep", "contender": "sobadiag",
                                    "rounds": 10**6, **changes})])[0]["paper_percent"]
        self.assertEqual(paper(), "5.94")
        self.assertEqual(paper(rounds=10**5), "")
        self.assertEqual(paper(contender="soba"), "")
        self.assertEqual(paper(name="SynSep"), "")
        text = self.ok("report", self.write("rows.jsonl", lines(sweep())), "--format", "md")
        self.assertRegex(text, r"\| pnewtron .* never better than 57 % \|")

    def test_page(self):
        rows = self.write("rows.jsonl", lines(sweep()))
        done = soba("report", rows, cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertEqual(done.stderr, "soba: written to report.html\n")
        page = self.read("report.html")
        self.assertLess(len(page), 2_000_000)
        data = page_data(page)
        self.assertEqual(data["title"], "Results on SynNonSep, Reuters4 and Covertype")
        self.assertEqual([one["name"] for one in data["data"]],
                         ["SynNonSep", "Reuters4", "Covertype"])
        self.assertEqual(data["csv"], self.ok("report", rows, "--format", "csv"))

    def test_names_cannot_break_out_of_the_page(self):
        name = "</script><script>alert(1)</script><!--"
        self.ok("report", self.write("rows.jsonl", lines([row(name=name)])), "--output",
                self.path("page.html"))
        page = self.read("page.html")
        self.assertNotIn(name, page)
        self.assertEqual(page_data(page)["data"][0]["name"], name)

    def test_output_and_quiet(self):
        rows = self.write("rows.jsonl", lines(SEEDS) + '{"format":1,')
        done = soba("report", rows, "--format", "csv", "--output", self.path("out.csv"), "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(self.read("out.csv"), self.ok("report", rows, "--format", "csv"))
        self.assertIn("input", self.fails(2, "report", rows, "--output", rows))
        self.assertIn("input", self.fails(2, "report", self.path("out.csv"), rows, "--output",
                                          rows))

    def test_a_torn_last_line_is_left_out(self):
        whole = lines(SEEDS)
        for cut in (1, 30, len(lines(SEEDS[:1])) - 2):
            path = self.write("torn.jsonl", whole + lines(SEEDS[:1])[:cut])
            done = soba("report", path, "--format", "csv")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("torn.jsonl:7: left out, it is incomplete", done.stderr)
        complete = self.write("complete.jsonl", whole.rstrip("\n"))
        self.assertEqual(soba("report", complete, "--format", "csv").stderr, "")
        self.fails(3, "report", self.write("bad.jsonl", '{"format":1,\n'), "--format", "csv")

    def test_bad_lines_are_named(self):
        good = row()
        curve = good["curve"]
        for bad, words in (
            ("{}", '"format" is missing'),
            ("[1]", "a JSON object"),
            ("", "not JSON"),
            ('{"format":1 "soba"}', "rows.jsonl:2:13: this is not JSON"),
            ({"format": 3}, "format 3"),
            ({"soba": 1}, '"soba" must be a text, found 1'),
            ({"contender": ""}, '"contender" is empty'),
            ({"feedback": "none"}, '"feedback"'),
            ({"grid": [1]}, '"grid" must be an object'),
            ({"grid": {"gamma": None}}, '"gamma" must be a number or a word, found null'),
            ({"rounds": 0}, '"rounds" must be a whole number from 1, found 0'),
            ({"seed": -1}, '"seed"'),
            ({"number": 0}, '"number"'),
            ({"mistakes": 2.5}, '"mistakes"'),
            ({"error": 0.5}, '"error" is not 25 mistakes in 100 rounds'),
            ({"greedy_mistakes": 101}, '"greedy_error"'),
            ({"curve": {}}, '"round" is missing'),
            ({"curve": {**curve, "round": curve["round"][:-1]}}, "the same length"),
            ({"curve": {**curve, "round": curve["round"][::-1]}}, "ascend"),
            ({"curve": {**curve, "mistakes": curve["mistakes"][:-1] + [26]}}, "not the result"),
            ({"curve": {**curve, "mistakes": [2] + curve["mistakes"][1:]}}, "more mistakes"),
            ({"measured": {}}, '"learn_seconds" is missing'),
        ):
            with self.subTest(bad=bad):
                text = bad if isinstance(bad, str) else json.dumps({**good, **bad})
                path = self.write("rows.jsonl", lines([good]) + text + "\n")
                error = self.fails(3, "report", path, "--format", "csv")
                self.assertIn("rows.jsonl:2:", error)
                self.assertIn(words, error)

    def test_every_key_is_needed(self):
        for key in row():
            if key == "constant_error":
                continue  # rows of older programs lack it
            short = row()
            del short[key]
            error = self.fails(3, "report", self.write("rows.jsonl", lines([short])))
            self.assertIn(f'"{key}" is missing', error)

    def test_a_run_counts_once(self):
        one, two = self.write("one.jsonl", lines(SEEDS)), self.write("two.jsonl", lines(SEEDS))
        done = soba("report", one, two, "--format", "csv")
        self.assertEqual(done.stdout, self.ok("report", one, "--format", "csv"))
        self.assertIn("left out 6 rows of runs that came before", done.stderr)
        other = self.write("other.jsonl", lines([row(grid={"gamma": 0.5}, error=0.3)]))
        error = self.fails(3, "report", one, other)
        self.assertIn("other.jsonl:1: the same run as", error)
        self.assertIn("one.jsonl:1 with another result (30 mistakes instead of 41)", error)

    def test_contradictions(self):
        for other, words in (
            (row(seed=2, rounds=200), "'Toy' has 200 rounds"),
            (row(seed=2, classes=5), "5 classes"),
            (row(seed=2, learner="banditron"), "'soba' is banditron (bandit), but soba"),
            (row(seed=2, feedback="full information"), "full information"),
            (row(key="another", command="another"), "seed 1 ('another') is a different run from the one at"),
        ):
            with self.subTest(words=words):
                error = self.fails(3, "report", self.write("rows.jsonl", lines([row(), other])))
                self.assertIn("rows.jsonl:2: ", error)
                self.assertIn(words, error)
                self.assertIn("rows.jsonl:1\n", error)

    def test_nothing_to_report(self):
        empty = self.write("empty.jsonl", "")
        self.assertIn("no result rows in", self.fails(3, "report", empty))
        self.assertIn("none.jsonl", self.fails(3, "report", self.path("none.jsonl")))
        self.assertIn("RESULTS", self.fails(2, "report"))
        self.fails(2, "report", empty, "--format", "pdf")
        self.ok("report", empty, self.write("rows.jsonl", lines(SEEDS)), "--format", "csv")

    def test_compressed_and_standard_input(self):
        text = lines(SEEDS)
        (self.folder / "rows.gz").write_bytes(gzip.compress(text.encode()))
        plain = self.ok("report", self.write("rows.jsonl", text), "--format", "csv")
        self.assertEqual(self.ok("report", self.path("rows.gz"), "--format", "csv"), plain)
        self.assertEqual(self.ok("report", "-", "--format", "csv", stdin=text), plain)


if __name__ == "__main__":
    unittest.main()
