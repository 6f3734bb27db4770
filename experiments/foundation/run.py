"""Plays the paper's data sets with the learners of the foundation and checks what comes out.

    python3 experiments/foundation/run.py                 the full figures
    python3 experiments/foundation/run.py --set SynSep    one of them
    python3 experiments/foundation/run.py --markdown      the table of docs/results.md

Run from the project's root, after `make build`. A data set whose file is not there is left out, and said so.
Exits 1 where a mean lies outside its expected range (expected.json).
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def play(program, data, options, learner, runs):
    command = [program, "run", data, *options, "--learner", learner["name"], *learner["options"],
               "--repeat", str(runs), "--json", "--quiet"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(output)


def row(program, data, options, learner, runs):
    result = play(program, data, options, learner, runs)
    each = result["runs"]
    low, high = learner["range"]
    error = 100 * result["mean"]["error"]
    return {
        "learner": learner["name"],
        "options": " ".join(learner["options"]),
        "error": error,
        "std": 100 * result["std"]["error"],
        "greedy": 100 * result["mean"]["greedy_error"],
        "updates": sum(r["updates"] for r in each) / len(each),
        "speed": sorted(r["rounds_per_second"] for r in each)[len(each) // 2],
        "memory": max(r["peak_memory_bytes"] for r in each) / 1e6,
        "expected": f"{low:g} to {high:g}",
        "ok": low <= error <= high,
        "note": learner.get("note", ""),
    }


def plain(name, command, rows):
    print(f"\n{name}: {command}")
    print(f"{'learner':<12}{'played %':>9}{'± std':>7}{'greedy %':>10}{'updates':>11}"
          f"{'rounds/s':>12}{'MB':>7}  expected")
    for r in rows:
        print(f"{r['learner']:<12}{r['error']:>9.2f}{r['std']:>7.2f}{r['greedy']:>10.2f}"
              f"{r['updates']:>11,.0f}{r['speed']:>12,.0f}{r['memory']:>7.0f}  {r['expected']} "
              f"{'ok' if r['ok'] else 'MISSED'}", flush=True)


def markdown(name, command, rows):
    print(f"\n### {name}\n\n`{command}`\n")
    print("| learner | γ | played % | ± std | greedy % | updates | rounds/s | MB |")
    print("|---|---|---|---|---|---|---|---|")
    for r in rows:
        gamma = r["options"].replace("--gamma ", "") or "–"
        print(f"| {r['learner']} | {gamma} | {r['error']:.2f} | {r['std']:.2f} | {r['greedy']:.2f} "
              f"| {r['updates']:,.0f} | {r['speed']:,.0f} | {r['memory']:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.environ.get("SOBA", "build/release/bin/soba"))
    parser.add_argument("--set", help="only the data set of this name")
    parser.add_argument("--runs", type=int, help="runs of each learner instead of the expected number")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()

    all_ok, played = True, 0
    for one in json.loads((HERE / "expected.json").read_text())["sets"]:
        if arguments.set not in (None, one["name"]):
            continue
        data = one["data"][0].format(rounds=one.get("rounds"))
        if "/" in data and not pathlib.Path(data).exists():
            print(f"\n{one['name']}: {pathlib.Path(data).name} is not there; left out")
            continue
        runs = arguments.runs or one["runs"]
        rows = [row(arguments.program, data, one["options"], learner, runs)
                for learner in one["learners"]]
        command = " ".join(["soba run", data, *one["options"], "--learner NAME --gamma G",
                            f"--repeat {runs}"])
        (markdown if arguments.markdown else plain)(one["name"], command, rows)
        all_ok = all_ok and all(r["ok"] for r in rows)
        played += 1
    if played == 0:
        print("no data set was played", file=sys.stderr)
        return 2
    return 0 if all_ok else 1


sys.exit(main())
