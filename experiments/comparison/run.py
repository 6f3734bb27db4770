"""Compares every learner on four data sets: at its defaults, and at the best exploration rate of a grid.

    python3 experiments/comparison/run.py                  everything, checked against expected.json
    python3 experiments/comparison/run.py --markdown       the tables of docs/results.md
    python3 experiments/comparison/run.py --set Covertype --learner auto --learner bpa
    python3 experiments/comparison/run.py --results FILE   resumes with the same file

Run from the project's root, after `make build`. All runs are played by `soba sweep`. The rate is chosen by the
played error of one run (seed 1); the numbers shown are means over all runs. A data set whose file is not there is
left out, and said so; the environment variable SOBA_REUTERS4 says where the sample of Reuters4 is. Exits 1 where a mean lies outside its expected range.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent


class Sweeps:
    """Plays with `soba sweep`, one sweep after the other into one file of result rows."""

    def __init__(self, arguments, results, plan):
        self.arguments = arguments
        self.results = results
        self.plan = plan

    def data(self, one, entry):
        """The data set as this entry plays it, by a name that says what differs."""
        changes = dict(entry.get("data", {}))
        if self.arguments.rounds:
            changes["limit"] = self.arguments.rounds
        changes = {key: value for key, value in changes.items() if one["options"].get(key) != value}
        name = ", ".join([one["name"], *(f"{key} {value}" for key, value in changes.items())])
        return {"name": name, "data": os.path.expandvars(one["data"]), **one["options"], **changes}

    def play(self, one, contenders, runs):
        """Plays pairs of an entry and its grid with the seeds 1 to `runs`."""
        if not contenders:
            return
        data = {}
        learners = []
        for entry, grid in contenders:
            played = self.data(one, entry)
            data[played["name"]] = played
            learners.append({"name": entry["name"], "learner": entry["learner"], "grid": grid,
                             "options": entry.get("options", {}), "data": [played["name"]]})
        self.plan.write_text(json.dumps({"data": list(data.values()), "learners": learners,
                                         "seeds": f"1..{runs}"}))
        command = [self.arguments.program, "sweep", "--plan", self.plan, "--output", self.results]
        if self.arguments.workers:
            command += ["--workers", str(self.arguments.workers)]
        if subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode != 0:
            print("the sweep failed", file=sys.stderr)
            sys.exit(2)

    def rows(self, one, entry):
        """The result rows of an entry; those of its defaults have an empty grid."""
        name = self.data(one, entry)["name"]
        every = [json.loads(line) for line in self.results.read_text().splitlines()]
        return [row for row in every if (row["name"], row["contender"]) == (name, entry["name"])]


def compare(sweeps, settings, one, entries):
    """A line of the table for each entry."""
    # Defaults and grids apart: a default may be a point of the grid, and a sweep plays nobody twice.
    once = [(entry, {}) for entry in entries if entry.get("once")]
    often = [(entry, {}) for entry in entries if not entry.get("once")]
    grids = [(entry, {entry["knob"]: entry.get("grid", settings["grid"])})
             for entry in entries if "knob" in entry]
    sweeps.play(one, often, one["runs"])
    sweeps.play(one, once + grids, 1)
    best = {entry["name"]: best_point(sweeps.rows(one, entry)) for entry, _ in grids}
    sweeps.play(one, [(entry, best[entry["name"]]) for entry, _ in grids], one["runs"])
    return [table_line(sweeps.rows(one, entry), entry, best.get(entry["name"])) for entry in entries]


def best_point(rows):
    """The grid of the lowest error of seed 1; of equals, the smallest rate."""
    first = [row for row in rows if row["grid"] and row["seed"] == 1]
    return min(first, key=lambda row: (row["error"], *row["grid"].values()))["grid"]


def table_line(rows, entry, best):
    at = lambda grid: summary([row for row in rows if row["grid"] == grid])
    line = {"name": entry["name"], "default": at({}), "best": None}
    if "limit" in entry.get("data", {}):
        line["name"] += f" (first {rows[0]['rounds']:,} rounds)"
    found = {"default": line["default"]["error"], "greedy": line["default"]["greedy"]}
    if best:
        line["best"] = at(best)
        line["rate"] = rate_text(best)
        found["best"] = line["best"]["error"]
        found |= {rate_text(row["grid"]): at(row["grid"])["error"] for row in rows if row["grid"]}
    return line | {"entry": entry["name"], "found": found}


def rate_text(grid):
    return " ".join(f"{knob} {rate:g}" for knob, rate in grid.items())


def summary(rows):
    errors = [100 * row["error"] for row in rows]
    return {
        "error": statistics.mean(errors),
        "std": statistics.stdev(errors) if len(errors) > 1 else None,
        "greedy": statistics.mean(100 * row["greedy_error"] for row in rows),
        "speed": statistics.median(row["measured"]["rounds_per_second"] for row in rows),
        "model": statistics.mean(row["model_bytes"] for row in rows) / 1000,
    }


def cells(line):
    """The columns of the table, all of them text."""
    default, best = line["default"], line["best"]
    return [line["name"], f"{default['error']:.2f}",
            "–" if default["std"] is None else f"{default['std']:.2f}", f"{default['greedy']:.2f}",
            line["rate"] if best else "–", f"{best['error']:.2f}" if best else "–",
            f"{best['greedy']:.2f}" if best else "–", f"{default['speed']:,.0f}",
            f"{default['model']:,.0f}"]


COLUMNS = ["learner", "played %", "± std", "greedy %", "at its best rate", "played %", "greedy %",
           "rounds/s", "model kB"]


def command_of(one):
    options = [f"--{key} {value}" for key, value in one["options"].items()]
    return " ".join(["soba run", one["data"], *options, "--learner …"])


def markdown(one, lines):
    print(f"\n### {one['name']}\n\n`{command_of(one)}`\n")
    for row in [COLUMNS, ["---"] * len(COLUMNS), *map(cells, lines)]:
        print(f"| {' | '.join(row)} |".replace(" --- ", "---"), flush=True)


def plain(one, lines):
    print(f"\n{one['name']}: {command_of(one)}")
    for row in [COLUMNS, *map(cells, lines)]:
        name, error, std, greedy, rate, best, best_greedy, speed, model = row
        print(f"{name:<43}{error:>8}{std:>7}{greedy:>10}  {rate:<18}{best:>8}{best_greedy:>10}"
              f"{speed:>12}{model:>10}", flush=True)


def check(one, lines, arguments):
    """The expected ranges that were missed, in words."""
    expected = one.get("expected", {})
    missed = []
    if not arguments.learner:
        names = {line["entry"] for line in lines}
        missed = [f"{one['name']}: nobody is called {name}" for name in expected if name not in names]
    for line in lines:
        for which, (low, high) in expected.get(line["entry"], {}).items():
            if arguments.defaults and which not in ("default", "greedy"):
                continue
            found = line["found"].get(which)
            if found is None:
                missed.append(f"{one['name']}, {line['entry']}, {which}: was not played")
            elif not low <= found <= high:
                missed.append(f"{one['name']}, {line['entry']}, {which}: {found:.2f} is not in "
                              f"{low:g} to {high:g}")
    return missed


def run(arguments, sweeps):
    settings = json.loads((HERE / "expected.json").read_text())
    missed, played = [], 0
    for one in settings["sets"]:
        if arguments.set not in (None, one["name"]):
            continue
        path = pathlib.Path(os.path.expandvars(one["data"]))
        if one["data"].startswith(("data/", "$")) and not path.exists():
            print(f"\n{one['name']}: {path} is not there; left out")
            continue
        entries = [entry for entry in settings["learners"]
                   if one["name"] in entry.get("sets", [one["name"]])
                   and (not arguments.learner or entry["name"] in arguments.learner)]
        if arguments.defaults:
            entries = [{key: entry[key] for key in entry if key != "knob"} for entry in entries]
        lines = compare(sweeps, settings, one, entries)
        (markdown if arguments.markdown else plain)(one, lines)
        if not arguments.rounds:
            missed += check(one, lines, arguments)
        played += len(lines)
    for words in missed:
        print(f"MISSED {words}", file=sys.stderr)
    if played == 0:
        print("nothing was played", file=sys.stderr)
        return 2
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.environ.get("SOBA", "build/release/bin/soba"))
    parser.add_argument("--set", help="only the data set of this name")
    parser.add_argument("--learner", action="append", help="only the learner of this name in the table")
    parser.add_argument("--defaults", action="store_true", help="leave out the grids")
    parser.add_argument("--rounds", type=int, help="play only so many rounds (nothing is checked)")
    parser.add_argument("--workers", type=int, help="runs at the same time; default: one for each core")
    parser.add_argument("--results", type=pathlib.Path,
                        help="keep the result rows in this file, and do not play again what is there")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = arguments.results or pathlib.Path(folder, "results.jsonl")
        return run(arguments, Sweeps(arguments, results, pathlib.Path(folder, "plan.json")))


sys.exit(main())
