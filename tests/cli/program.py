"""Runs the program under test: the path is in the environment variable SOBA."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

SOBA = os.environ["SOBA"]


def soba(*arguments, stdin="", **keywords):
    """The finished process of `soba ARGUMENTS`, with text output."""
    return subprocess.run(
        [SOBA, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        **keywords,
    )


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own and with the questions that most tests ask."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def path(self, name):
        return str(self.folder / name)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.path(name)

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def ok(self, *arguments, stdin=""):
        """Standard output of a run that must succeed."""
        done = soba(*arguments, stdin=stdin)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def json(self, *arguments, stdin=""):
        return json.loads(self.ok(*arguments, "--json", stdin=stdin))

    def fails(self, code, *arguments, stdin="", **keywords):
        """Standard error of a run that must fail with this exit code, and with a message."""
        done = soba(*arguments, stdin=stdin, **keywords)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertRegex(done.stderr, "(?m)^soba: ")
        return done.stderr
