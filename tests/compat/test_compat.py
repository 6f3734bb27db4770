"""Reads files of every format version and compares what they give with what was recorded.

make.py wrote the files, a folder for each version; they are never written again, so that every
later program must read them and resume their models as the program that wrote them did. Results
are compared to the bit, except for models whose "exact" is false in expected.json: their numbers
come from OpenBLAS or the C library, which may round differently on another CPU.
"""

import concurrent.futures
import csv
import io
import json
import lzma
import math
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))

from program import ProgramTest, soba  # noqa: E402

TOLERANCE = 1e-9  # relative
ROUNDED = {"probability", "gamma", "margin_sum"}  # columns of a trace, keys of a reply


def fixtures(kind):
    """The entries of this kind in every folder's list, each with its folder and a title."""
    for manifest in sorted(HERE.glob("v*/expected.json")):
        expected = json.loads(manifest.read_text(encoding="utf-8"))
        for entry in expected[kind]:
            title = f"{manifest.parent.name}/{entry['name']}"
            yield entry | {"folder": manifest.parent, "title": title}


def halves(text, header):
    """Two texts of about the same number of lines; each has the header line, if there is one."""
    lines = text.splitlines(keepends=True)
    top = "".join(lines[:1]) if header else ""
    lines = lines[1:] if header else lines
    middle = len(lines) // 2
    return top + "".join(lines[:middle]), top + "".join(lines[middle:])


def close(found, wanted):
    return math.isclose(float(found), float(wanted), rel_tol=TOLERANCE, abs_tol=1e-12)


def same_row(found, wanted, columns):
    """Equal cells, but for rounding in the columns of numbers that are not counts."""
    return len(found) == len(wanted) == len(columns) and all(
        one == other or name in ROUNDED and one and other and close(one, other)
        for one, other, name in zip(found, wanted, columns))


class CompatTest(ProgramTest):
    def each(self, kind, check):
        """Calls check(entry) for all entries of a kind, two at a time."""
        entries = list(fixtures(kind))
        self.assertTrue(entries)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            checks = [(entry["title"], pool.submit(check, entry)) for entry in entries]
            for title, done in checks:
                with self.subTest(title):
                    done.result()

    def own(self, entry):
        """A new folder for the files that the check of an entry writes."""
        folder = self.folder / entry["title"]
        folder.mkdir(parents=True)
        return folder

    def assert_same_csv(self, found, wanted, exact):
        """The same lines, but for rounding unless exact."""
        found, wanted = found.splitlines(), wanted.splitlines()
        columns = wanted[0].split(",")
        for number, (one, other) in enumerate(zip(found, wanted), start=1):
            if one != other and (exact or not same_row(one.split(","), other.split(","), columns)):
                self.fail(f"line {number} is {one}, and was {other}")
        self.assertEqual(len(found), len(wanted))

    def assert_inspected(self, model, recorded):
        """`soba inspect` prints all that was recorded; keys and options may have been added."""
        found = self.json("inspect", model)
        for key, wanted in recorded.items():
            if key == "options":
                found[key] = {name: found[key].get(name) for name in wanted}
            self.assertEqual(found[key], wanted, key)


class Models(CompatTest):
    def test_a_model_says_what_it_is(self):
        self.each("models", lambda entry: self.assert_inspected(entry["folder"] / entry["model"],
                                                                entry["inspect"]))

    def test_a_model_resumes_as_recorded(self):
        self.each("models", self.check_resumed)

    def check_resumed(self, entry):
        folder, here = entry["folder"], self.own(entry)
        self.ok("run", folder / entry["rest"], "--load", folder / entry["model"], "--quiet",
                "--trace", here / "trace", "--save", here / "model")
        wanted = lzma.decompress((folder / entry["trace"]).read_bytes()).decode()
        self.assert_same_csv((here / "trace").read_text(encoding="utf-8"), wanted, entry["exact"])
        self.assert_inspected(here / "model", entry["resumed"])

        # Interrupted halfway: the second half resumes a model that this program has saved.
        text = (folder / entry["rest"]).read_text(encoding="utf-8")
        suffix = pathlib.Path(entry["rest"]).suffix
        model = folder / entry["model"]
        traces = []
        for number, half in enumerate(halves(text, header=suffix == ".csv")):
            data, saved = here / f"half{number}{suffix}", here / f"model{number}"
            data.write_text(half, encoding="utf-8")
            self.ok("run", data, "--load", model, "--quiet", "--trace", here / "half", "--save",
                    saved)
            traces += (here / "half").read_text(encoding="utf-8").splitlines()[min(number, 1):]
            model = saved
        self.assertEqual(traces, (here / "trace").read_text(encoding="utf-8").splitlines())
        self.assertEqual(model.read_bytes(), (here / "model").read_bytes())


