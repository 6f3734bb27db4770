"""Covertype made into logs of decisions: a logger plays a label, and only learns whether it was right.

Ten numeric columns, as standard scores. Loggers and the target are least-squares classifiers, each taught with its own
few hundred examples; the adaptive logger is a Banditron that learns while it logs.
"""
import json
import lzma
import pathlib

import numpy

CLASSES = 7
COLUMNS = 10
COVTYPE = pathlib.Path(__file__).parents[2] / "data" / "covtype.libsvm.xz"


def covtype(limit=None):
    """Features (standard scores of the first ten columns) and labels 0..6, in a random order."""
    x, y = [], []
    with lzma.open(COVTYPE, "rt") as lines:
        for number, line in enumerate(lines):
            words = line.split()
            row = [0.0] * COLUMNS
            for word in words[1:COLUMNS + 1]:
                index, value = word.split(":")
                if int(index) <= COLUMNS:
                    row[int(index) - 1] = float(value)
            x.append(row)
            y.append(int(words[0]) - 1)
            if limit and number + 1 == limit:
                break
    x, y = numpy.array(x), numpy.array(y)
    order = numpy.random.default_rng(1).permutation(len(y))
    x, y = x[order], y[order]
    return (x - x.mean(0)) / x.std(0), y


def taught(x, y, ridge=1.0):
    """The weights of a least-squares classifier."""
    ones = numpy.c_[x, numpy.ones(len(x))]
    targets = 2.0 * (y[:, None] == numpy.arange(CLASSES)) - 1
    return numpy.linalg.solve(ones.T @ ones + ridge * numpy.eye(COLUMNS + 1), ones.T @ targets)


def labels_of(weights, x):
    return (numpy.c_[x, numpy.ones(len(x))] @ weights).argmax(1)


def log_fixed(draw, greedy, gamma):
    """Labels and probabilities of a logger that plays `greedy`, or with probability gamma any label."""
    n = len(greedy)
    played = numpy.where(draw.random(n) < gamma, draw.integers(0, CLASSES, n), greedy)
    return played, gamma / CLASSES + (1 - gamma) * (played == greedy)


def log_adaptive(draw, x, y, gamma):
    """The same of a Banditron that learns from the answers to what it plays."""
    weights = numpy.zeros((CLASSES, COLUMNS + 1))
    ones = numpy.c_[x, numpy.ones(len(x))]
    played, p = numpy.empty(len(y), int), numpy.empty(len(y))
    explores, any_label = draw.random(len(y)) < gamma, draw.integers(0, CLASSES, len(y))
    for i, row in enumerate(ones):
        greedy = (weights @ row).argmax()
        played[i] = any_label[i] if explores[i] else greedy
        p[i] = gamma / CLASSES + (1 - gamma) * (played[i] == greedy)
        weights[greedy] -= row
        if played[i] == y[i]:
            weights[played[i]] += row / p[i]
    return played, p


def write_log(path, played, p, y, target=None, x=None):
    with open(path, "w", encoding="utf-8") as out:
        for i in range(len(y)):
            row = {"id": i}
            if x is not None:
                row["x"] = {f"c{j}": round(float(value), 4) for j, value in enumerate(x[i])}
            row |= {"label": int(played[i]) + 1, "probability": float(p[i]), "correct": bool(played[i] == y[i])}
            if target is not None:
                row["policies"] = {"target": int(target[i] == played[i])}
            out.write(json.dumps(row) + "\n")
