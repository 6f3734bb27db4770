"""The charts of `soba report` with matplotlib, from the rows of a sweep."""
from __future__ import annotations

import json
import os
from typing import Sequence, Union

import numpy as np

from .model import Path, _path

__all__ = ["curves", "gamma"]

Paths = Union[Path, Sequence[Path]]

# As in the report (apps/report/charts.js), in the order of the rows.
COLOURS = ["#0072b2", "#d55e00", "#00855f", "#b0568a", "#a06e00", "#2a8fc9", "#4d4d4d"]


def _rows(results):
    if isinstance(results, (str, os.PathLike)):
        results = [results]
    rows = []
    for path in results:
        with open(_path(path), encoding="utf-8") as lines:
            rows += [json.loads(line) for line in lines]
    return rows


def _points(rows):
    """{contender: {point of its grid as text: its rows}}, in the order of the rows."""
    out = {}
    for row in sorted(rows, key=lambda row: row["number"]):
        points = out.setdefault(row["contender"], {})
        points.setdefault(json.dumps(row["grid"]), []).append(row)
    return out


def _mean_and_half(values):
    """The mean, and half the width of its 95 % confidence interval by Student's t."""
    from scipy.stats import t

    values = np.asarray(values, dtype=float)
    n = len(values)
    if n < 2:
        return values.mean(axis=0), None
    return values.mean(axis=0), t.ppf(0.975, n - 1) * values.std(axis=0, ddof=1) / np.sqrt(n)


def _axes(ax, title, x):
    import matplotlib.pyplot as plt

    ax = ax if ax is not None else plt.subplots(figsize=(6.4, 4))[1]
    ax.set(xlabel=x, ylabel="error, %", title=title)
    ax.grid(True, color="#e6e9ec", linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _data(rows, name):
    names = list(dict.fromkeys(row["name"] for row in rows))
    if name is None and len(names) > 1:
        raise ValueError(f"data: the rows are of {names}; choose one")
    if name is not None and name not in names:
        raise ValueError(f"data: {name!r} is none of {names}")
    name = name if name is not None else names[0]
    return name, [row for row in rows if row["name"] == name]


def curves(results: Paths, data: str | None = None, *, greedy: bool = False, ax=None):
    """Error against examples for each contender at its best point, with 95 % confidence.

    results: a file of result rows, or several. data: the name of the data set, where the rows
    have more than one. Returns the axes of matplotlib.

    >>> import matplotlib, os, soba, tempfile
    >>> matplotlib.use("Agg")
    >>> rows = os.path.join(tempfile.mkdtemp(), "results.jsonl")
    >>> _ = soba.sweep("synsep:n=500,seed=1", ["sobadiag", "banditron"], results=rows)
    >>> [line.get_label() for line in soba.plot.curves(rows).get_lines()]
    ['sobadiag', 'banditron']
    """
    name, rows = _data(_rows(results), data)
    ax = _axes(ax, name, "examples")
    ax.set_xscale("log")
    key = "greedy_mistakes" if greedy else "mistakes"
    for colour, (contender, points) in zip(COLOURS * len(rows), _points(rows).items()):
        best = min(points.values(), key=lambda runs: np.mean([run["error"] for run in runs]))
        rounds = np.array(best[0]["curve"]["round"])
        mean, half = _mean_and_half([100 * np.array(run["curve"][key]) / rounds for run in best])
        ax.plot(rounds, mean, color=colour, label=contender)
        if half is not None:
            ax.fill_between(rounds, mean - half, mean + half, color=colour, alpha=0.15, linewidth=0)
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)
    return ax


def gamma(results: Paths, data: str | None = None, *, axis: str = "gamma", ax=None):
    """Error against an axis of the grid for each contender that has it, with 95 % confidence.

    >>> import matplotlib, os, soba, tempfile
    >>> matplotlib.use("Agg")
    >>> rows = os.path.join(tempfile.mkdtemp(), "results.jsonl")
    >>> _ = soba.sweep("synsep:n=500,seed=1", "sobadiag", grid={"gamma": "2^-4..2^-2"}, results=rows)
    >>> list(soba.plot.gamma(rows).get_lines()[0].get_xdata())
    [0.0625, 0.125, 0.25]
    """
    name, rows = _data(_rows(results), data)
    if not any(axis in row["grid"] for row in rows):
        raise ValueError(f"axis: no row has {axis!r} in its grid")
    ax = _axes(ax, name, axis)
    ax.set_xscale("log", base=2)
    for colour, (contender, points) in zip(COLOURS * len(rows), _points(rows).items()):
        # For each value of the axis the best point that has it.
        best = {}
        for runs in points.values():
            value = runs[0]["grid"].get(axis)
            mean, half = _mean_and_half([100 * run["error"] for run in runs])
            if value is not None and (value not in best or mean < best[value][0]):
                best[value] = mean, half
        if not best:
            continue
        values = sorted(best)
        means = [best[value][0] for value in values]
        halves = [best[value][1] or 0 for value in values]
        ax.errorbar(values, means, yerr=halves, color=colour, label=contender, marker="o",
                    markersize=3.5, capsize=2)
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)
    return ax
