#!/usr/bin/env python3
"""How often the intervals of soba evaluate hold: logs of four loggers, made from Covertype.

    SOBA=build/release/bin/soba python3 experiments/evaluation/coverage.py [--logs 200] [--decisions 1000]

Prints a table, and fails where a 95 % betting interval holds in fewer than 181 of 200 logs, or that share of others.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

import logs

SOBA = os.environ.get("SOBA", "build/release/bin/soba")
LEAST = 181 / 200


def evaluated(path):
    done = subprocess.run([SOBA, "evaluate", path, "--policy", "target", "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def cell(name, gamma, x, y, count, decisions, target, weak, folder):
    """Of `count` logs: how often each interval holds, its mean width, and how often the program refuses."""
    right = logs.labels_of(target, x) == y
    truth = right.mean()
    held = {"betting": [], "delta": [], "cressie_read": [], "difference": []}
    refused = 0
    for number in range(count):
        draw = numpy.random.default_rng([number, int(1000 * gamma), len(name)])
        rows = draw.integers(0, len(y), decisions)
        if name == "adaptive":
            played, p = logs.log_adaptive(draw, x[rows], y[rows], gamma)
        else:
            played, p = logs.log_fixed(draw, logs.labels_of(weak, x[rows]), gamma)
        path = folder / "log.jsonl"
        logs.write_log(path, played, p, y[rows], logs.labels_of(target, x[rows]))
        found = evaluated(path)
        if not found["policies"] or "refused" in found["policies"][1]:
            refused += 1
            continue
        one = found["policies"][1]
        # What the logger's own policy was worth on these very decisions, in expectation over its draws.
        if name == "adaptive":
            own = (played == y[rows]).mean()
        else:
            greedy_right = (logs.labels_of(weak, x) == y).mean()
            own = (1 - gamma) * greedy_right + gamma / logs.CLASSES
        for key, low, high, value in (
                ("betting", one["lower"], one["upper"], truth),
                ("delta", one["approximate_lower"], one["approximate_upper"], truth),
                ("cressie_read", *one["cressie_read_interval"], truth),
                ("difference", *one["difference_interval"], truth - own)):
            held[key].append((low <= value <= high, high - low))
    return held, refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--logs", type=int, default=200)
    parser.add_argument("--decisions", type=int, default=1000)
    parser.add_argument("--examples", type=int, default=60000, help="of Covertype's first ones")
    arguments = parser.parse_args()
    x, y = logs.covtype(arguments.examples)
    weak, target = logs.taught(x[:150], y[:150]), logs.taught(x[1000:6000], y[1000:6000])
    print(f"{arguments.logs} logs of {arguments.decisions} decisions each; the target is right in "
          f"{100 * (logs.labels_of(target, x) == y).mean():.2f} %, the loggers' greedy label in "
          f"{100 * (logs.labels_of(weak, x) == y).mean():.2f} %. Coverage / mean width, in %:\n")
    print("| logger | betting | delta SNIPS | Cressie-Read | difference, betting | refused |\n|---|---|---|---|---|---|")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for name, gamma in (("uniform", 1.0), ("γ = .3", 0.3), ("γ = .05", 0.05), ("adaptive", 0.3)):
            held, refused = cell(name, gamma, x, y, arguments.logs, arguments.decisions, target, weak,
                                 pathlib.Path(folder))
            texts = []
            for values in held.values():
                share, width = numpy.mean(values, 0)
                texts.append(f"{100 * share:.1f} / {100 * width:.1f}")
            print(f"| {name} | {' | '.join(texts)} | {refused} |", flush=True)
            good &= sum(hold for hold, _ in held["betting"]) + refused >= LEAST * arguments.logs
    print("\n95 % betting intervals hold often enough: " + ("ok" if good else "MISSED"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
