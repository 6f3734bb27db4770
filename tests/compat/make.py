"""Writes files of the program's current formats, and what reading them gives, for test_compat.py.

    SOBA=path/to/soba python3 make.py v2

Run it only when a new format version is introduced, with the first program that writes it. A
folder is named for the model version: v1 has model version 1, cache version 1 and result rows
format 1. One that exists is never written again, because its files stand for those that users have.
The same program writes the same bytes each time.

Contents of a folder:

    expected.json    the list of everything below, and the results that were recorded
    data/            what the models learnt from (first.*), and what they resume with (rest.*)
    models/          a model for each learner form, saved after first.*
    traces/          the trace of resuming each model with rest.*, compressed by xz
    decisions/       models of soba decide with pending decisions, later events, and the replies
    caches/          caches, and the text that converting them back gives
    rows/            result rows of a sweep, and their report
    runs/            trace and curve of a run from scratch
"""

import json
import lzma
import os
import pathlib
import random
import re
import subprocess
import sys

SOBA = os.environ["SOBA"]
HERE = pathlib.Path(__file__).resolve().parent

# The learner forms: name -> (learner, options), as every_form() of tests/support/every_learner.h.
FORMS = {
    "auto": ("auto", {}),
    "soba": ("soba", {}),
    "banditron": ("banditron", {}),
    "banditron-eg": ("banditron-eg", {}),
    "newtron": ("newtron", {}),
    "pnewtron": ("pnewtron", {}),
    "confidit": ("confidit", {}),
    "expconcave": ("expconcave", {}),
    "bandit-arow": ("bandit-arow", {}),
    "bpa": ("bpa", {}),
    "squarecb": ("squarecb", {}),
    "gaptron": ("gaptron", {}),
    "rdue": ("rdue", {}),
    "ova-perceptron": ("ova-perceptron", {}),
    "ova-logistic": ("ova-logistic", {}),
    "epoch-greedy": ("epoch-greedy", {}),
    "exp4": ("exp4", {}),
    "perceptron": ("perceptron", {}),
    "second-order-perceptron": ("second-order-perceptron", {}),
    "passive-aggressive": ("passive-aggressive", {}),
    "arow": ("arow", {}),
    "sobadiag": ("sobadiag", {}),
    "soba-block": ("soba-block", {}),
    "bandit-arow-full": ("bandit-arow-full", {}),
    "squarecb-full": ("squarecb-full", {}),
    "soba-fixed": ("soba", {"gamma": "0.2"}),
    "soba-theory": ("soba", {"gamma": "theory", "horizon": "1000"}),
    "soba-adaptive": ("soba", {"gamma": "adaptive", "gamma-scale": "1", "a": "0.1"}),
    "soba-gap": ("soba", {"explore": "gap"}),
    "sobadiag-gap": ("sobadiag", {"explore": "gap"}),
    "sobadiag-fixed": ("sobadiag", {"gamma": "0.2"}),
    "sobadiag-adaptive": ("sobadiag", {"gamma": "adaptive", "gamma-scale": "1"}),
    "soba-sketch": ("soba", {"covariance": "sketch", "sketch-size": "3"}),
    "soba-auto": ("soba", {"covariance": "auto"}),
    "banditron-greedy": ("banditron", {"gamma": "0"}),
    "banditron-adaptive": ("banditron", {"gamma": "adaptive"}),
    "banditron-eg-fast": ("banditron-eg", {"eta": "3", "gamma": "0.2"}),
    "bandit-arow-gamma": ("bandit-arow", {"gamma": "0.1"}),
    "bpa-slow": ("bpa", {"C": "0.1", "gamma": "0.1"}),
    "ova-logistic-fast": ("ova-logistic", {"eta": "2", "gamma": "0.1"}),
    "passive-aggressive-pa": ("passive-aggressive", {"variant": "pa"}),
    "passive-aggressive-pa2": ("passive-aggressive", {"variant": "pa2"}),
    "arow-full": ("arow", {"covariance": "full", "r": "0.1"}),
    "second-order-perceptron-full": ("second-order-perceptron", {"covariance": "full", "a": "2"}),
    "squarecb-full-scale": ("squarecb", {"covariance": "full", "gamma-scale": "1"}),
    "squarecb-exponent": ("squarecb", {"gamma-exponent": "0.25", "a": "0.1"}),
    "gaptron-hinge": ("gaptron", {"loss": "hinge"}),
    "gaptron-logistic": ("gaptron", {"loss": "logistic", "gamma": "0.01"}),
    "rdue-short": ("rdue", {"q": "0.1", "b": "1"}),
    "rdue-greedy": ("rdue", {"q": "0"}),
    "exp4-four": ("exp4", {"members": "soba,banditron,gaptron,rdue", "gamma": "0.1"}),
    "exp4-distribution": ("exp4", {"advice": "distribution", "eta": "0.01"}),
    "confidit-gamma": ("confidit", {"gamma": "0.1", "alpha": "0.5"}),
    "confidit-full": ("confidit", {"covariance": "full", "eta": "10"}),
    "expconcave-ftal": ("expconcave", {"oracle": "ftal", "gamma": "0.2", "D": "0.5"}),
    "expconcave-full": ("expconcave", {"covariance": "full", "gamma": "0.2"}),
    "expconcave-full-ftal": ("expconcave", {"covariance": "full", "oracle": "ftal", "gamma": "0.2",
                                            "beta": "0.1"}),
    "newtron-wide": ("newtron", {"gamma": "0.2", "D": "100"}),
    "pnewtron-wide": ("pnewtron", {"gamma": "0.1", "D": "100"}),
}
# Models that differ in their data or its preparation: name -> (learner, options, arguments, data
# format).
PREPARED = {
    "soba-early": ("soba", {"gamma": "0.2"}, ["--limit", "100"], "libsvm"),
    "zero-based": ("sobadiag", {}, ["--zero-based", "--scale", "maxabs"], "libsvm"),
    "normalized": ("squarecb", {"gamma-scale": "3"}, ["--normalize", "l2"], "libsvm"),
    "csv": ("sobadiag", {"gamma": "0.1"}, ["--scale", "minmax", "--bias"], "csv"),
    "jsonl": ("bandit-arow", {"gamma": "0.05"}, [], "jsonl"),
}
# Forms whose numbers pass through OpenBLAS (users of src/linalg/blas.h: exact SOBA once it is
# primal, the sketch, full matrices of newtron and expconcave) or through functions of the C
# library, such as exp. Both choose their code by the CPU, so the last digits may differ elsewhere.
# All other forms give the same bits on every CPU.
BY_CPU = {
    # OpenBLAS
    "soba-fixed", "soba-theory", "soba-adaptive", "soba-gap", "soba-early", "soba-sketch",
    "newtron", "newtron-wide", "expconcave-full", "expconcave-full-ftal", "exp4-four",
    # The C library
    "auto", "exp4", "exp4-distribution", "banditron-adaptive", "banditron-eg", "banditron-eg-fast",
    "pnewtron", "pnewtron-wide", "squarecb-exponent", "gaptron-logistic", "rdue", "rdue-short",
    "rdue-greedy", "ova-logistic", "ova-logistic-fast",
}
# What is recorded of a model that was resumed, and of a run on a cache.
COUNTS = ["rounds", "answers", "classes", "features", "mistakes", "greedy_mistakes", "updates"]
RESULTS = ["rounds", "classes", "features", "mistakes", "greedy_error", "updates"]


