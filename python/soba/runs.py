"""Experiments: labelled data played with simulated feedback."""
from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Iterable, Mapping, Sequence, Union

from . import _soba
from .model import Model, Path, _path
from .options import learners, split

__all__ = ["RunResult", "report", "run", "sweep"]

Named = Union[Path, Sequence[Path], Mapping[str, Path]]


class RunResult(dict):
    """What came of a run: a dict with the keys of `soba run --json`, which are attributes, too.

    model: what was learnt. curve: a data frame with round, error, greedy_error and updates.

    >>> import soba
    >>> result = soba.run("synsep:n=1000,seed=1", learner="sobadiag", gamma=0.1)
    >>> result.rounds, result["classes"]
    (1000, 9)
    """

    def __init__(self, values, points, model):
        super().__init__(values)
        self._points = points
        self.__dict__["model"] = model

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def curve(self):
        """Errors against rounds, as a data frame."""
        import pandas

        rows = [(r, mistakes / r, greedy / r, updates) for r, mistakes, greedy, updates in
                self._points]
        return pandas.DataFrame(rows, columns=["round", "error", "greedy_error", "updates"])


def run(data: Path, learner: str = "auto", *, seed: int = 1, model: Model | None = None,
        save: Path | None = None, trace: Path | None = None, curve: Path | None = None,
        **options: Any) -> RunResult:
    """Plays all of `data` as if the labels were hidden, as `soba run` does.

    data: a path (LIBSVM, CSV, JSON Lines, a cache; compressed or not) or a generator such as
    "synnonsep:n=100000,seed=1". Keywords are options of the learner (gamma=0.05) and of reading
    (label="outcome", shuffle=1, passes=2, scale="maxabs"), with None as the default.
    model: goes on with this one, which has its learner and options already. save, trace, curve:
    files to be written, as by the program.

    >>> import soba
    >>> result = soba.run("synnonsep:n=2000,seed=1", learner="soba-ovr")
    >>> result.error < 0.5
    True
    """
    data = _path(data)
    files = _soba.RunFiles(*(path and _path(path) for path in (save, trace, curve)))
    if not _generator(data):
        os.stat(data)
    learning, reading = split(options)
    if model is None:
        text, points, held = _soba.run_new(data, learner, learning, reading, seed, files)
        model = Model._of(held)
    else:
        if learning:
            raise ValueError(f"the model has its options already: {', '.join(learning)}")
        text, points, _ = _soba.run_more(data, model._held, reading, files)
    return RunResult(json.loads(text), points, model)


def _generator(data):
    return data.split(":")[0] in ("synsep", "synnonsep") and not os.path.exists(data)


def _named(things):
    if isinstance(things, dict):
        return list(things.items())
    if isinstance(things, (str, os.PathLike)):
        things = [things]
    return [(None, one) for one in things]


def _sweep_learner(name, text, grid):
    """A learner of a plan: with the axes that it has the options for."""
    learner, _, rest = text.partition(":")
    for one in learners():
        if learner == one["name"] or learner in (alias["name"] for alias in one["aliases"]):
            has = {option["name"] for option in one["options"]}
            break
    else:
        has = set(grid)  # the library says what is wrong
    out = {"name": name or text, "learner": learner,
           "grid": {axis: values for axis, values in grid.items() if axis in has}}
    if rest:
        out["options"] = dict(item.partition("=")[::2] for item in rest.split(","))
    return out


def _sweep_plan(data, named_learners, grid, seeds, options):
    learning, reading = split(options)
    if learning:
        raise TypeError(f"unknown keywords {sorted(learning)}; the options of a learner go into "
                        "grid, or behind its name: 'soba:explore=gap'")
    axes = {axis.replace("_", "-"): values if isinstance(values, str) else list(values)
            for axis, values in grid.items()}
    plan = {"seeds": seeds if isinstance(seeds, str) else list(seeds),
            "data": [{"name": name or _path(path), "data": _path(path), **reading}
                     for name, path in _named(data)],
            "learners": [_sweep_learner(name, text, axes)
                         for name, text in _named(named_learners)]}
    used = {axis for one in plan["learners"] for axis in one["grid"]}
    if set(axes) - used:
        raise ValueError(f"grid: no learner has the option {sorted(set(axes) - used)[0]!r}")
    return plan


def sweep(data: Named, learner: Named, *, grid: Mapping[str, Any] | None = None,
          seeds: str | Iterable[int] = "1..3", results: Path | None = None,
          workers: int | None = None, **options: Any):
    """Plays every data set with every learner, at every point of a grid, with every seed.

    data, learner: one, a list, or {name for tables: path or learner}. A learner may carry options:
    "soba:explore=gap". grid: {option: values}, as a list or as a text such as "2^-14..2^-1"; for
    the learners that have the option. Further keywords are options of reading the data.
    results: the file of result rows, which `soba report` reads, too; a sweep that is started again
    plays what is missing. Returns the rows as a data frame, an axis of the grid a column.

    >>> import soba
    >>> frame = soba.sweep("synsep:n=500,seed=1", ["sobadiag", "banditron"],
    ...                    grid={"gamma": [0.1, 0.2]}, seeds=[1, 2])
    >>> len(frame), 'gamma' in frame.columns
    (8, True)
    """
    plan = _sweep_plan(data, learner, grid or {}, seeds, options)
    workers = workers or os.cpu_count() or 1
    if results is None:
        with tempfile.TemporaryDirectory() as folder:
            return _sweep(plan, os.path.join(folder, "results.jsonl"), workers)
    return _sweep(plan, _path(results), workers)


def _sweep(plan, path, workers):
    _, _, _, failures = _soba.sweep(json.dumps(plan), path, workers)
    if failures:
        raise RuntimeError("runs that failed:\n" + "\n".join(failures))
    return read_rows(path)


def read_rows(path):
    """The rows of a results file as a data frame, an axis of the grid a column."""
    import pandas

    rows = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            row.update(row.pop("grid", {}))
            row.update(row.pop("measured", {}))
            rows.append({key: value for key, value in row.items() if key != "curve"})
    return pandas.DataFrame(rows)


def report(results: Path | Sequence[Path], output: Path | None = None, *,
           format: str | None = None, title: str | None = None) -> str | None:
    """The charts and tables of `soba report`, from files of result rows.

    With `output`, they are written there; else they are returned as text. format: "html" (a page
    that needs no network), "md" or "csv"; without it, what the name of `output` says.

    >>> import os, soba, tempfile
    >>> rows = os.path.join(tempfile.mkdtemp(), "results.jsonl")
    >>> _ = soba.sweep("synsep:n=500,seed=1", "banditron", grid={"gamma": [0.1, 0.2]}, results=rows)
    >>> soba.report(rows, format="md").splitlines()[0].startswith("#")
    True
    """
    paths = [_path(one) for one in ([results] if isinstance(results, (str, os.PathLike))
                                    else results)]
    for path in paths:
        os.stat(path)
    if format is None:
        ending = os.path.splitext(_path(output))[1].lstrip(".") if output else "html"
        format = {"htm": "html", "markdown": "md"}.get(ending, ending)
    text = _soba.report(paths, format, title or "")
    if output is None:
        return text
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)
    return None
