"""Keywords to the library's options and back."""
import functools
import json
import numbers

from . import _soba

__all__ = ["learners"]


@functools.lru_cache(maxsize=None)
def _learners():
    return json.loads(_soba.learners())


def learners() -> list[dict]:
    """Every learner, as a list of dicts: its name, what it does, and its options.

    >>> import soba
    >>> soba.learners()[0]["name"]
    'auto'
    """
    return json.loads(json.dumps(_learners()))


@functools.lru_cache(maxsize=None)
def option_names():
    """The options that some learner has, as keywords."""
    return frozenset(o["name"].replace("-", "_") for one in _learners() for o in one["options"])


def text_of(name, value):
    """The text of one option's value."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool,)) or type(value).__name__ in ("bool_", "bool"):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value):
        return ",".join(_quoted(one) for one in value)
    raise TypeError(f"{name}: expected a number, a str or a bool, not {type(value).__name__}")


def _quoted(word):
    plain = not any(c in word for c in ',"\n\r') and word == word.strip()
    return word if plain and word else '"' + word.replace('"', '""') + '"'


def option_texts(options):
    """{keyword: value} as the library's {option: text}; None is left out."""
    return {name.replace("_", "-"): text_of(name, value)
            for name, value in options.items() if value is not None}


def split(keywords):
    """(learner's options, options of reading data), both as texts."""
    known = _soba.data_options()
    given = option_texts(keywords)
    return ({name: text for name, text in given.items() if name not in known},
            {name: text for name, text in given.items() if name in known})
