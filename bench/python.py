"""What Python adds to the C++ library: ratios in one run, contenders in turns, the fastest of each.

Needs PYTHONPATH and SOBA_REFERENCE, the program soba_python_reference of the build. `--check` fails
where an aim is missed.
"""
import os
import subprocess
import sys
import time

import numpy as np

import soba
from soba.datasets import load

REFERENCE = os.environ["SOBA_REFERENCE"]
DATA = "synnonsep:n=200000,seed=1"
DECISIONS = 50_000
TURNS = 5


def reference(*words):
    return float(subprocess.run([REFERENCE, *words], check=True, capture_output=True, text=True).stdout)


def seconds(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def decide():
    model = soba.Model("sobadiag", labels=["a", "b", "c"], seed=1)
    x = {f"feature{j}": 0.5 for j in range(20)}
    for i in range(DECISIONS):
        x[f"feature{i % 20}"] = 0.125 * (i % 9)
        d = model.decide(x)
        model.reward(d, d.label == "a")


def fit(X, y):
    classes = np.arange(1, 10)
    soba.BanditClassifier("sobadiag", random_state=1).partial_fit(X, y, classes=classes)


def main():
    X, y = load(DATA)
    dense = load("synnonsep:n=20000,seed=1")
    whole = dense[0].toarray()
    times = {"fit": [], "fit C++": [], "decide": [], "decide C++": [], "dense": [], "sparse": []}
    for _ in range(TURNS):
        times["fit C++"].append(reference("playing", DATA, "sobadiag"))
        times["fit"].append(seconds(lambda: fit(X, y)))
        times["decide C++"].append(reference("deciding", str(DECISIONS)))
        times["decide"].append(seconds(decide))
        times["sparse"].append(seconds(lambda: fit(*dense)))
        times["dense"].append(seconds(lambda: fit(whole, dense[1])))
    best = {name: min(values) for name, values in times.items()}
    rate, slower = best["fit C++"] / best["fit"], best["decide"] / best["decide C++"]
    print(f"partial_fit on CSR, as a share of C++'s rounds/s: {rate:.2f} (aim: at least 0.80)")
    print(f"decide and reward, as a multiple of C++'s time: {slower:.2f} (aim: at most 3.00)")
    print(f"partial_fit on a dense array of 400 columns, 12 % not zero, as a multiple of CSR: "
          f"{best['dense'] / best['sparse']:.2f}")
    return 1 if "--check" in sys.argv and not (rate >= 0.8 and slower <= 3) else 0


sys.exit(main())
