"""Holds the results of `soba reproduce` against expected.json.

    build/release/bin/soba reproduce --quick
    python3 experiments/figure1/check.py reproduction/quick/results.jsonl --size quick

Run from the project's root, after `make build`. A data set that was not played is left out, and said so. Exits 1
where a mean error lies outside its expected range.
"""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def read_points(program, results):
    """The points of each data set's contenders: {"SynSep": [row of the CSV, …]}."""
    report = subprocess.run([program, "report", results, "--format", "csv", "--quiet"], check=False,
                            stdout=subprocess.PIPE, text=True)
    if report.returncode != 0:
        sys.exit(2)  # the program has said why
    points = {}
    for row in csv.DictReader(report.stdout.splitlines()):
        points.setdefault(row["name"], []).append(row)
    return points


def number(text):
    """What "2^-6" or "0.5" stands for."""
    base, _, exponent = text.partition("^")
    return float(base) ** int(exponent or 1)


def at(where, row):
    """Whether a row is the one that "error", or "gamma 2^-6", speaks of."""
    if where == "error":
        return row["best"] == "1"
    option, value = where.split()
    grid = row.get(f"grid.{option}")
    return bool(grid) and float(grid) == number(value)


def check(name, expected, rows):
    """Prints a line for each range of a data set; returns how many were missed."""
    missed = 0
    for contender, ranges in expected.items():
        for where, (low, high) in ranges.items():
            errors = [100 * float(row["error"]) for row in rows
                      if row["contender"] == contender and at(where, row)]
            ok = len(errors) == 1 and low <= errors[0] <= high
            missed += not ok
            found = f"{errors[0]:.3f}" if errors else "–"
            print(f"{name:<19}{contender:<13}{where:<13}{found:>9}  {low:g} to {high:g} "
                  f"{'ok' if ok else 'MISSED'}")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", help="the result rows that soba reproduce has written")
    parser.add_argument("--size", choices=["quick", "full"], required=True)
    parser.add_argument("--program", default=os.environ.get("SOBA", "build/release/bin/soba"))
    arguments = parser.parse_args()

    expected = json.loads((HERE / "expected.json").read_text())[arguments.size]
    points = read_points(arguments.program, arguments.results)
    print(f"{'data set':<19}{'learner':<13}{'at':<13}{'played %':>9}  expected")
    missed = sum(check(name, expected[name], points[name]) for name in expected if name in points)
    for name in expected:
        if name not in points:
            print(f"{name}: was not played; left out")
    for name in points:
        if name not in expected:
            print(f"{name}: nothing is expected of it; left out")
    if not expected.keys() & points.keys():
        print("nothing was checked", file=sys.stderr)
        return 2
    return 1 if missed else 0


sys.exit(main())
