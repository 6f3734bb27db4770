import json
import re
import shutil
import subprocess
import unittest

from program import ProgramTest

COMPLETE = """
source {script}
COMP_WORDS=({words})
COMP_CWORD={place}
_soba
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


class Completion(ProgramTest):
    def complete(self, *words):
        script = self.write("soba.bash", self.ok("help", "--completion"))
        command = COMPLETE.format(script=script, words=" ".join(f"'{word}'" for word in ["soba", *words]),
                                  place=len(words))
        done = subprocess.run(["bash", "-uc", command], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_verbs_options_learners_choices_and_files(self):
        self.assertEqual(self.complete("re"), ["report", "reproduce"])
        self.assertEqual(self.complete("run", "--che"), ["--checkpoint-every"])
        self.assertEqual(self.complete("run", "--learner", "sobad"), ["sobadiag"])
        self.assertEqual(self.complete("run", "--scale", "m"), ["maxabs", "minmax"])
        self.assertEqual(self.complete("algorithms", "aut"), ["auto"])
        self.assertEqual(self.complete("help", "gen"), ["generate"])
        self.write("history.csv", "")
        self.assertEqual(self.complete("run", "hist"), ["history.csv"])


class Manual(ProgramTest):
    def test_every_verb_and_option_is_in_it(self):
        page = self.ok("help", "--man").replace("\\-", "-")
        for verb in ("run", "sweep", "predict", "decide", "convert reuters4", "report"):
            self.assertIn(f".SS soba {verb} ", page)
        for option in ("--learner", "--gamma", "--scale", "--skip-bad", "--plan", "--probabilities"):
            self.assertIn(f"\\fB{option}\\fR", page)
        for learner in json.loads(self.ok("algorithms", "--json")):
            self.assertIn(learner["name"], page)

    @unittest.skipUnless(shutil.which("man"), "needs man")
    def test_man_understands_it(self):
        path = self.write("soba.1", self.ok("help", "--man"))
        done = subprocess.run(["man", "--warnings", "--local-file", "-Tutf8", path], capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("soba run DATA", re.sub(".\b", "", done.stdout))  # bold is struck twice


if __name__ == "__main__":
    unittest.main()
