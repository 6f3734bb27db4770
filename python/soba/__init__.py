"""Decisions under bandit feedback: pick a label, learn from whether it was right.

Model            decisions by name, whose answers come later
BanditClassifier the same learners as a scikit-learn estimator
run, sweep       labelled data played with simulated feedback, as by the program `soba`
report, plot     what came of it
datasets         the paper's synthetic data, Covertype, and any file

>>> import soba
>>> model = soba.Model("auto", labels=["card", "cash", "invoice"])
>>> d = model.decide({"amount": 120, "country": "de"})
>>> model.reward(d, d.label == "card")
"""
import importlib

from . import _soba, datasets
from .errors import FormatError, ResourceError
from .model import Decision, Model
from .options import learners
from .runs import RunResult, report, run, sweep

__version__ = _soba.version

__all__ = ["BanditClassifier", "Decision", "FormatError", "Model", "ResourceError", "RunResult",
           "datasets", "learners", "plot", "report", "run", "sweep"]


def __getattr__(name):
    # scikit-learn and matplotlib are loaded where they are used.
    if name == "BanditClassifier":
        from .classifier import BanditClassifier

        return BanditClassifier
    if name == "plot":
        return importlib.import_module(".plot", __name__)
    raise AttributeError(f"module 'soba' has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), "BanditClassifier", "plot"])
