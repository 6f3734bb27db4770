"""What is proved of the learners, beside what they did: the tables and the figure of docs/theory.md.

    python3 experiments/theory/run.py                      the table of bounds, 20,000 rounds, 20 seeds
    python3 experiments/theory/run.py --rounds 100000      the same on more of each data set
    python3 experiments/theory/run.py --growth 1e6         how mistakes grow up to a million rounds
    python3 experiments/theory/run.py --growth 1e7 --figure docs/figures/theory-growth.svg

Run from the project's root, after `make build`; the environment variable SOBA names another program. Bounds are of `soba
bound`, growth of `soba run`. A data set whose file is not there is left out, and said so; the environment variable
SOBA_REUTERS4 says where the sample of Reuters4 is. Exits 1 where a bound on an expectation is below the mean of the
seeds, or one on every run is broken.
"""
import argparse
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

PROGRAM = os.environ.get("SOBA", "build/release/bin/soba")
OVR = ["soba-ovr", "--gate", "on", "--covariance", "full", "--scale-free", "false", "--constant", "false",
       "--explore", "constant"]
DATA = [
    ("SynSep", "synsep:n={n},seed=1", []),
    ("SynNonSep", "synnonsep:n={n},seed=1", []),
    ("Covertype", "data/covtype.libsvm.xz", ["--scale", "maxabs", "--shuffle", "1", "--limit", "{n}"]),
    ("Reuters4 sample", "$SOBA_REUTERS4", ["--shuffle", "1", "--limit", "{n}"]),
]
# (shown as, arguments of --learner, data sets it is left out on)
LEARNERS = [
    ("perceptron", ["perceptron"], []),
    ("banditron γ .1", ["banditron", "--gamma", "0.1"], []),
    ("soba γ .05", ["soba", "--gamma", "0.05"], []),
    ("soba gap-bounded, c 1", ["soba", "--explore", "gap-bounded", "--gap-floor", "1"], ["SynSep", "SynNonSep"]),
    ("soba-ovr, gated", OVR, ["Reuters4 sample"]),
    ("auto", ["auto"], ["SynSep", "SynNonSep", "Reuters4 sample"]),
]