def soba(*arguments, folder, stdin=""):
    """Standard output of `soba ARGUMENTS`, run in `folder`."""
    done = subprocess.run([SOBA, *map(str, arguments)], input=stdin, capture_output=True,
                          encoding="utf-8", cwd=folder)
    if done.returncode != 0:
        sys.exit(f"soba {' '.join(map(str, arguments))}\n{done.stderr}")
    return done.stdout


def flags(options):
    return [word for name, value in options.items() for word in (f"--{name}", value)]


def examples(seed, count, new_from=None):
    """Points of a linear classifier with 8 features and the labels 1 to 4, as (label, {feature:
    value}); every twelfth label or so is random. From row `new_from` on there are features 10 and
    12, too."""
    truth = [[random.Random(f"truth {label} {j}").uniform(-1, 1) for j in range(12)]
             for label in range(4)]
    rng = random.Random(seed)
    for row in range(count):
        x = {}
        for j in [1, 2, 3, 4, 5, 6, 7, 8] + [10, 12] * (new_from is not None and row >= new_from):
            if rng.random() < 0.75:
                width = 3 if j % 4 == 3 else 1
                x[j] = rng.randint(-2, 2) / 2 if j % 4 == 0 else \
                    round(width * rng.uniform(-1, 1), 5)
        scores = [sum(weights[j - 1] * value for j, value in x.items()) for weights in truth]
        label = scores.index(max(scores)) + 1
        yield (rng.randint(1, 4) if rng.random() < 1 / 12 else label), x


