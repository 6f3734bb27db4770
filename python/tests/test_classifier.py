"""scikit-learn's face."""
import pickle

import numpy as np
import pytest

import soba

sklearn = pytest.importorskip("sklearn")
scipy_sparse = pytest.importorskip("scipy.sparse")

from sklearn.base import clone  # noqa: E402
from sklearn.datasets import load_digits, load_iris, make_blobs  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

BanditClassifier = soba.BanditClassifier


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks([BanditClassifier("auto", random_state=0)])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def blobs(seed=0):
    X, y = make_blobs(400, n_features=5, centers=4, random_state=seed)
    return StandardScaler().fit_transform(X), y


def test_every_option_of_every_learner_is_a_keyword():
    own = {"learner", "passes", "shuffle", "random_state"}
    theirs = {o["name"].replace("-", "_") for one in soba.learners() for o in one["options"]}
    assert set(BanditClassifier().get_params()) == own | theirs


@pytest.mark.parametrize("learner", [one["name"] for one in soba.learners()])
def test_every_learner_fits(learner):
    X, y = blobs()
    clf = BanditClassifier(learner, random_state=1).fit(X, y)
    p = clf.predict_proba(X)
    assert p.shape == (400, 4) and (p >= 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-9)
    np.testing.assert_array_equal(clf.classes_[p.argmax(axis=1)], clf.predict(X))
    np.testing.assert_array_equal(clf.classes_[clf.decision_function(X).argmax(axis=1)],
                                  clf.predict(X))


def test_the_greedy_label_leads_even_where_all_are_as_probable():
    X, y = blobs()
    clf = BanditClassifier("sobadiag", gamma=1.0, random_state=1).fit(X, y)
    p, best = clf.predict_proba(X), clf.predict(X)
    assert len(set(best)) > 1
    np.testing.assert_array_equal(p.argmax(axis=1), best)
    np.testing.assert_allclose(p, 0.25)


def test_the_same_random_state_is_the_same_model():
    X, y = blobs()
    one, two, other = (BanditClassifier(random_state=s).fit(X, y) for s in (5, 5, 6))
    assert one.model_._held.bytes() == two.model_._held.bytes() != other.model_._held.bytes()
    drawn = BanditClassifier(random_state=np.random.RandomState(5)).fit(X, y)
    assert drawn.score(X, y) > 0.9


def test_every_container_of_the_same_numbers_teaches_the_same():
    X, y = blobs()
    X = X.astype(np.float32).astype(np.float64)
    X[X < 0] = 0
    wide = np.zeros((400, 10))
    wide[:, ::2] = X
    csr = scipy_sparse.csr_matrix(X)
    long = scipy_sparse.csr_matrix(X)
    long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
    unsorted = csr.copy()
    for i in range(400):
        a, b = unsorted.indptr[i:i + 2]
        unsorted.indices[a:b] = unsorted.indices[a:b][::-1].copy()
        unsorted.data[a:b] = unsorted.data[a:b][::-1].copy()
    unsorted.has_sorted_indices = unsorted.has_canonical_format = False
    held = None
    for same in (X, X.astype(np.float32), np.asfortranarray(X), wide[:, ::2], X.tolist(), csr,
                 csr.astype(np.float32), long, unsorted, csr.tocsc(), csr.tocoo()):
        clf = BanditClassifier("soba-ovr", random_state=2)
        for part in (slice(0, 150), slice(150, 400)):
            rows = same[part] if not hasattr(same, "tocsr") else same.tocsr()[part]
            clf.partial_fit(rows, y[part], classes=[0, 1, 2, 3])
        bytes_now = clf.model_._held.bytes()
        held = held or bytes_now
        assert bytes_now == held


