"""Data sets as (X, y): a SciPy CSR matrix, or a data frame, and the labels as an array."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _soba
from .model import Path, _path
from .options import split

__all__ = ["load", "load_covtype", "synnonsep", "synsep"]


def load(data: Path, **options: Any):
    """All of a file or a generator as (X, y): a CSR matrix and the texts of the labels.

    Keywords are options of reading, as for soba.run. Labels that are whole numbers become them.

    >>> from soba.datasets import load
    >>> X, y = load("synsep:n=100,seed=1")
    >>> X.shape, len(y)
    ((100, 400), 100)
    """
    from scipy.sparse import csr_matrix

    learning, reading = split(options)
    if learning:
        raise TypeError(f"unknown options of reading: {sorted(learning)}")
    data = _path(data)
    if ":" not in data or os.path.exists(data):
        os.stat(data)
    held = _soba.load(data, reading)
    shape = (len(held["label"]), len(held["features"]))
    X = csr_matrix((held["value"], held["index"], held["begin"]), shape=shape)
    labels = np.array(held["labels"])
    try:
        if all(str(int(label)) == label for label in held["labels"]):
            labels = labels.astype(np.int64)
    except ValueError:
        pass  # they are words
    return X, labels[held["label"]]


def synsep(n: int = 100_000, seed: int = 1):
    """The paper's separable data: nine classes, 400 binary features.

    >>> from soba.datasets import synsep
    >>> X, y = synsep(n=50)
    >>> X.shape
    (50, 400)
    """
    return load(f"synsep:n={int(n)},seed={int(seed)}")


def synnonsep(n: int = 100_000, seed: int = 1, noise: float = 0.05):
    """The same with a share of labels replaced at random: nobody can err less than that noise.

    >>> from soba.datasets import synnonsep
    >>> X, y = synnonsep(n=50, noise=0.1)
    >>> X.shape
    (50, 400)
    """
    return load(f"synnonsep:n={int(n)},seed={int(seed)},noise={float(noise)!r}")


def load_covtype(path: Path = "data/covtype.libsvm.xz", **options: Any):
    """Covertype (581,012 examples, 54 features, 7 classes), from the file that Soba comes with.

    >>> from soba.datasets import load_covtype
    >>> X, y = load_covtype(limit=1000)  # doctest: +SKIP
    """
    return load(path, **options)
