"""From NumPy, SciPy and pandas to rows that the library reads where they are."""
import sys

import numpy as np

from . import _soba

__all__ = []


def is_frame(x):
    """Whether x is a pandas data frame."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(x, pandas.DataFrame)


def has_texts(frame):
    """Whether a column of the data frame is neither numbers nor booleans."""
    return any(dtype.kind not in "biuf" for dtype in map(_dtype, frame.dtypes))


def _dtype(dtype):
    # pandas' own dtypes, such as category, have a kind of their own: "O".
    return dtype if hasattr(dtype, "kind") else np.dtype(object)


def _column(series):
    import pandas

    if pandas.api.types.is_numeric_dtype(series.dtype):  # booleans as well
        return series.to_numpy(dtype=np.float64, na_value=np.nan), None
    held = series[series.notna()]
    if len(held) and not held.map(lambda v: isinstance(v, str)).all():
        odd = next(v for v in held if not isinstance(v, str))
        raise TypeError(f"column {series.name!r}: expected texts or numbers, found {odd!r}")
    codes, texts = pandas.factorize(series, use_na_sentinel=True)
    return codes.astype(np.int32), [str(text) for text in texts]


def table(frame):
    """The rows of a data frame by the names of its columns; NaN and None are missing values."""
    names = list(frame.columns)
    if not all(isinstance(name, str) for name in names):
        raise TypeError("the names of columns must be str")
    return _soba.table(names, [_column(frame[name]) for name in names], len(frame))


def matrix(x):
    """The rows of a NumPy array or a SciPy sparse matrix; no copy of float64, float32 and CSR."""
    if hasattr(x, "tocsr"):
        x = x.tocsr()
        if not x.has_canonical_format:
            x = x.copy()
            x.sum_duplicates()
        values = x.data if x.data.dtype in (np.float64, np.float32) else x.data.astype(np.float64)
        return _soba.csr(np.ascontiguousarray(values), x.indices, x.indptr, x.shape[1])
    x = np.asarray(x)
    if x.dtype.kind not in "biuf":
        x = x.astype(np.float64)
    if x.ndim != 2:
        raise ValueError(f"expected a matrix of two dimensions, found {x.ndim}")
    if x.dtype not in (np.float64, np.float32) or not x.dtype.isnative:
        x = x.astype(np.float64)
    return _soba.dense(x)


def rows_of(x, named):
    """Rows for a model whose features have names, or have none."""
    if named:
        if not is_frame(x):
            raise ValueError("the features of this model have names: give a pandas data frame")
        return table(x)
    return matrix(x.to_numpy() if is_frame(x) else x)