def soba(*arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    return json.loads(done.stdout)


def count(value):
    return f"{value:,.0f}" if abs(value) < 1e9 else f"{value:.1e}"


def outcome(bound):
    if bound["vacuous"]:
        start = bound["useful_from"]
        return f"vacuous, not from {start:.0e} rounds" if start else "vacuous"
    return "holds" if bound["holds"] else "**does not hold**"


def bounds(arguments):
    """The tightest bound of each learner on each data set, term by term."""
    print("| data | learner | mean mistakes | bound | η or q | competitor | regulariser | quadratic | exploration "
          "| mistakes ≤ | |")
    print("|---|---|---:|---|---:|---:|---:|---:|---:|---:|---|")
    failed = False
    for name, data, options in DATA:
        data = os.path.expandvars(data).format(n=arguments.rounds)
        if data.startswith("$") or (":" not in data and not pathlib.Path(data).exists()):
            print(f"{name}: left out, {data} is not there", file=sys.stderr)
            continue
        for shown, learner, left_out in LEARNERS:
            if name in left_out:
                continue
            seeds = "1" if learner[0] == "perceptron" else str(arguments.seeds)
            result = soba("bound", data, "--learner", *learner, *[o.format(n=arguments.rounds) for o in options],
                          "--seeds", seeds, "--json", "--quiet")
            failed |= any(not bound["holds"] for bound in result["bounds"])
            best = next((one for one in result["bounds"] if one["theorem"] == result["tightest"]), None)
            if best is None:
                print(f"| {name} | {shown} | {count(result['mistakes'])} | none applies | | | | | | | |")
                continue
            terms = " | ".join(count(best[term]) for term in
                               ("competitor_loss", "regulariser", "quadratic", "exploration", "bound"))
            print(f"| {name} | {shown} | {count(result['mistakes'])} | {best['theorem']} | {best['eta']:.2g} | {terms} "
                  f"| {outcome(best)} |", flush=True)
    return 1 if failed else 0


def sectors(path, gap, noise, rounds=100000):
    """Three classes in a disc, each beyond a line of its own; `gap` is kept free around the lines."""
    rng = random.Random(1)
    normals = [(math.cos(2 * math.pi * i / 3), math.sin(2 * math.pi * i / 3)) for i in range(3)]
    with path.open("w", encoding="utf-8") as out:
        while rounds:
            x, y, label = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.randrange(3)
            sides = [a * x + b * y - 0.5 for a, b in normals]
            apart = all(side * (1 if i == label else -1) > gap for i, side in enumerate(sides))
            if x * x + y * y > 2 or not apart:
                continue
            rounds -= 1
            shown = rng.randrange(3) if rng.random() < noise else label
            out.write(f"{shown + 1} 1:{x:.6f} 2:{y:.6f} 3:1\n")


# Learner, its arguments, the exponent of its bound, a colour.
GROWING = [
    ("soba, γ of Theorem 2", ["soba", "--gamma", "theory"], 0.5, "#0072b2"),
    ("banditron, γ of its paper", ["banditron", "--gamma", "theory"], 2 / 3, "#d55e00"),
    ("soba-ovr, gated", OVR, 0, "#00855f"),
    ("soba-ovr", ["soba-ovr"], 0, "#b0568a"),
    ("ova-perceptron", ["ova-perceptron"], 0, "#a06e00"),
]


def slope(points):
    """The exponent between the first and the last point with something to lose."""
    (t0, m0), (t1, m1) = points[0], points[-1]
    return math.log(max(m1, 0.5) / max(m0, 0.5)) / math.log(t1 / t0)


def growth(arguments):
    """Mistakes over the rounds: three classes in a plane, with a gap and, beside it, 5 % of noise."""
    sizes = [10 ** e for e in range(3, round(math.log10(arguments.growth)) + 1)]
    lines = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, gap, noise in (("wide gap", 0.1, 0), ("narrow gap", 0.01, 0), ("noise 5 %", 0.1, 0.05)):
            path = pathlib.Path(folder) / "data.libsvm"
            sectors(path, gap, noise)
            for shown, learner, *_ in GROWING:
                points = []
                for size in sizes:
                    seeds = 10 if size <= 10 ** 4 else 3
                    length = ["--limit", str(size)] if size < 10 ** 5 else ["--passes", str(size // 10 ** 5)]
                    result = soba("run", str(path), "--learner", *learner, *length, "--shuffle", "1", "--repeat",
                                  str(seeds), "--json", "--quiet")
                    runs = result["runs"]
                    mistakes = sum(run["mistakes"] for run in runs) / len(runs)
                    points.append((size, mistakes - noise * 2 / 3 * size))
                lines[name, shown] = points
    print("| data | learner | exponent of its bound | measured | " +
          " | ".join(f"T = {size:.0e}" for size in sizes) + " |")
    print("|---|---|---:|---:|" + "---:|" * len(sizes))
    for (name, shown), points in lines.items():
        expected = next(one[2] for one in GROWING if one[0] == shown)
        print(f"| {name} | {shown} | {expected:.2g} | {slope(points[1:]):.2f} | " +
              " | ".join(count(mistakes) for _, mistakes in points) + " |")
    if arguments.figure:
        pathlib.Path(arguments.figure).write_text(figure(lines, sizes), encoding="utf-8")
    return 0


def figure(lines, sizes):
    """Regret against rounds on log axes, a panel for each data set, as SVG."""
    names = list(dict.fromkeys(name for name, _ in lines))
    width, height, left, top = 260, 240, 46, 30
    low, high = math.log10(sizes[0]), math.log10(sizes[-1])
    most = math.ceil(math.log10(max(m for points in lines.values() for _, m in points)))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {len(names) * (width + left) + 16} {height + 150}" '
           'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>']
    for column, name in enumerate(names):
        x0 = left + column * (width + left)
        place = lambda t, m: (x0 + (math.log10(t) - low) / (high - low) * width,
                              top + height - math.log10(max(m, 1)) / most * height)
        out.append(f'<text x="{x0}" y="18" font-weight="600">{name}</text>'
                   f'<rect x="{x0}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#999"/>')
        for power in range(most + 1):
            out.append(f'<text x="{x0 - 6}" y="{place(sizes[0], 10 ** power)[1] + 4:.1f}" text-anchor="end">10{"⁰¹²³⁴⁵⁶⁷⁸"[power]}</text>')
        for size in sizes:
            out.append(f'<text x="{place(size, 1)[0]:.1f}" y="{top + height + 16}" text-anchor="middle">'
                       f'10{"⁰¹²³⁴⁵⁶⁷⁸"[round(math.log10(size))]}</text>')
        for exponent, text in ((0.5, "√T"), (2 / 3, "T^⅔")):
            start = 10 ** (low * exponent)
            ends = [place(sizes[0], start), place(sizes[-1], start * (sizes[-1] / sizes[0]) ** exponent)]
            out.append(f'<path d="M{ends[0][0]:.1f},{ends[0][1]:.1f}L{ends[1][0]:.1f},{ends[1][1]:.1f}" stroke="#777" '
                       f'stroke-dasharray="3 4"/><text x="{ends[1][0] - 26:.1f}" y="{ends[1][1] - 4:.1f}" fill="#555">{text}</text>')
        for shown, _, _, colour in GROWING:
            path = "L".join(f"{x:.1f},{y:.1f}" for x, y in (place(t, m) for t, m in lines[name, shown]))
            out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
    for row, (shown, _, _, colour) in enumerate(GROWING):
        y = top + height + 44 + 18 * row
        out.append(f'<path d="M{left},{y - 4}h26" stroke="{colour}" stroke-width="2"/><text x="{left + 34}" y="{y}">{shown}</text>')
    out.append(f'<text x="{left + 260}" y="{top + height + 44}">across: rounds; up: mistakes, less the noise</text></svg>')
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20000, help="rounds of each data set")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--growth", type=float, help="rounds to go up to, a power of ten")
    parser.add_argument("--figure", help="where the picture of the growth goes")
    arguments = parser.parse_args()
    return growth(arguments) if arguments.growth else bounds(arguments)


sys.exit(main())