def libsvm(rows):
    return "".join(" ".join([str(label)] + [f"{j}:{value:g}" for j, value in x.items() if value])
                   + "\n" for label, x in rows)


def tickets(seed, count, colours):
    """Rows with two columns of texts, one of numbers, and missing values."""
    rng = random.Random(seed)
    for _ in range(count):
        colour, size = rng.choice(colours), rng.choice(["S", "M", "L, XL"])
        weight = rng.randint(0, 4000) / 100
        label = ("keep" if weight < 10 else "send") if colour == "red" else \
            "call" if size == "S" else "send"
        if rng.random() < 1 / 12:
            label = rng.choice(["keep", "send", "call"])
        yield {"colour": None if rng.random() < 0.05 else colour, "size": size,
               "weight": None if rng.random() < 0.05 else weight, "label": label}


def csv(rows):
    def cell(value):
        text = "" if value is None else str(value)
        return f'"{text}"' if "," in text else text
    return "colour,size,weight,label\n" + "".join(",".join(map(cell, row.values())) + "\n"
                                                  for row in rows)


def jsonl(rows):
    def line(row):
        x = {name: value for name, value in row.items() if name != "label"}
        return json.dumps({"label": row["label"], "x": x | {"heavy": (x["weight"] or 0) > 20}})
    return "".join(line(row) + "\n" for row in rows)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make_data(folder):
    data = folder / "data"
    write(data / "first.libsvm", libsvm(examples("first", 600)))
    write(data / "rest.libsvm", libsvm(examples("rest", 200, new_from=40)))
    for suffix, text in (("csv", csv), ("jsonl", jsonl)):
        write(data / f"first.{suffix}", text(tickets(f"first {suffix}", 200, ["red", "blue"])))
        write(data / f"rest.{suffix}",
              text(tickets(f"rest {suffix}", 120, ["red", "blue", "green"])))


def check_learners(folder):
    """FORMS must have every learner and every alias."""
    learners = json.loads(soba("algorithms", "--json", folder=folder))
    names = {one["name"] for learner in learners for one in [learner, *learner["aliases"]]}
    missing = names - {learner for learner, _ in FORMS.values()}
    if missing:
        sys.exit(f"FORMS lacks {', '.join(sorted(missing))}")


def make_models(folder):
    check_learners(folder)
    forms = {name: (learner, options, [], "libsvm") for name, (learner, options) in FORMS.items()}
    for name, (learner, options, arguments, suffix) in (forms | PREPARED).items():
        entry = {"name": name, "model": f"models/{name}.model", "rest": f"data/rest.{suffix}",
                 "trace": f"traces/{name}.csv.xz", "exact": name not in BY_CPU}
        (folder / "models").mkdir(exist_ok=True)
        (folder / "traces").mkdir(exist_ok=True)
        entry["made_by"] = ["run", f"data/first.{suffix}", "--learner", learner, *flags(options),
                            *arguments, "--seed", "1"]
        soba(*entry["made_by"], "--quiet", "--save", entry["model"], folder=folder)
        entry["inspect"] = json.loads(soba("inspect", entry["model"], "--json", folder=folder))
        soba("run", entry["rest"], "--load", entry["model"], "--quiet", "--trace", "trace.csv",
             "--save", "resumed.model", folder=folder)
        resumed = json.loads(soba("inspect", "resumed.model", "--json", folder=folder))
        entry["resumed"] = {key: resumed[key] for key in COUNTS}
        if resumed["updates"] == entry["inspect"]["updates"]:
            sys.exit(f"{name}: the resumed run does not update the model")
        check_forms(name, *(soba("inspect", model, "--fields", folder=folder)
                            for model in (entry["model"], "resumed.model")))
        trace = folder / "trace.csv"
        (folder / entry["trace"]).write_bytes(lzma.compress(trace.read_bytes(), preset=9))
        trace.unlink()
        (folder / "resumed.model").unlink()
        yield entry


