"""Labels that change while a model is in use, and reasons."""
import math

import pytest

import soba


def taught():
    model = soba.Model("soba-ovr", labels=["a", "b", "c"])
    for i in range(90):
        d = model.decide({"x": float(i % 3 == 0), "y": float(i % 3 == 1), "z": 1.0})
        model.reward(d, d.label == "abc"[i % 3])
    return model


def test_only_what_is_allowed_is_chosen():
    model = soba.Model("sobadiag", labels=["a", "b", "c"], gamma=0.8)
    seen = set()
    for i in range(60):
        d = model.decide({"x": i}, ["b", "c"])
        assert set(d.distribution) == {"b", "c"} and math.isclose(sum(d.distribution.values()), 1)
        assert d.distribution[d.label] == d.probability
        seen.add(d.label)
        model.reward(d, i % 2 == 0)
    assert seen == {"b", "c"}
    for bad in (["b", "none"], ["b", "b"], []):
        with pytest.raises(ValueError):
            model.decide({"x": 1}, bad)
    with pytest.raises(TypeError, match="not one text"):
        model.decide({"x": 1}, "b")
    with pytest.raises(TypeError, match="allowed: a label must be a str"):
        model.decide({"x": 1}, [1])


def test_labels_come_and_go(tmp_path):
    path = tmp_path / "m.model"
    with soba.Model.open(path, "soba-ovr", labels=["a", "b"]) as model:
        waiting = model.decide({"x": 1})
        model.add_label("c")
        model.rename_label("a", "alpha")
        model.retire_label("b")
        assert model.labels == ["alpha", "c"] and model.retired == ["b"]
        assert set(model.decide({"x": 2}).distribution) == {"alpha", "c"}
        assert set(model.scores({"x": 2})) == {"alpha", "c"}
        model.reward(waiting, False)
        with pytest.raises(ValueError):
            model.add_label("c")
        with pytest.raises(ValueError):
            model.retire_label("none")
    again = soba.Model.load(path)
    assert again.labels == ["alpha", "c"] and again.retired == ["b"]


def test_an_explanation_adds_up():
    model = taught()
    d = model.decide({"x": 1.0, "y": 0.0, "z": 1.0})
    why = model.explain(d)
    assert why["label"] == d.greedy == "a"
    total = why["constant"] + why["rest"] + sum(amount for _, _, amount in why["features"])
    assert math.isclose(total, why["lead"], rel_tol=1e-9)
    scores = model.scores({"x": 1.0, "y": 0.0, "z": 1.0})
    assert math.isclose(scores["a"] - scores[why["over"]], why["lead"], rel_tol=1e-6)
    assert model.explain(d.id) == why == model.explain({"x": 1.0, "y": 0.0, "z": 1.0})
    assert model.explain({"x": 1.0}, ["b", "c"])["label"] in ("b", "c")
    assert len(model.explain(d, most=1)["features"]) == 1
    before = model._held.bytes()
    model.explain({"unheard": 1.0})
    assert model._held.bytes() == before
    model.reward(d, True)
    with pytest.raises(KeyError):
        model.explain(d)
    assert max(model.weights()["a"], key=model.weights()["a"].get) == "x"


def test_coba_chooses_among_the_given_actions():
    learner = soba.Model("soba-ovr", labels=["0", "1", "two"]).as_coba()
    for i in range(200):
        actions = [[0, 1], [1, "two"], [0, 1, "two"]][i % 3]
        context = (float(i % 2), "red") if i % 5 else {"colour": "red"}
        action, probability, info = learner.predict(context, actions)
        assert any(action is one for one in actions) and 0 < probability <= 1
        learner.learn(context, action, float(action == 1), probability, **info)
    assert learner.model.pending == [] and learner.params["family"] == "soba"
    assert learner.predict(None, [1])[0] == 1
    with pytest.raises(ValueError, match="info"):
        learner.learn(None, 1, 1.0, 1.0)