class Decisions(CompatTest):
    def test_pending_decisions_are_answered_as_recorded(self):
        self.each("decisions", self.check_decisions)

    def check_decisions(self, entry):
        folder, here = entry["folder"], self.own(entry)
        model = folder / entry["model"]
        self.assert_inspected(model, entry["inspect"])
        # The first part has no events: the model is loaded and saved, nothing more.
        found = ""
        events = (folder / entry["events"]).read_text(encoding="utf-8")
        for number, part in enumerate(["", *halves(events, header=False)]):
            saved = here / f"model{number}"
            found += self.ok("decide", "--load", model, "--save", saved, "--ack", "--quiet",
                             stdin=part)
            model = saved
        self.assert_replies(found, (folder / entry["replies"]).read_text(encoding="utf-8"),
                            entry["exact"])
        self.assert_inspected(model, entry["resumed"])

    def assert_replies(self, found, wanted, exact):
        found, wanted = ([json.loads(line) for line in text.splitlines()]
                         for text in (found, wanted))
        self.assertEqual(len(found), len(wanted))
        for reply, recorded in zip(found, wanted):
            for key, value in recorded.items():
                same = reply[key] == value or (
                    not exact and key in ROUNDED and close(reply[key], value))
                self.assertTrue(same, f"{key} of {reply}, which was {recorded}")


class Caches(CompatTest):
    def test_a_cache_gives_its_examples(self):
        self.each("caches", self.check_cache)

    def check_cache(self, entry):
        folder = entry["folder"]
        cache = folder / entry["cache"]
        found = self.ok("convert", cache, "-", "--to", entry["to"], *entry["back_options"],
                        "--quiet")
        self.assertEqual(found, (folder / entry["back"]).read_text(encoding="utf-8"))
        result = self.json("run", cache, *entry["run"], "--quiet")
        self.assertEqual({key: result[key] for key in entry["result"]}, entry["result"])


class Rows(CompatTest):
    def test_rows_are_reported(self):
        self.each("rows", self.check_rows)

    def check_rows(self, entry):
        """Every recorded column is there, line for line; there may be others."""
        folder, here = entry["folder"], self.own(entry)
        report = self.ok("report", folder / entry["rows"], "--format", "csv", "--quiet")
        found = list(csv.DictReader(io.StringIO(report)))
        wanted = list(csv.DictReader(io.StringIO((folder / entry["report"]).read_text("utf-8"))))
        self.assertEqual(len(found), len(wanted))
        for line, recorded in zip(found, wanted):
            self.assertEqual({name: line.get(name) for name in recorded}, recorded)
        page = here / "report.html"
        self.ok("report", folder / entry["rows"], "--output", page, "--quiet")
        self.assertIn("</html>", page.read_text(encoding="utf-8"))


class Runs(CompatTest):
    def test_trace_and_curve_of_a_run(self):
        self.each("runs", self.check_run)

    def check_run(self, entry):
        folder, here = entry["folder"], self.own(entry)
        done = soba("run", *entry["run"], "--trace", here / "trace", "--curve", here / "curve",
                    "--quiet", cwd=folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("trace", "curve"):
            self.assert_same_csv((here / name).read_text(encoding="utf-8"),
                                 (folder / entry[name]).read_text(encoding="utf-8"), exact=True)


if __name__ == "__main__":
    unittest.main()