def check_forms(name, *models):
    """Exact SOBA must occur as dual, as primal, and changing from dual to primal."""
    wanted = {"soba": "00", "soba-early": "01", "soba-fixed": "11"}
    if name in wanted:
        found = "".join(re.search(r"covariance\.is_primal +int64 +1 +(\d)", fields).group(1)
                        for fields in models)
        if found != wanted[name]:
            sys.exit(f"{name}: covariance.is_primal is {found}, and must be {wanted[name]}")


def events(seed, first, count, pending):
    """Lines for soba decide: decisions with texts and whole numbers as ids, and answers to all but
    the latest ones. `pending` holds the ids without an answer, and is brought up to date."""
    rng = random.Random(seed)
    for number in range(first, first + count):
        identity = f"e{number}" if number % 2 else number
        x = {"plan": rng.choice(["free", "pro", "team"]), "age": rng.randint(18, 80) / 50,
             "new": rng.random() < 0.3}
        if number >= 60 and rng.random() < 0.5:
            x["referred"] = 1
        yield {"id": identity, "x": x}
        pending.append(identity)
        while len(pending) > 6:
            answered = pending.pop(rng.randrange(len(pending)))
            if rng.random() < 0.1:
                yield {"id": answered, "forget": True}
            else:
                yield {"id": answered, "correct": rng.random() < 0.5}


def make_decisions(folder):
    starts = {
        "sobadiag": ["--gamma", "0.1", "--bias", "--normalize", "l2"],
        "soba": ["--gamma", "0.1"],
        "squarecb": ["--gamma-scale", "3"],
    }
    for name, start in starts.items():
        entry = {"name": name, "model": f"decisions/{name}.model",
                 "events": f"decisions/{name}.events.jsonl",
                 "replies": f"decisions/{name}.replies.jsonl",
                 "exact": name != "soba"}  # which becomes primal
        pending = []
        before = "".join(json.dumps(event) + "\n" for event in events(f"a {name}", 1, 60, pending))
        after = "".join(json.dumps(event) + "\n" for event in events(f"b {name}", 61, 40, pending))
        write(folder / entry["events"], after)
        entry["made_by"] = ["decide", "--learner", name, *start, "--labels", "red,green,blue",
                            "--seed", "3"]
        soba(*entry["made_by"], "--quiet", "--save", entry["model"], folder=folder, stdin=before)
        entry["inspect"] = json.loads(soba("inspect", entry["model"], "--json", folder=folder))
        replies = soba("decide", "--load", entry["model"], "--save", "resumed.model", "--ack",
                       "--quiet", folder=folder, stdin=after)
        write(folder / entry["replies"], replies)
        resumed = json.loads(soba("inspect", "resumed.model", "--json", folder=folder))
        entry["resumed"] = {key: resumed[key] for key in COUNTS + ["pending"]}
        (folder / "resumed.model").unlink()
        yield entry


