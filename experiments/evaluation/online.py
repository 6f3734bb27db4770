#!/usr/bin/env python3
"""Question 2 against the truth: the error that soba evaluate finds for a learner, and its true error online.

    SOBA=build/release/bin/soba python3 experiments/evaluation/online.py [--logs 100] [--decisions 14000]

Logs of three loggers are made from Covertype, as in coverage.py. The truth is the mean error of the learner over its
first n' rounds, n' as accepted, in true runs on the same examples. Fails where that is within the learner's own
interval in fewer than 88 of 100 logs, or that share of others.
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
LEARNERS = ["banditron:gamma=0.1", "auto"]


def soba(*arguments):
    done = subprocess.run([SOBA, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout


def true_curves(learner, data, runs, rounds, folder):
    """Rounds, and the mean share of right labels up to each, over several orders of the data."""
    name, _, options = learner.partition(":")
    flags = [word for option in options.split(",") if option
             for word in ("--" + option.split("=")[0], option.split("=")[1])]
    curves = []
    for seed in range(runs):
        curve = folder / "curve.csv"
        soba("run", data, "--learner", name, *flags, "--shuffle", 1000 + seed, "--seed", 1000 + seed,
             "--limit", rounds, "--curve", curve, "--quiet")
        rows = numpy.genfromtxt(curve, delimiter=",", names=True)
        curves.append(1 - rows["error"])
    return rows["round"], numpy.mean(curves, 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--logs", type=int, default=100)
    parser.add_argument("--decisions", type=int, default=14000)
    parser.add_argument("--examples", type=int, default=60000, help="of Covertype's first ones")
    parser.add_argument("--runs", type=int, default=30, help="true runs")
    arguments = parser.parse_args()
    x, y = logs.covtype(arguments.examples)
    weak = logs.taught(x[:150], y[:150])
    good = True
    print("| logger | learner | accepted | true error | bias | within its interval |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data, log = folder / "data.jsonl", folder / "log.jsonl"
        with open(data, "w", encoding="utf-8") as out:
            for row, label in zip(x, y):
                named = {f"c{j}": round(float(value), 4) for j, value in enumerate(row)}
                out.write(json.dumps({"label": int(label) + 1, "x": named}) + "\n")
        truths = {learner: true_curves(learner, data, arguments.runs, 4000, folder) for learner in LEARNERS}
        for logger, gamma in (("uniform", 1.0), ("γ = .3", 0.3), ("adaptive", 0.4)):
            found = {learner: [] for learner in LEARNERS}
            for number in range(arguments.logs):
                draw = numpy.random.default_rng([number, int(1000 * gamma), 7])
                rows = draw.choice(len(y), arguments.decisions, replace=False)
                if logger == "adaptive":
                    played, p = logs.log_adaptive(draw, x[rows], y[rows], gamma)
                else:
                    played, p = logs.log_fixed(draw, logs.labels_of(weak, x[rows]), gamma)
                logs.write_log(log, played, p, y[rows], None, x[rows])
                told = json.loads(soba("evaluate", log, "--as", "online", "--seed", number + 1, "--json",
                                       *[word for learner in LEARNERS for word in ("--learner", learner)]))
                for learner, one in zip(LEARNERS, told["policies"][1:]):
                    if "refused" in one:
                        sys.exit(one["refused"])
                    truth = numpy.interp(one["rounds"], *truths[learner])
                    found[learner].append((one["rounds"], truth, one["ips"] - truth, one["lower"] <= truth <= one["upper"]))
            for learner in LEARNERS:
                rounds, truth, bias, held = numpy.mean(found[learner], 0)
                print(f"| {logger} | {learner} | {rounds:.0f} | {100 * (1 - truth):.1f} | {-100 * bias:+.1f} | "
                      f"{held * arguments.logs:.0f} of {arguments.logs} |", flush=True)
                good &= held >= 0.88
    print("\nthe true error is within the interval often enough: " + ("ok" if good else "MISSED"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
