import pathlib
import unittest

from program import ProgramTest


class Algorithms(ProgramTest):
    def test_list(self):
        text = self.ok("algorithms")
        for words in ("soba", "banditron", "perceptron", "sobadiag", "full information", "bandit"):
            self.assertIn(words, text)
        for learner in self.json("algorithms"):
            self.assertRegex(text, rf"[ ,]{learner['name']}\b")
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_the_list_fits_a_screen_and_starts_with_auto(self):
        lines = self.ok("algorithms").splitlines()
        self.assertLessEqual(len(lines), 23)  # and the prompt
        self.assertEqual(lines[0], "start here:")
        self.assertRegex(lines[1], "^  auto +nothing to tune")
        groups = [line for line in lines if line.endswith(":")]
        self.assertEqual(groups, ["start here:", "with a guarantee:", "from the paper:",
                                  "baselines with full information:", "for study:", "aliases:"])

    def test_page_has_every_option(self):
        for learner in self.json("algorithms"):
            page = self.ok("algorithms", learner["name"])
            self.assertIn(learner["reference"].split(",")[0], page)
            for option in learner["options"]:
                self.assertIn(f"--{option['name']}\n", page)
                self.assertIn(f"default {option['default']}", page)
            for line in page.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_the_document_is_what_the_program_says(self):
        document = pathlib.Path(__file__).resolve().parents[2] / "docs" / "algorithms.md"
        self.assertEqual(self.ok("algorithms", "--markdown"), document.read_text(encoding="utf-8"),
                         "write it anew: soba algorithms --markdown > docs/algorithms.md")

    def test_every_learner_says_everything(self):
        for learner in self.json("algorithms"):
            for fact in ("summary", "group", "feedback", "explores", "guarantee", "cost", "input", "scale",
                         "about", "use", "deviations", "reference"):
                with self.subTest(learner=learner["name"], fact=fact):
                    self.assertTrue(learner[fact])

    def test_an_alias_shows_its_learner(self):
        self.assertEqual(self.json("algorithms", "sobadiag")["name"], "soba")

    def test_unknown_name(self):
        self.assertIn("soba", self.fails(2, "algorithms", "sobba"))


if __name__ == "__main__":
    unittest.main()