def test_dense_arrays_are_not_copied_whole():
    import tracemalloc

    X, y = np.ones((20000, 100)), np.arange(20000) % 2
    clf = BanditClassifier("sobadiag").partial_fit(X[:10], y[:10], classes=[0, 1])
    tracemalloc.start()
    clf.partial_fit(X, y)
    clf.partial_fit(X.astype(np.float32), y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20000 * 100 * 4 + 4e6  # the float32 array that the test itself makes


def test_data_frames_with_texts():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({
        "amount": [1.0, 2.0, np.nan, 4.0] * 50, "new": [True, False] * 100,
        "country": pandas.Categorical(["de", "fr", None, "it"] * 50),
        "plan": ["pro", "free", "pro", None] * 50})
    y = np.array(["a", "b", "c", "d"] * 50)
    clf = BanditClassifier("soba-ovr", passes=3, random_state=1).fit(frame, y)
    assert clf.score(frame, y) > 0.95
    assert list(clf.feature_names_in_) == list(frame.columns)
    before = clf.model_._held.bytes()
    unseen = frame[:1].assign(country="se")
    assert clf.predict(unseen).shape == (1,)
    assert clf.model_._held.bytes() == before
    with pytest.raises(ValueError, match="[Ff]eature names"):
        clf.predict(frame.rename(columns={"plan": "contract"}))
    with pytest.raises(ValueError, match="data frame"):
        clf.predict(np.zeros((1, 4)))
    with pytest.raises(TypeError, match="column 'plan': expected texts or numbers"):
        clf.fit(frame.assign(plan=[["a"]] * 200), y)
    numbers = frame[["amount", "new"]].fillna(0)
    assert BanditClassifier().fit(numbers, y).predict(numbers).shape == (200,)


def test_a_log_teaches_what_its_answers_teach():
    X, y = blobs()
    model = soba.Model("soba-ovr", labels=["0", "1", "2", "3"])
    rng = np.random.default_rng(1)
    played = rng.integers(0, 4, 400)
    clf = BanditClassifier("soba-ovr", random_state=1)
    clf.partial_fit_log(X, played, played == y, np.full(400, 0.25), classes=[0, 1, 2, 3])
    assert clf.rounds_ == 400 and clf.mistakes_ == (played != y).sum()
    assert clf.score(X, y) > 0.9
    for bad in ([0.0], [1.5], [np.nan]):
        with pytest.raises(ValueError, match="probability"):
            clf.partial_fit_log(X[:1], [0], [True], bad)
    with pytest.raises(ValueError, match="correct"):
        clf.partial_fit_log(X[:1], [0], [3], [0.5])
    with pytest.raises(ValueError, match="classes must be passed"):
        BanditClassifier().partial_fit_log(X[:1], [0], [True], [0.5])
    with pytest.raises(ValueError, match="must be told the true label"):
        BanditClassifier("perceptron").partial_fit_log(X[:2], [0, 1], [1, 0], [1, 1], classes=[0, 1])


def test_wrong_input_is_refused_as_by_others():
    X, y = blobs()
    clf = BanditClassifier(random_state=0).fit(X, y)
    for bad, words in ((X[:, :2], "2 features"), (X[0], "2D array"), ([["a"] * 5], "convert")):
        with pytest.raises(ValueError, match=words):
            clf.predict(bad)
    spoilt = X.copy()
    spoilt[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        clf.fit(spoilt, y)
    with pytest.raises(ValueError, match="row 3, column 1"):
        clf.fit(np.where(np.isnan(spoilt), 1e60, spoilt), y)
    with pytest.raises(ValueError, match="label 9 is not in classes"):
        BanditClassifier().partial_fit(X[:2], [0, 9], classes=[0, 1])
    with pytest.raises(ValueError, match="only one class"):
        BanditClassifier().fit(X, np.zeros(400))
    with pytest.raises(ValueError, match="inconsistent"):
        clf.fit(X, y[:-1])
    with pytest.raises(ValueError, match="passes"):
        BanditClassifier(passes=0).fit(X, y)
    with pytest.raises(ValueError, match="gamma: "):
        BanditClassifier("sobadiag", gamma=2.0).fit(X, y)
    with pytest.raises(ValueError, match="not fitted|fitted yet"):
        BanditClassifier().predict(X)
    with pytest.raises(ValueError, match="not the same as on the first call"):
        BanditClassifier().fit(X, y).partial_fit(X, y, classes=[0, 1])


def test_clones_and_pickles():
    X, y = blobs()
    clf = BanditClassifier("squarecb", random_state=0).fit(X, y)
    assert clone(clf).get_params() == clf.get_params()
    assert not hasattr(clone(clf), "model_")
    other = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(other.decision_function(X), clf.decision_function(X))
    other.partial_fit(X, y)
    assert other.rounds_ == 800 and clf.rounds_ == 400


def test_cross_validation_and_a_search_over_gamma():
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), BanditClassifier(passes=3, random_state=0))
    assert cross_val_score(pipeline, X, y, cv=5).mean() > 0.8
    X, y = load_digits(n_class=4, return_X_y=True)
    search = GridSearchCV(BanditClassifier("sobadiag", random_state=0),
                          {"gamma": [0.001, 0.1, 0.9], "a": [1, 100]}, cv=3).fit(X / 16, y)
    assert search.best_score_ > 0.8 and search.best_params_["gamma"] in (0.001, 0.1, 0.9)


def test_a_pipeline_on_texts():
    from sklearn.feature_extraction.text import HashingVectorizer

    words = {"sport": ["goal", "team", "coach"], "money": ["bank", "stock", "price"]}
    rng = np.random.default_rng(0)
    y = rng.choice(list(words), 300)
    texts = [" ".join(rng.choice(words[label] + ["the", "a"], 6)) for label in y]
    clf = make_pipeline(HashingVectorizer(n_features=2**18), BanditClassifier(random_state=0))
    assert clf.fit(texts[:200], y[:200]).score(texts[200:], y[200:]) > 0.9
