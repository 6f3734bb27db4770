"""Decisions whose answers come later: the model in service."""
from __future__ import annotations

import os
from typing import Any, Iterable, Mapping, Sequence, Union

import numpy as np

from . import _soba
from .options import option_texts
from .rows import rows_of

__all__ = ["Decision", "Model"]

Decision = _soba.Decision

Path = Union[str, "os.PathLike[str]"]
Case = Union[Mapping[str, Any], Sequence[float], np.ndarray]


def _path(path):
    return os.fspath(path) if not isinstance(path, bytes) else os.fsdecode(path)


def _id(decision):
    if isinstance(decision, Decision):
        return decision.id
    if isinstance(decision, str):
        return decision
    raise TypeError(f"expected a Decision or its id, not {type(decision).__name__}")


def _labels(labels):
    if isinstance(labels, str):
        raise TypeError("labels: expected a list of texts, not one text")
    labels = list(labels)
    for label in labels:
        if not isinstance(label, str):
            raise TypeError(f"labels: expected texts, found {label!r}")
    if len(labels) < 2:
        raise ValueError(f"labels: expected two or more, found {len(labels)}")
    return labels


class Model:
    """A learner that decides, and learns from being told whether it was right.

    learner: a name of soba.learners(), such as "auto", "soba" or "sobadiag".
    labels: what there is to choose from, as texts.
    seed: of the exploration; the same seed and calls give the same decisions.
    normalize: "l2" divides every x by its Euclidean norm. bias: adds a feature that is always 1.
    Further keywords are options of the learner, such as gamma=0.05; None is the default.

    >>> import soba
    >>> model = soba.Model("auto", labels=["card", "cash", "invoice"])
    >>> d = model.decide({"amount": 120, "country": "de"})
    >>> d.label in model.labels
    True
    >>> model.reward(d, True)  # once it is known, in any order
    >>> model.tally["answers"]
    1

    Any number of threads may use one model.
    """

    def __init__(self, learner: str = "auto", labels: Sequence[str] | None = None, *, seed: int = 1,
                 normalize: str = "none", bias: bool = False, **options: Any):
        if labels is None:
            raise TypeError("labels: say what there is to choose from")
        self._held = _soba.make_model(learner, option_texts(options), _labels(labels), -1, seed,
                                      normalize, bias)

    @classmethod
    def _of(cls, held):
        model = cls.__new__(cls)
        model._held = held
        return model

    @classmethod
    def load(cls, path: Path) -> Model:
        """The model of a file, which the program `soba` or save() has written.

        >>> import os, soba, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "m.model")
        >>> soba.Model("sobadiag", labels=["a", "b"]).save(path)
        >>> soba.Model.load(path).labels
        ['a', 'b']
        """
        path = _path(path)
        os.stat(path)  # FileNotFoundError and PermissionError are Python's
        return cls._of(_soba.load_model(path))

    @classmethod
    def open(cls, path: Path, learner: str | None = None, labels: Sequence[str] | None = None, *,
             durability: str = "strict", **keywords: Any) -> Model:
        """The model of a file, with a journal beside it: what decide() and reward() have returned
        is on the disk, and survives the program and the machine.

        A model that is not there is made, with the arguments of Model(). No other process can
        change the model until close(), which saves it; `with` closes it. durability="relaxed"
        waits for the operating system only, and survives the program's death alone.

        >>> import os, soba, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "m.model")
        >>> with soba.Model.open(path, "sobadiag", labels=["a", "b"]) as model:
        ...     d = model.decide({"x": 1})
        >>> soba.Model.load(path).pending == [d.id]
        True
        """
        if durability not in ("strict", "relaxed"):
            raise ValueError(f"durability: {durability!r} is not 'strict' or 'relaxed'")
        fresh = None
        if labels is not None and not os.path.exists(path):
            fresh = cls(learner or "auto", labels, **keywords)._held
        model = cls._of(_soba.open_model(_path(path), fresh, durability == "strict"))
        try:
            model._check_agrees(learner, labels)
        except BaseException:
            model.close()
            raise
        return model

    def _check_agrees(self, learner, labels):
        if labels is not None and self.labels[:len(labels)] != _labels(labels):
            raise ValueError(f"labels: the model's are {self.labels}")

    def close(self) -> None:
        """Saves a model that open() has opened, and lets go of its file."""
        self._held.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def decide(self, features: Case, allowed: Sequence[str] | None = None, *,
               id: str | None = None) -> Decision:
        """The label for a case: a Decision, which waits for its answer.

        features: a dict of named values (numbers, texts, booleans; None is missing), or numbers
        for a model that was taught with a matrix. allowed: the labels to choose from, of which one
        must be right; None is all that are not retired. id: a text of your own; without one, the number
        of the decision. An id that still waits gets its decision again, for the same features.

        >>> import soba
        >>> model = soba.Model("sobadiag", labels=["a", "b"], gamma=0.1)
        >>> d = model.decide({"age": 31, "plan": "pro"}, id="e1")
        >>> d.id, round(sum(d.distribution.values()), 12)
        ('e1', 1.0)
        >>> model.decide({"age": 31}, allowed=["b"]).distribution
        {'b': 1.0}
        """
        return self._held.decide(features, id, allowed)

    def reward(self, decision: Decision | str, correct: bool) -> None:
        """Says whether the label of a decision was right: learns from it. At most once for each
        decision, in any order, with any delay; KeyError for one that does not wait.

        >>> import soba
        >>> model = soba.Model("sobadiag", labels=["a", "b"])
        >>> first, second = model.decide({"x": 1}), model.decide({"x": 2})
        >>> model.reward(second, True)
        >>> model.reward(first.id, False)
        >>> model.reward(first, False)
        Traceback (most recent call last):
            ...
        KeyError: 'no decision waits under the id 1'
        """
        # A label in the place of a bit would be true without a word.
        if correct is not True and correct is not False:
            if not isinstance(correct, (np.bool_, int)) or correct not in (0, 1):
                raise TypeError(f"correct: expected True or False, not {correct!r}")
        id = _id(decision)
        if not self._held.reward(id, bool(correct)):
            raise KeyError(f"no decision waits under the id {id}")

    def forget(self, decision: Decision | str) -> None:
        """Drops a decision whose answer will never come; nothing is learnt.

        >>> import soba
        >>> model = soba.Model("sobadiag", labels=["a", "b"])
        >>> model.forget(model.decide({"x": 1}))
        >>> model.pending
        []
        """
        id = _id(decision)
        if not self._held.forget(id):
            raise KeyError(f"no decision waits under the id {id}")

    def scores(self, features: Case) -> dict[str, float]:
        """The score of each label for a case, as {label: score}; nothing is learnt.

        >>> import soba
        >>> soba.Model("sobadiag", labels=["a", "b"]).scores({"x": 1})
        {'a': 0.0, 'b': 0.0}
        """
        return self._by_label(self._held.numbers_of(features, False))

    def distribution(self, features: Case) -> dict[str, float]:
        """With which probability decide() would draw each label for a case; nothing is learnt.

        >>> import soba
        >>> soba.Model("sobadiag", labels=["a", "b"], gamma=0.5).distribution({"x": 1})
        {'a': 0.75, 'b': 0.25}
        """
        return self._by_label(self._held.numbers_of(features, True))

    def _by_label(self, numbers):
        facts = self._held.facts()
        return {label: number for label, number in zip(facts["labels"], numbers)
                if label not in facts["retired"]}

    def predict(self, features: Case) -> str:
        """The label with the highest score; no exploration, nothing is learnt.

        >>> import soba
        >>> soba.Model("sobadiag", labels=["a", "b"]).predict({"x": 1})
        'a'
        """
        scores = self.scores(features)
        return max(scores, key=scores.get)

    def learn(self, X: Any, y: Iterable[str]) -> dict[str, int]:
        """Plays labelled cases as if the labels were hidden; returns what was counted.

        X: a pandas data frame, or a matrix for a model that was taught with one. y: the right
        labels, which the learner is told only whether it has guessed.

        >>> import pandas, soba
        >>> model = soba.Model("sobadiag", labels=["a", "b"])
        >>> frame = pandas.DataFrame({"x": [1.0, 2.0], "plan": ["pro", None]})
        >>> model.learn(frame, ["a", "b"])["rounds"]
        2
        """
        facts = self._held.facts()
        places = {label: i for i, label in enumerate(facts["labels"])}
        numbers = []
        for label in y:
            if label not in places:
                raise ValueError(f"label {label!r} is none of the model's: {facts['labels']}")
            numbers.append(places[label])
        return self._held.play(rows_of(X, facts["named"]), np.array(numbers, np.int32),
                               np.empty(0, np.int64))

    def add_label(self, label: str) -> None:
        """Adds a label, which the learner has never seen. Decisions that wait keep the labels that
        they had to choose from. ValueError for a learner that cannot have more.

        >>> import soba
        >>> model = soba.Model("soba-ovr", labels=["a", "b"])
        >>> model.add_label("c")
        >>> model.labels
        ['a', 'b', 'c']
        """
        self._held.add_label(label)

    def rename_label(self, old: str, new: str) -> None:
        """Gives a label another name.

        >>> import soba
        >>> model = soba.Model("soba-ovr", labels=["a", "b"])
        >>> model.rename_label("b", "beta")
        >>> model.labels
        ['a', 'beta']
        """
        self._held.rename_label(old, new)

    def retire_label(self, label: str) -> None:
        """Takes a label out of use, for ever; what was learnt of it stays.

        >>> import soba
        >>> model = soba.Model("soba-ovr", labels=["a", "b", "c"])
        >>> model.retire_label("c")
        >>> model.labels, model.retired
        (['a', 'b'], ['c'])
        """
        self._held.retire_label(label)

    def explain(self, decision: Decision | str | Case, allowed: Sequence[str] | None = None, *,
                most: int = 10) -> dict[str, Any]:
        """Why the model prefers a label to the runner-up, by what it knows now.

        decision: one that waits, its id, or the features of a case. Returns a dict: `label` leads
        `over` by `lead`, the sum of `constant`, of the amounts in `features` (name, value, amount;
        the largest first, at most `most`) and of `rest`, the features that are not shown.
        ValueError where the scores of the learner are not linear.

        >>> import soba
        >>> model = soba.Model("soba-ovr", labels=["a", "b"])
        >>> for i in range(20):
        ...     d = model.decide({"x": i % 2, "y": 1})
        ...     model.reward(d, d.label == "ab"[i % 2])
        >>> why = model.explain({"x": 1, "y": 1})
        >>> why["label"], why["over"], why["features"][0][0]
        ('b', 'a', 'x')
        """
        if isinstance(decision, (Decision, str)):
            return self._held.explain(None, _id(decision), allowed, most)
        return self._held.explain(decision, None, allowed, most)

    def weights(self, most: int = 10) -> dict[str, dict[str, float]]:
        """What the model has learnt: for each label the features of the largest weights.

        >>> import soba
        >>> model = soba.Model("sobadiag", labels=["a", "b"])
        >>> model.weights()
        {'a': {}, 'b': {}}
        """
        return self._held.weights(most)

    def change(self, **options: Any) -> None:
        """Changes options that may change on a model that has learnt, such as gamma.

        >>> import soba
        >>> model = soba.Model("sobadiag", labels=["a", "b"], gamma=0.1)
        >>> model.change(gamma=0.01)
        >>> model.options["gamma"]
        '0.01'
        """
        for option, value in option_texts(options).items():
            self._held.change(option, value)

    def save(self, path: Path) -> None:
        """Writes the model file, which replaces `path` only when it is complete.

        >>> import os, soba, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "m.model")
        >>> soba.Model("sobadiag", labels=["a", "b"]).save(path)
        """
        self._held.save(_path(path))

    def __getstate__(self):
        return {"model": self._held.bytes()}

    def __setstate__(self, state):
        self._held = _soba.Model(state["model"])

    @property
    def labels(self) -> list[str]:
        """What there is to choose from."""
        facts = self._held.facts()
        return [label for label in facts["labels"] if label not in facts["retired"]]

    @property
    def retired(self) -> list[str]:
        """The labels that are never chosen again."""
        return self._held.facts()["retired"]

    @property
    def learner(self) -> str:
        """The name of the learner; an alias is resolved."""
        return self._held.facts()["learner"]

    @property
    def options(self) -> dict[str, str]:
        """Every option of the learner, as texts by keyword."""
        return {name.replace("-", "_"): text
                for name, text in self._held.facts()["options"].items()}

    @property
    def seed(self) -> int:
        """The seed of the exploration."""
        return self._held.facts()["seed"]

    @property
    def pending(self) -> list[str]:
        """The ids of the decisions that wait for their answers."""
        return self._held.facts()["pending"]

    @property
    def tally(self) -> dict[str, int]:
        """What was counted over the life of the model: rounds, answers, mistakes, updates, …"""
        return self._held.facts()["tally"]

    def as_river(self):
        """The model as a classifier of river, which it learns with: see soba.river.

        >>> import soba
        >>> model = soba.Model("sobadiag", labels=["a", "b"]).as_river()
        >>> model.learn_one({"x": 1}, "a").predict_one({"x": 1}) in ("a", "b")
        True
        """
        from .river import classifier

        return classifier(self)

    def as_coba(self):
        """The model as a learner of coba, which chooses among its labels: see soba.coba.

        >>> import soba
        >>> learner = soba.Model("sobadiag", labels=["a", "b"]).as_coba()
        >>> action, probability, info = learner.predict({"x": 1}, ["a", "b"])
        >>> learner.learn({"x": 1}, action, 1, probability, **info)
        """
        from .coba import Learner

        return Learner(self)

    def __repr__(self):
        try:
            facts = self._held.facts()
        except ValueError:
            return "<soba.Model, closed>"
        return (f"<soba.Model {facts['learner']}, {len(facts['labels'])} labels, "
                f"{facts['tally']['rounds']} rounds>")
