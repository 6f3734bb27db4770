"""river's face, with a stand-in that has river's checks: river is no Debian package."""
import copy
import pickle
import sys
import types

import pytest

import soba
from soba import river as face


@pytest.fixture
def base(monkeypatch):
    """A river with a base.Classifier alone."""
    class Classifier:
        def predict_one(self, x):
            raise NotImplementedError

    river = types.ModuleType("river")
    river.base = types.ModuleType("river.base")
    river.base.Classifier = Classifier
    monkeypatch.setitem(sys.modules, "river", river)
    monkeypatch.setitem(sys.modules, "river.base", river.base)
    face._class.cache_clear()
    yield river.base
    face._class.cache_clear()


def stream():
    for i in range(400):
        yield {"x": float(i % 5), "who": ["ann", "bob"][i % 2]}, i % 2 == 0


def check(classifier):
    """What river's own checks ask of a classifier (river/checks/clf.py and common.py)."""
    right = 0
    for x, y in stream():
        before = dict(x)
        p = classifier.predict_proba_one(x)
        assert abs(sum(p.values()) - 1) < 1e-9 and all(0 <= v <= 1 for v in p.values())
        guess = classifier.predict_one(x)
        right += guess == y
        assert classifier.learn_one(x, y) is classifier
        assert x == before, "x must not be changed"
    assert isinstance(guess, bool)
    # Unseen features, and features that are missing.
    classifier.predict_one({"x": 1.0})
    classifier.predict_one({"another": 1.0})
    copy.deepcopy(classifier).learn_one(*next(stream()))
    assert right > 300
    return classifier


def model():
    return soba.Model("soba-ovr", labels=["False", "True"])


def test_it_is_a_classifier_of_river(base):
    classifier = check(model().as_river())
    assert isinstance(classifier, base.Classifier) and classifier._multiclass


def test_it_works_without_river():
    classifier = check(model().as_river())
    again = pickle.loads(pickle.dumps(classifier))
    assert again.predict_one({"x": 1.0, "who": "ann"}) is True


def test_the_model_must_know_the_label():
    with pytest.raises(ValueError, match="label 'maybe' is none"):
        model().as_river().learn_one({"x": 1}, "maybe")
