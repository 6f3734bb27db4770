"""A model as a classifier of river (https://riverml.xyz)."""
import functools

from .model import Model

__all__ = ["classifier"]


class _Classifier:
    """river's face of a model: it learns from right labels as bandit feedback, one at a time."""

    def __init__(self, model=None):
        self.model = model if model is not None else Model("auto", labels=["False", "True"])
        self._given = {}  # labels as river has them, by their texts

    def learn_one(self, x, y, **_):
        """Decides about x, and learns whether that was the label y."""
        text = y if isinstance(y, str) else str(y)
        if text not in self.model.labels:
            raise ValueError(f"label {y!r} is none of the model's: {self.model.labels}")
        self._given[text] = y
        decision = self.model.decide(x)
        self.model.reward(decision, decision.label == text)
        return self

    def predict_one(self, x, **_):
        """The label with the highest score."""
        label = self.model.predict(x)
        return self._given.get(label, label)

    def predict_proba_one(self, x, **_):
        """The distribution with which labels would be played."""
        return {self._given.get(label, label): p for label, p in
                self.model.distribution(x).items()}

    @property
    def _multiclass(self):
        return True

    @property
    def _supervised(self):
        return True

    def __reduce__(self):  # the class may be one that was made with river's base
        return classifier, (self.model,), {"_given": self._given}

    def __repr__(self):
        return f"<soba for river: {self.model!r}>"


@functools.lru_cache(maxsize=None)
def _class():
    try:
        from river import base
    except ImportError:
        return _Classifier
    return type("Classifier", (_Classifier, base.Classifier), {"__module__": __name__})


def classifier(model):
    """The model as a river classifier; a subclass of river.base.Classifier where river is there."""
    return _class()(model)
