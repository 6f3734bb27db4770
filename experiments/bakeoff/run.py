"""Plays every bandit learner, at its defaults, on the LIBSVM files of a folder, and reports who wins.

    python3 experiments/bakeoff/run.py --data DIR --output bakeoff            20 shuffles of every file
    python3 experiments/bakeoff/run.py --data DIR --generator synsep:n=1000000 --whole data/covtype.libsvm.xz
    python3 experiments/bakeoff/run.py --summarise-only --output bakeoff      the report again, without playing

Run from the project's root, after `make build`. All runs are played by `soba sweep`; the same command resumes where it
was interrupted. The rows are in results.jsonl of the output folder, and the report, Markdown on standard output, covers
all data sets of that folder. Rows are not played again: after a learner has changed, choose another folder.

--other is JSON, {"tool": "Vowpal Wabbit", "rows": [{"data": "iris", "mode": "squarecb", "error": 62}]} or the list of
rows alone, or CSV with the columns data, mode and error; errors in percent, data sets by the names of the report. Give
only modes that learn from bandit feedback.

Exits 1 where runs failed, after the report, and 2 where it cannot start or is interrupted.
"""
import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys

import report

SUFFIXES = (".libsvm", ".svm", ".txt")
COMPRESSED = (".gz", ".xz", ".zst")
LEADERS = ["auto", "soba-ovr"]  # the ones to be compared with the best single learner, where the program has them
LARGE = 50_000                  # rows beyond which a data set gets half of the shuffles
FEWEST = 4                      # shuffles: two to choose by, two to compare


def steps_of_newtron(rounds, classes, features):
    return rounds * (classes * features) ** 3


def steps_of_matrices(rounds, classes, features):
    return rounds * classes * features**2


# Steps of a run beyond which a learner is left out: some seconds of Newtron, about a minute of a matrix for each class.
NEWTRON = (steps_of_newtron, 1e10, "rounds·(kd)³ is over 10¹⁰")
MATRICES = (steps_of_matrices, 1e12, "rounds·k·d² is over 10¹²")


def say(text):
    print(text, file=sys.stderr, flush=True)


def ask(program, *arguments):
    """The JSON object that the program prints."""
    done = subprocess.run([program, *arguments, "--json"], check=False, stdout=subprocess.PIPE)
    if done.returncode != 0:
        raise report.Mistake(f"soba {' '.join(map(str, arguments))} failed")  # the program has said why
    return json.loads(done.stdout)


def bandit_learners(program):
    """{name: options that the name stands for} of learners and aliases; aliases for the defaults are left out."""
    found = {}
    for one in ask(program, "algorithms"):
        if one["feedback"] != "bandit":
            continue
        found[one["name"]] = {}
        defaults = {option["name"]: option["default"] for option in one["options"]}
        for alias in one["aliases"]:
            if any(defaults.get(name) != value for name, value in alias["options"].items()):
                found[alias["name"]] = alias["options"]
    return found


def too_slow(learner, options, one):
    """Why a learner is not played on a data set; None where it is."""
    rule = NEWTRON if learner == "newtron" else None
    if options.get("covariance") in ("full", "block"):
        rule = MATRICES
    if rule:
        steps, most, words = rule
        if steps(one["rounds"], one["classes"], one["features"]) > most:
            return f"too slow, {words}"
    return None


def set_name(path):
    """dna for dna.libsvm.xz; None for what is not called like a LIBSVM file."""
    name = path.name
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    stem, dot, suffix = name.rpartition(".")
    return stem if stem and dot + suffix in SUFFIXES else None


