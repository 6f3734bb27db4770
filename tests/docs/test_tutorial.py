"""Runs every command of docs/tutorial.md, in order and in one folder, and compares what it prints.

    SOBA=build/release/bin/soba python3 -B tests/docs/test_tutorial.py --write

puts what this program prints into the document instead.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "tutorial.md"
BLOCK = re.compile(r"(?<=```console\n).*?(?=```)", re.S)
# What differs from run to run: time, speed and memory.
MEASURED = re.compile(r"^  (speed|memory) .*", re.M)
LONG = re.compile(r"-?\d+\.\d{4,}(e-?\d+)?")  # the last digits depend on the CPU


def comparable(text):
    return LONG.sub(lambda match: f"{float(match.group()):.3g}", MEASURED.sub(r"  \1", text))


def parts(block):
    """The commands of a block, each with what it is said to print. A here-document ends with END."""
    found, open_document = [], False
    for line in block.splitlines(keepends=True):
        if open_document:
            found[-1][0] += line
            open_document = line != "END\n"
        elif line.startswith("$ "):
            found.append([line[2:], ""])
            open_document = "<<END" in line
        else:
            found[-1][1] += line
    return found


def played(command, folder):
    # One kernel of OpenBLAS, so that sums are rounded alike on every CPU.
    environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", PYTHONDONTWRITEBYTECODE="1",
                       OPENBLAS_CORETYPE="Haswell")
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout


def outputs(document):
    """(command, printed, said) for every command of the document."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/bin")
        os.symlink(os.path.abspath(os.environ["SOBA"]), f"{folder}/bin/soba")
        os.symlink(ROOT / "tests", f"{folder}/tests")
        return [(command, played(command, folder), said)
                for block in BLOCK.findall(document) for command, said in parts(block)]


class Tutorial(unittest.TestCase):
    maxDiff = None

    def test_every_command_prints_what_is_said(self):
        results = outputs(DOCUMENT.read_text(encoding="utf-8"))
        self.assertGreater(len(results), 10)
        for command, printed, said in results:
            with self.subTest(command=command):
                self.assertEqual(comparable(printed), comparable(said))


def write():
    text = DOCUMENT.read_text(encoding="utf-8")
    results = iter(outputs(text))

    def filled(match):
        return "".join(f"$ {command}{next(results)[1]}" for command, _ in parts(match.group()))

    DOCUMENT.write_text(BLOCK.sub(filled, text), encoding="utf-8")


if __name__ == "__main__":
    write() if sys.argv[1:] == ["--write"] else unittest.main()
