import unittest

from program import ProgramTest, soba

VERBS = ["algorithms", "check", "convert", "convert reuters4", "decide", "evaluate", "generate", "inspect",
         "report", "reproduce", "run", "sweep"]


class Help(ProgramTest):
    def assert_narrow(self, text):
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_overview_names_every_verb(self):
        for arguments in ([], ["--help"], ["-h"], ["help"]):
            text = self.ok(*arguments)
            self.assert_narrow(text)
            for verb in VERBS:
                self.assertIn(f"  {verb} ", text)

    def test_every_verb_explains_itself_in_80_columns(self):
        for verb in VERBS:
            with self.subTest(verb=verb):
                text = self.ok(*verb.split(), "--help")
                self.assert_narrow(text)
                self.assertTrue(text.startswith(f"usage: soba {verb} "))
                self.assertIn("Examples:", text)
                self.assertEqual(text, self.ok("help", *verb.split()))

    def test_every_learner_option_is_a_flag(self):
        text = self.ok("run", "--help")
        for learner in self.json("algorithms"):
            for option in learner["options"]:
                self.assertIn(f"--{option['name']} ", text)

    def test_an_option_is_explained_in_the_words_of_each_learner(self):
        text = " ".join(self.ok("run", "--help").split())
        for learner in self.json("algorithms"):
            for option in learner["options"]:
                with self.subTest(learner=learner["name"], option=option["name"]):
                    start = text.index(f" --{option['name']} ")
                    self.assertIn(" ".join(option["help"].split()), text[start:])

    def test_version(self):
        self.assertRegex(self.ok("--version"), r"^soba \d+\.\d+\.\d+\n$")

    def test_help_wins_over_other_mistakes(self):
        self.assertEqual(soba("run", "--no-such-option", "--help").returncode, 0)


if __name__ == "__main__":
    unittest.main()