def sources(arguments):
    """(name, DATA, limit or None) of every data set."""
    found = []
    if arguments.data:
        if not arguments.data.is_dir():
            raise report.Mistake(f"--data {arguments.data} is not a folder")
        files = [(set_name(path), str(path), arguments.limit) for path in sorted(arguments.data.iterdir())]
        found += [one for one in files if one[0]]
        if not found:
            raise report.Mistake(f"no file in {arguments.data} ends in {', '.join(SUFFIXES)}, compressed or not")
    for path in map(pathlib.Path, arguments.whole):
        found.append((set_name(path) or path.name, str(path), None))
    found += [(text, text, None) for text in arguments.generator]
    names = [name for name, _, _ in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise report.Mistake(f"two data sets are called {twice[0]}")
    if not found:
        raise report.Mistake("nothing to play: give --data, --whole or --generator")
    return found


def measure(arguments, name, data, limit):
    """What is known of a data set before it is played."""
    about = ask(arguments.program, "check", data)
    rows = about["examples"]
    many = arguments.shuffles if rows <= LARGE else max(FEWEST, arguments.shuffles // 2)
    return {"name": name, "data": data, "classes": len(about["labels"]), "features": about["features"], "rows": rows,
            "rounds": min(rows, limit or rows), "shuffles": many}


def play(arguments, one, learners):
    """One sweep: every learner on all shuffles of a data set. False where a run failed."""
    data = {"name": one["name"], "data": one["data"]}
    if one["data"] not in arguments.generator:  # which makes other examples for every seed
        data["shuffle"] = 1
    if one["rounds"] < one["rows"]:
        data["limit"] = one["rounds"]
    plan = arguments.output / "plan.json"
    plan.write_text(json.dumps({"data": [data], "learners": learners, "seeds": f"1..{one['shuffles']}"}))
    command = [arguments.program, "sweep", "--plan", plan, "--output", arguments.output / "results.jsonl"]
    if arguments.workers:
        command += ["--workers", str(arguments.workers)]
    if not sys.stderr.isatty():
        command.append("--quiet")
    code = subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode
    if code < 0 or code > 128:
        raise KeyboardInterrupt
    return code == 0


def play_all(arguments, learners):
    """Plays all data sets and notes them in sets.json. Returns how many had runs that failed."""
    arguments.output.mkdir(parents=True, exist_ok=True)
    known = read_sets(arguments.output)
    build = hashlib.sha256(pathlib.Path(arguments.program).read_bytes()).hexdigest()
    if any(one["program"] != build for one in known.values()):
        say(f"{arguments.output} has rows of another build of the program; where a learner has changed since, choose "
            "another --output")
    failed = 0
    chosen = sources(arguments)
    for number, (name, data, limit) in enumerate(chosen, start=1):
        one = measure(arguments, name, data, limit)
        slow = {learner: too_slow(learner, options, one) for learner, options in learners.items()}
        one["skipped"] = {learner: reason for learner, reason in slow.items() if reason}
        one["learners"] = [learner for learner, reason in slow.items() if not reason]
        known[name] = one | {"program": build}
        (arguments.output / "sets.json").write_text(json.dumps(list(known.values()), indent=1) + "\n")
        say(f"{number} of {len(chosen)}: {name}, {one['rounds']:,} rounds, {len(one['learners'])} learners, "
            f"{one['shuffles']} shuffles")
        failed += not play(arguments, one, one["learners"])
    return failed


def read_sets(folder):
    """{name: what is known of a data set} of those that were played into a folder."""
    path = folder / "sets.json"
    return {one["name"]: one for one in json.loads(path.read_text())} if path.exists() else {}


def read_rows(folder, names):
    """The result rows of these learners; a last line that was cut short is left out, as `soba report` does."""
    path = folder / "results.jsonl"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    rows = map(json.loads, text[:text.rfind("\n") + 1].splitlines())
    return [row for row in rows if row["contender"] in names]


def summarise(arguments, names, other):
    """Prints the report of all data sets in the output folder."""
    sets = list(read_sets(arguments.output).values())
    if not sets:
        raise report.Mistake(f"nothing was played into {arguments.output}")
    for one in sets:
        one["learners"] = [name for name in one["learners"] if name in names]
        one["skipped"] = {name: reason for name, reason in one["skipped"].items() if name in names}
    errors = report.read_errors(read_rows(arguments.output, names), sets)
    print(report.markdown(sets, errors, [name for name in LEADERS if name in names], other), end="")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, metavar="DIR",
                        help="all LIBSVM files in this folder: .libsvm, .svm or .txt, compressed or not")
    parser.add_argument("--generator", action="append", default=[], metavar="TEXT",
                        help="a generator too, such as synsep:n=1000000; other examples for every shuffle")
    parser.add_argument("--whole", action="append", default=[], metavar="FILE", help="a file too, without --limit")
    parser.add_argument("--shuffles", type=int, default=20,
                        help=f"runs of a learner, at least {FEWEST}; half of them where a data set has over {LARGE:,} "
                        "rows (default: 20)")
    parser.add_argument("--limit", type=int, default=60_000,
                        help="rows of a file of the folder that are played, after the shuffle (default: 60000)")
    parser.add_argument("--learners", metavar="A,B", help="only these (default: all that learn from bandit feedback)")
    parser.add_argument("--other", type=pathlib.Path, metavar="FILE", help="another tool's errors, as above")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("bakeoff"), metavar="DIR",
                        help="folder of the result rows (default: bakeoff)")
    parser.add_argument("--summarise-only", action="store_true",
                        help="report what is in the output folder; play nothing")
    parser.add_argument("--workers", type=int, help="runs at the same time (default: one for each core)")
    parser.add_argument("--program", default=os.environ.get("SOBA", "build/release/bin/soba"))
    arguments = parser.parse_args()
    if arguments.shuffles < FEWEST:
        parser.error(f"--shuffles must be at least {FEWEST}: half of them choose the best learner, half compare")
    if arguments.limit < 1:
        parser.error("--limit must be at least 1")
    return arguments


def main():
    arguments = parse()
    try:
        other = report.read_other(arguments.other) if arguments.other else None
        learners = bandit_learners(arguments.program)
        if arguments.learners:
            chosen = arguments.learners.split(",")
            unknown = [name for name in chosen if name not in learners]
            if unknown:
                raise report.Mistake(f"no bandit learner is called {unknown[0]}; there are {', '.join(learners)}")
            learners = {name: options for name, options in learners.items() if name in chosen}
        failed = 0 if arguments.summarise_only else play_all(arguments, learners)
        summarise(arguments, learners, other)
        return 1 if failed else 0
    except (report.Mistake, OSError) as error:
        say(f"bakeoff: {error}")
    except KeyboardInterrupt:
        say("interrupted; the same command resumes")
    return 2


if __name__ == "__main__":
    sys.exit(main())
