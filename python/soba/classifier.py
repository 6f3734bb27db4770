"""The learners as a scikit-learn classifier."""
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_array, check_random_state
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from . import _soba
from .model import Model
from .options import option_texts
from .rows import has_texts, is_frame, matrix, table

__all__ = ["BanditClassifier"]

_OWN = ("learner", "passes", "shuffle", "random_state")


class BanditClassifier(ClassifierMixin, BaseEstimator):
    """A linear classifier that learns from guesses: of each example it is told only whether the
    label that it has drawn was right.

    Parameters
    ----------
    learner : str, a name of soba.learners(), such as "auto", "soba-ovr" or "sobadiag".
    passes : int, how often fit() plays the examples.
    shuffle : bool, whether fit() plays them in a random order, anew in every pass.
    random_state : int, RandomState or None, of the exploration and of the order. An int is the
        seed of the exploration.
    gamma, ... : options of the learner by their names, "-" as "_"; None is the default.
        soba.learners() says which learner has which, their ranges and defaults.

    Attributes
    ----------
    classes_ : the labels, sorted. n_features_in_, feature_names_in_ : as in scikit-learn.
    model_ : the soba.Model inside, which save() writes for the program `soba`.
    mistakes_ : how many of the labels drawn so far were wrong; rounds_ : how many were drawn.

    X is an array, a SciPy sparse matrix or a pandas data frame. A data frame with columns of texts
    is learnt by its names, a text as a one-hot feature; there, NaN and None are missing values.

    >>> import soba
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = soba.BanditClassifier(random_state=0).fit(X, y)
    >>> clf.predict(X[:1]).shape, clf.score(X, y) > 0.8
    ((1,), True)
    """

    def __init__(self, learner="auto", gamma=None, *, passes=1, shuffle=True, random_state=None,
                 C=None, D=None, X=None, a=None, advice=None, alpha=None, b=None, beta=None,
                 budget=None, constant=None, cost=None, covariance=None, eps=None, eta=None,
                 exact_cells=None, explore=None, explore_scale=None, full_features=None,
                 gamma_exponent=None, gamma_scale=None, gap_floor=None, gate=None, hinge_loss=None,
                 horizon=None, loss=None, members=None, memory=None, oracle=None, q=None, r=None,
                 rescale=None, ridges=None, rule=None, scale_free=None, sketch_size=None,
                 slack=None, step=None, variant=None):
        given = dict(locals())
        for name in self._get_param_names():
            setattr(self, name, given[name])

    def partial_fit(self, X, y, classes=None):
        """Plays the examples in their order. The first call needs all `classes`.

        >>> import soba
        >>> clf = soba.BanditClassifier("sobadiag")
        >>> clf.partial_fit([[0.0, 1.0], [1.0, 0.0]], ["a", "b"], classes=["a", "b"]).rounds_
        2
        """
        fresh = not hasattr(self, "model_")
        if fresh and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        if not fresh and classes is not None and not np.array_equal(
                self.classes_, unique_labels(classes)):
            raise ValueError(f"classes={classes!r} is not the same as on the first call")
        rows, y = self._checked(X, y, reset=fresh)
        if fresh:
            self._begin(unique_labels(classes), rows)
        self._play(rows, self._numbers(y), np.empty(0, np.int64))
        return self

    def fit(self, X, y):
        """Forgets what was learnt, and plays the examples `passes` times.

        >>> import soba
        >>> soba.BanditClassifier("sobadiag", passes=3).fit([[0.0], [1.0]], [0, 1]).rounds_
        6
        """
        if not isinstance(self.passes, (int, np.integer)) or self.passes < 1:
            raise ValueError(f"passes: expected a whole number >= 1, found {self.passes!r}")
        rows, y = self._checked(X, y, reset=True)
        random = check_random_state(self.random_state)
        self._begin(unique_labels(y), rows)
        numbers = self._numbers(y)
        for _ in range(self.passes):
            order = random.permutation(len(rows)) if self.shuffle else np.empty(0)
            self._play(rows, numbers, order.astype(np.int64))
        return self

    def partial_fit_log(self, X, played, correct, probability, classes=None):
        """Learns from a log: for each row, the label that was played, with which probability, and
        whether it was right. The first call needs all `classes`.

        >>> import soba
        >>> clf = soba.BanditClassifier("sobadiag")
        >>> clf = clf.partial_fit_log([[0.0], [1.0]], ["a", "b"], [True, False], [0.5, 0.5],
        ...                           classes=["a", "b"])
        >>> clf.mistakes_
        1
        """
        fresh = not hasattr(self, "model_")
        if fresh and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit_log.")
        rows, played = self._checked(X, played, reset=fresh)
        correct = column_or_1d(correct)
        if not np.isin(correct, (0, 1)).all():
            raise ValueError("correct: expected True or False for each row")
        probability = column_or_1d(probability).astype(np.float64)
        check_consistent_length(played, correct, probability)
        if fresh:
            self._begin(unique_labels(classes), rows)
        self._count(self.model_._held.learn_log(rows, self._numbers(played),
                                                correct.astype(bool), probability))
        return self

    def predict(self, X):
        """The label with the highest score for each row: no exploration."""
        check_is_fitted(self)
        _, best = self.model_._held.predict(self._checked_x(X, reset=False), False)
        return self.classes_[best]

    def predict_proba(self, X):
        """The distribution with which labels would be played. Its argmax is predict()."""
        check_is_fitted(self)
        p, best = self.model_._held.predict(self._checked_x(X, reset=False), True)
        # Where others are as probable, or more by rounding, the greedy label leads by a hair.
        each = np.arange(len(p))
        behind = p.argmax(axis=1) != best
        p[each[behind], best[behind]] = np.nextafter(p[behind].max(axis=1, initial=0), 2)
        return p

    def decision_function(self, X):
        """The scores: a column for each class, and of two classes the lead of the second."""
        check_is_fitted(self)
        scores, _ = self.model_._held.predict(self._checked_x(X, reset=False), False)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def save(self, path):
        """Writes the model for the program `soba`; its labels are the texts of classes_."""
        check_is_fitted(self)
        self.model_.save(path)

    def _options(self):
        given = {name: value for name, value in self.get_params().items() if name not in _OWN}
        return option_texts(given)

    def _seed(self):
        if isinstance(self.random_state, (int, np.integer)):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _begin(self, classes, rows):
        if len(classes) < 2:
            raise ValueError("this solver needs samples of at least 2 classes in the data, but the "
                             f"data contains only one class: {classes[0]!r}")
        held = _soba.make_model(self.learner, self._options(), [str(c) for c in classes],
                                -1 if rows.named else rows.columns, self._seed(), "none", False)
        self.classes_ = classes
        self.model_ = Model._of(held)
        self.rounds_ = self.mistakes_ = 0

    def _numbers(self, y):
        places = self._places(np.asarray(y))
        known = places < len(self.classes_)
        known[known] = self.classes_[places[known]] == np.asarray(y)[known]
        if not known.all():
            odd = np.asarray(y)[~known][0]
            raise ValueError(f"label {odd!r} is not in classes: {self.classes_!r}")
        return places.astype(np.int32)

    def _places(self, y):
        """Where each label would be in classes_."""
        first, last = self.classes_[0], self.classes_[-1]
        if y.dtype.kind == self.classes_.dtype.kind == "i" and last - first < 10_000:
            table = np.searchsorted(self.classes_, np.arange(first, last + 2))
            return table[np.clip(y, first, last + 1) - first]  # much faster than a search for each
        return np.searchsorted(self.classes_, y)

    def _play(self, rows, numbers, order):
        self._count(self.model_._held.play(rows, numbers, order))

    def _count(self, tally):
        self.rounds_ += tally["rounds"]
        self.mistakes_ += tally["mistakes"]

    def _checked(self, X, y, reset):
        if y is None:
            raise ValueError("This BanditClassifier estimator requires y to be passed, but the "
                             "target y is None")
        rows = self._checked_x(X, reset)
        y = column_or_1d(y, warn=True)
        check_consistent_length(X, y)
        check_classification_targets(y)
        return rows, y

    def _checked_x(self, X, reset):
        self._check_names(X, reset)
        texts = is_frame(X) and has_texts(X)
        if not reset:
            texts = self._texts
        if not texts:
            X = check_array(X, accept_sparse="csr", dtype=(np.float64, np.float32),
                            estimator=self)
        elif not is_frame(X):
            raise ValueError("X: expected a data frame, as in fit()")
        if reset:
            self._texts = texts
            self.n_features_in_ = X.shape[1]
        elif X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but BanditClassifier is expecting "
                             f"{self.n_features_in_} features as input")
        return table(X) if texts else matrix(X)

    def _check_names(self, X, reset):
        check = getattr(self, "_check_feature_names", None)
        if check is None:  # moved in scikit-learn 1.6
            from sklearn.utils.validation import _check_feature_names

            _check_feature_names(self, X, reset=reset)
        else:
            check(X, reset=reset)
