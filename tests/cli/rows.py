"""Made-up result rows (docs/formats.md), for tests of soba report.

    python3 rows.py > rows.jsonl            a sweep over three data sets, always the same
    python3 rows.py crowd > rows.jsonl      thirteen contenders on one data set
"""
import hashlib
import json
import random
import sys


def curve_rounds(rounds):
    """Powers of the square root of 2, and the last round."""
    points = sorted({round(2 ** (i / 2)) for i in range(2 * rounds.bit_length())})
    return [point for point in points if point < rounds] + [rounds]


def row(name="Toy", contender="soba", grid=None, seed=1, rounds=100, error=0.25, greedy=0.125,
        feedback="bandit", classes=4, features=10, curve=None, **changes):
    """One row; the curve starts at 90 % and comes down to the error as a power of the rounds."""
    grid = {} if grid is None else grid
    mistakes, greedy_mistakes = round(error * rounds), round(greedy * rounds)
    points = curve_rounds(rounds)

    def counts(last):
        def so_far(t):
            return min(t, round(last * t / rounds + 0.8 * (t**0.6 - t * rounds**-0.4)))
        return [max(0, so_far(t)) for t in points[:-1]] + [last]

    options = "".join(f" --{axis} {value}" for axis, value in grid.items())
    command = f"soba run {name.lower()} --learner {contender}{options} --seed {seed}"
    made = {
        "format": 2,
        "soba": "0.1.0",
        "key": hashlib.md5(command.encode()).hexdigest(),
        "command": command,
        "name": name,
        "data": f"{name.lower()}.libsvm",
        "reading": {"scale": "none"},
        "fingerprint": f"{sum(map(ord, name)):016x}",
        "contender": contender,
        "learner": contender,
        "feedback": feedback,
        "grid": grid,
        "options": dict(grid),
        "seed": seed,
        "number": 1,
        "rounds": rounds,
        "classes": classes,
        "features": features,
        "mistakes": mistakes,
        "greedy_mistakes": greedy_mistakes,
        "error": mistakes / rounds,
        "greedy_error": greedy_mistakes / rounds,
        "constant_error": 1 - 1.5 / classes,
        "updates": mistakes,
        "curve": {"round": points, "mistakes": counts(mistakes),
                  "greedy_mistakes": counts(greedy_mistakes), "updates": counts(mistakes)},
        "model_bytes": 12345,
        "measured": {"learn_seconds": 0.5, "rounds_per_second": 2.0 * rounds,
                     "peak_memory_bytes": 10**7},
    }
    made.update(changes)
    return made


def lines(rows):
    return "".join(json.dumps(one) + "\n" for one in rows)


def crowd():
    """More contenders than a chart can show at once; the best rate of each is its lowest."""
    for i in range(13):
        for rate in (0.125, 0.25, 0.5):
            for seed in (1, 2) if i else (1,):
                yield row("Crowd", f"contender-{i:02}", {"gamma": rate}, seed, 100_000, 0.05 + 0.02 * i + 0.1 * rate,
                          0.05 + 0.02 * i, classes=4)


def sweep():
    """Rows that show everything a report can: yardsticks, two axes, words as values."""
    noise = random.Random(1)
    rates = [2.0**-i for i in range(12, 0, -1)]
    sets = [("SynNonSep", 1_000_000, 9, 400, 0.044),
            ("Reuters4", 665_265, 4, 346_810, 0.05),
            ("Covertype", 581_012, 7, 54, 0.28)]

    def seeds(name, rounds, classes, features, contender, grid, played, greedy, feedback="bandit"):
        for seed in range(1, 6):
            wobble = noise.gauss(1, 0.04)
            yield row(name, contender, grid, seed, rounds, min(played * wobble, 0.95),
                      min(greedy * wobble, 0.95), feedback, classes, features)

    for name, rounds, classes, features, least in sets:
        shape = (name, rounds, classes, features)
        yield from seeds(*shape, "perceptron", {}, least * 2, least * 2, "full information")
        yield from seeds(*shape, "auto", {}, least * 1.05, least * 1.02)
        for i, rate in enumerate(rates):
            floor = rate * (classes - 1) / classes
            for contender, scale in (("banditron", 2.3), ("sobadiag", 1.3)):
                slow = least * scale + 0.3 * scale * (1 - i / 11) ** 3
                yield from seeds(*shape, contender, {"gamma": rate}, slow + floor, slow)
            for eta in (0.01, 0.1, 1.0):
                slow = least * 2.2 + 0.5 * (1 - i / 11) ** 2 + 0.05 * abs(eta - 0.1)
                yield from seeds(*shape, "pnewtron", {"gamma": rate, "eta": eta}, slow + floor,
                                 slow)
    shape = sets[2][:4]
    for covariance, error in (("diagonal", 0.44), ("exact", 0.33), ("sketch", 0.39)):
        yield from seeds(*shape, "soba-gap", {"covariance": covariance}, error, error * 0.98)


if __name__ == "__main__":
    print(lines(crowd() if sys.argv[1:] == ["crowd"] else sweep()), end="")