def make_caches(folder):
    def rows(value, step=1):
        rng = random.Random(f"cache {step}")
        return libsvm((label, {step * j: value(rng) for j in range(1, 7) if rng.random() < 0.7})
                      for label in [1, 2, 3] * 10)

    # Each kind of values that a block can have, and differences that it must escape.
    kinds = {
        "ones": rows(lambda rng: 1),
        "int8": rows(lambda rng: rng.randint(-100, 100)),
        "int16": rows(lambda rng: rng.randint(-30000, 30000)),
        "float": rows(lambda rng: rng.randint(-99, 99) / 8),
        "double": rows(lambda rng: rng.randint(-99999, 99999) / 10**5),
        "far": rows(lambda rng: rng.choice([1, 1.5]), step=70001),
        "zero-based": rows(lambda rng: rng.randint(1, 9)),
    }
    for name, text in kinds.items():
        write(folder / f"caches/{name}.text", text)
    texts = {name: f"caches/{name}.text" for name in kinds}
    texts |= {"libsvm": "data/rest.libsvm", "csv": "data/rest.csv", "jsonl": "data/rest.jsonl"}
    for name, text in texts.items():
        to = name if name in ("csv", "jsonl") else "libsvm"
        zero_based = ["--zero-based"] if name == "zero-based" else []
        entry = {"name": name, "cache": f"caches/{name}.soba", "to": to,
                 "back": f"caches/{name}.{to}"}
        soba("convert", text, entry["cache"], "--format", to, *zero_based, "--quiet",
             folder=folder)
        write(folder / entry["back"],
              soba("convert", entry["cache"], "-", "--to", to, *zero_based, "--quiet",
                   folder=folder))
        entry["back_options"] = zero_based
        entry["run"] = ["--learner", "sobadiag", "--gamma", "0.1", "--seed", "2"]
        result = json.loads(soba("run", entry["cache"], *entry["run"], "--quiet", "--json",
                                 folder=folder))
        entry["result"] = {key: result[key] for key in RESULTS}
        yield entry
    for name in kinds:
        (folder / f"caches/{name}.text").unlink()


def make_rows(folder):
    entry = {"name": "sweep", "rows": "rows/sweep.jsonl", "report": "rows/report.csv"}
    (folder / "rows").mkdir()
    soba("sweep", "data/first.libsvm", "synnonsep:n=200", "--learner", "passive-aggressive",
         "--learner", "sobadiag", "--learner", "banditron", "--learner", "perceptron", "--grid",
         "gamma=0.01,0.1", "--grid", "a=1,10", "--grid", "variant=pa1,pa2", "--seeds", "1..3",
         "--shuffle", "1", "--workers", "1", "--quiet", "--output", entry["rows"], folder=folder)
    path = folder / entry["rows"]
    lines = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        # The one part that differs from run to run gets made-up values.
        measured = {"learn_seconds": 0.001 * number, "rounds_per_second": 1000.5 * number,
                    "peak_memory_bytes": 10**7}
        made, count = re.subn(r'"measured":\{[^}]*\}',
                              f'"measured":{json.dumps(measured, separators=(",", ":"))}', line)
        if count != 1:
            sys.exit(f"no measured part: {line}")
        lines.append(made + "\n")
    path.write_text("".join(lines), encoding="utf-8")
    write(folder / entry["report"],
          soba("report", entry["rows"], "--format", "csv", "--quiet", folder=folder))
    yield entry


def make_runs(folder):
    (folder / "runs").mkdir()
    entry = {"name": "scratch", "trace": "runs/trace.csv", "curve": "runs/curve.csv",
             "run": ["data/first.libsvm", "--learner", "sobadiag", "--explore", "gap", "--limit",
                     "300", "--seed", "5"]}
    soba("run", *entry["run"], "--trace", entry["trace"], "--curve", entry["curve"], "--quiet",
         folder=folder)
    yield entry


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: SOBA=path/to/soba python3 make.py FOLDER")
    folder = HERE / sys.argv[1]
    if folder.exists():
        sys.exit(f"{folder} exists, and is never written again")
    folder.mkdir()
    make_data(folder)
    expected = {
        "soba": soba("--version", folder=folder).strip(),
        "models": list(make_models(folder)),
        "decisions": list(make_decisions(folder)),
        "caches": list(make_caches(folder)),
        "rows": list(make_rows(folder)),
        "runs": list(make_runs(folder)),
    }
    write(folder / "expected.json", json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
