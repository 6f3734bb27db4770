"""Compares every learner on four data sets: at its defaults, and at the best exploration rate of a grid.

    python3 experiments/comparison/run.py                  everything, checked against expected.json
    python3 experiments/comparison/run.py --markdown       the tables of docs/results.md
    python3 experiments/comparison/run.py --set Covertype --learner auto --learner bpa
    python3 experiments/comparison/run.py --resume FILE    goes on where an earlier run of the same program stopped

Run from the project's root, after `make build`. The rate is chosen by the played error of one run (seed 1); the
numbers shown are means over all runs. A data set whose file is not there is left out, and said so. Exits 1 where
a mean lies outside its expected range.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


class Runner:
    """Runs the program, several runs at a time, and remembers what came out in a JSON Lines file."""

    def __init__(self, program, workers, resume):
        self.program = program
        self.pool = concurrent.futures.ThreadPoolExecutor(workers)
        self.file = pathlib.Path(resume) if resume else None
        self.known = {}
        self.version = hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()[:16]
        if self.file and self.file.exists():
            for line in self.file.read_text().splitlines():
                row = json.loads(line)
                if row["program"] == self.version:
                    self.known[row["command"]] = row["result"]

    def start(self, arguments):
        return self.pool.submit(self.run, arguments)

    def run(self, arguments):
        command = " ".join(arguments)
        if command in self.known:
            return self.known[command]
        done = subprocess.run([self.program, "run", *arguments, "--json", "--quiet"], check=False,
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"soba run {command}: {done.stderr.strip()}")
        result = json.loads(done.stdout)
        if self.file:
            with self.file.open("a") as out:
                out.write(json.dumps({"program": self.version, "command": command,
                                      "result": result}) + "\n")
        return result


def arguments_of(one, entry, more=()):
    data = [one["data"], *one["options"]]
    if entry.get("normalize") and "--normalize" not in data:
        data += ["--normalize", "l2"]
    limit = entry.get("limit", {}).get(one["name"])
    if limit and "--limit" not in data:
        data += ["--limit", str(limit)]
    return [*data, "--learner", entry["learner"], *entry.get("options", []), *more]


def compare(runner, settings, one, entry):
    """Starts the grid; returns a function that waits for it and for the runs at the best rate."""
    runs = 1 if one["name"] in entry.get("once", []) else one["runs"]
    repeat = ["--repeat", str(runs)] if runs > 1 else []
    default = runner.start(arguments_of(one, entry, repeat))
    grid = {}
    if one["name"] not in entry.get("once", []) and "knob" in entry:
        for rate in entry.get("grid", settings["grid"]):
            knob = ["--" + entry["knob"], rate]
            grid[rate] = runner.start(arguments_of(one, entry, knob))

    def finish():
        row = {"name": entry["name"], "default": summary(default.result()), "best": None}
        if grid:
            rate = min(grid, key=lambda each: grid[each].result()["error"])
            knob = ["--" + entry["knob"], rate]
            best = runner.run(arguments_of(one, entry, knob + repeat))
            row["best"] = summary(best)
            row["rate"] = f"{entry['knob']} {rate}"
        row["rounds"] = entry.get("limit", {}).get(one["name"])
        return row

    return finish


def summary(result):
    each = result.get("runs", [result])
    mean = lambda key: sum(run[key] for run in each) / len(each)
    error = mean("error")
    spread = (sum((run["error"] - error) ** 2 for run in each) / max(1, len(each) - 1)) ** 0.5
    return {
        "error": 100 * error,
        "std": 100 * spread,
        "greedy": 100 * mean("greedy_error"),
        "speed": sorted(run["rounds_per_second"] for run in each)[len(each) // 2],
        "memory": max(run["peak_memory_bytes"] for run in each) / 1e6,
        "runs": len(each),
    }


def markdown(one, rows):
    print(f"\n### {one['name']}\n\n`soba run {' '.join([one['data'], *one['options']])} --learner …`\n")
    print("| learner | played % | ± std | greedy % | at its best rate | played % | greedy % "
          "| rounds/s | MB |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        default, best = row["default"], row["best"]
        name = row["name"] + (f" (first {row['rounds']:,} rounds)" if row["rounds"] else "")
        spread = f"{default['std']:.2f}" if default["runs"] > 1 else "–"
        found = (f"{row['rate']} | {best['error']:.2f} | {best['greedy']:.2f}" if best
                 else "– | – | –")
        print(f"| {name} | {default['error']:.2f} | {spread} | {default['greedy']:.2f} "
              f"| {found} | {default['speed']:,.0f} | {default['memory']:.0f} |", flush=True)


def plain(one, rows):
    print(f"\n{one['name']}: soba run {' '.join([one['data'], *one['options']])} --learner …")
    print(f"{'learner':<42}{'played %':>9}{'greedy %':>9}  {'best rate':<18}{'played %':>9}")
    for row in rows:
        best = f"{row['rate']:<18}{row['best']['error']:>9.2f}" if row["best"] else ""
        print(f"{row['name']:<42}{row['default']['error']:>9.2f}{row['default']['greedy']:>9.2f}"
              f"  {best}", flush=True)


def check(one, rows, all_learners):
    """The expected ranges that were missed, in words."""
    missed = []
    if all_learners:
        names = {row["name"] for row in rows}
        missed = [f"{one['name']}: nobody is called {name}"
                  for name in one.get("expected", {}) if name not in names]
    for row in rows:
        for which, (low, high) in one.get("expected", {}).get(row["name"], {}).items():
            found = row["default"]["greedy"] if which == "greedy" else (row[which] or {}).get("error")
            if found is not None and not low <= found <= high:
                missed.append(f"{one['name']}, {row['name']}, {which}: {found:.2f} is not in "
                              f"{low:g} to {high:g}")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.environ.get("SOBA", "build/release/bin/soba"))
    parser.add_argument("--set", help="only the data set of this name")
    parser.add_argument("--learner", action="append", help="only the learner of this name in the table")
    parser.add_argument("--defaults", action="store_true", help="leave out the grids")
    parser.add_argument("--rounds", type=int, help="play only so many rounds (nothing is checked)")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--resume", help="keep results in this file, and use those that are there")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()

    settings = json.loads((HERE / "expected.json").read_text())
    runner = Runner(arguments.program, arguments.workers, arguments.resume)
    missed, played = [], 0
    for one in settings["sets"]:
        if arguments.set not in (None, one["name"]):
            continue
        if "/" in one["data"] and not pathlib.Path(one["data"]).exists():
            print(f"\n{one['name']}: {pathlib.Path(one['data']).name} is not there; left out")
            continue
        if arguments.rounds:
            one["options"] += ["--limit", str(arguments.rounds)]
        entries = [entry for entry in settings["learners"]
                   if one["name"] in entry.get("sets", [one["name"]])
                   and (not arguments.learner or entry["name"] in arguments.learner)]
        if arguments.defaults:
            entries = [{key: entry[key] for key in entry if key != "knob"} for entry in entries]
        finishes = [compare(runner, settings, one, entry) for entry in entries]
        rows = [finish() for finish in finishes]
        (markdown if arguments.markdown else plain)(one, rows)
        if not arguments.rounds:
            missed += check(one, rows, not arguments.learner)
        played += len(rows)
    for words in missed:
        print(f"MISSED {words}", file=sys.stderr)
    if played == 0:
        print("nothing was played", file=sys.stderr)
        return 2
    return 1 if missed else 0


sys.exit(main())
