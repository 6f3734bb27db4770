import json
import unittest

from program import ProgramTest, soba


class Check(ProgramTest):
    def test_good_data(self):
        report = self.json("check", "synnonsep:n=500,seed=1")
        self.assertTrue(report["ok"])
        self.assertEqual((report["examples"], len(report["labels"])), (500, 9))
        self.assertEqual(sum(report["labels"].values()), 500)
        self.assertEqual((report["minimum"], report["maximum"]), (1, 1))
        self.assertIn("every line can be read", self.ok("check", "synnonsep:n=500,seed=1"))

    def test_bad_lines_fail_the_check(self):
        data = self.write("bad.libsvm", "1 1:1\n1 2:x\n2 1:1\nno\tgood : line\n")
        done = soba("check", data)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("bad.libsvm:2:", done.stdout)
        self.assertIn("2 lines", done.stdout)
        report = json.loads(soba("check", data, "--json").stdout)
        self.assertEqual((report["ok"], report["bad_lines"], report["examples"]), (False, 2, 2))

    def test_missing_file_is_bad_input(self):
        self.fails(3, "check", self.path("none.csv"))

    def test_warnings(self):
        def warnings(text):
            return " / ".join(self.json("check", self.write("data.libsvm", text))["warnings"])

        self.assertIn("'1' and '1.0' differ only in spelling", warnings("1 1:1\n1.0 2:1\n"))
        self.assertIn("'Yes' and 'yes'", warnings("Yes 1:1\nyes 2:1\n"))
        self.assertIn("scale maxabs evens them out", warnings("a 1:1 2:5000\nb 1:0.5 2:100\n"))
        self.assertIn("1 feature never used", warnings("a 1:1\nb 3:1\n"))
        self.assertEqual("", warnings("a 1:1\nb 2:1\n"))

    def test_columns(self):
        rows = "".join(f"{i},{'n/a' if i == 7 else i % 9},c{i % 3},{'ab'[i % 2]}\n" for i in range(200))
        data = self.write("data.csv", "id,size,kind,label\n" + rows)
        report = self.json("check", data)
        self.assertEqual([(c["name"], c["type"]) for c in report["columns"]],
                         [("id", "ignored"), ("size", "number"), ("kind", "category")])
        size = report["columns"][1]
        self.assertEqual((size["missing"], size["distinct"], size["minimum"], size["maximum"]),
                         (1, 9, 0, 8))
        self.assertIn("option 'only'", report["columns"][0]["found"])
        text = self.ok("check", data)
        self.assertIn("size: number, 9 distinct, 0.50 % missing, from 0 to 8", text)
        self.assertIn("id: ignored, 200 distinct (a different value in every row", text)
        self.assertEqual(report["features"], 4)
        self.assertEqual(self.json("check", data, "--ignore", "id", "--categorical", "size")["features"],
                         3 + 10)

    def test_a_strange_cell_in_a_numeric_column(self):
        rows = "".join(f"{i},{'ab'[i % 2]}\n" for i in range(200))
        data = self.write("data.csv", "n,label\n" + rows + "oops,a\n")
        done = soba("check", data)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("data.csv:202:1:", done.stdout)
        self.assertIn("data.csv:202:1: expected a number in column 'n'",
                      self.fails(3, "run", data, "--learner", "banditron"))
        for option in ("--missing", "--categorical"):
            self.ok("run", data, "--learner", "banditron", option,
                    "oops" if option == "--missing" else "n")

    def test_labels_do_not_rule_the_terminal(self):
        data = self.write("data.libsvm", "\033[31mred 1:1\nb 1:2\n")
        self.assertIn("\\x1b[31mred", self.ok("check", data))
        self.assertIn("\033[31mred", self.json("check", data)["labels"])
        data = self.write("data.libsvm", "a\x7f\u0085 1:1\nb 1:2\n")
        self.assertIn("a\\x7f\\x85", self.ok("check", data))
        self.assertIn("a\x7f\u0085", self.json("check", data)["labels"])  # JSON stays JSON

    def test_unit_norm(self):
        data = self.write("data.libsvm", "a 1:0.6 2:0.8\nb 1:1\n")
        self.assertTrue(self.json("check", data)["unit_norm"])
        self.assertIn("norm 1", self.ok("check", data))

    def test_an_example_without_a_label_is_bad(self):
        data = self.write("data.jsonl", '{"label":"a","x":[1]}\n{"x":[2]}\n{"label":"b","x":[1]}\n')
        report = json.loads(soba("check", data, "--json").stdout)
        self.assertEqual((report["bad_lines"], report["examples"]), (1, 2))
        self.assertIn("data.jsonl:2:", report["first_bad"])

    def test_nothing_to_learn_from_is_bad_input(self):
        for text, reason in (("", "no examples"), ("x : y\n" * 3, "3 bad lines left out"),
                             ("x : y\n", "(1 bad line left out"),
                             ("a 1:1\na 2:1\n", "two different labels"),
                             ("a 1:1\nb 2:x\n", "data.libsvm:2:")):
            with self.subTest(text=text):
                data = self.write("data.libsvm", text)
                self.assertIn(reason, self.fails(3, "check", data))

    def test_labels_that_never_come(self):
        data = self.write("data.libsvm", "a 1:1\nb 2:1\n")
        warnings = self.json("check", data, "--labels", "a,b,c")["warnings"]
        self.assertEqual(warnings, ["1 label of the given set never seen"])
        self.assertEqual(soba("check", data, "--labels", "a,c").returncode, 1)


if __name__ == "__main__":
    unittest.main()
