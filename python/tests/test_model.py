"""The real loop: decisions by name, late answers, files, the journal."""
import copy
import math
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import soba

LABELS = ["card", "cash", "invoice"]


def fresh(learner="sobadiag", **options):
    return soba.Model(learner, labels=LABELS, **options)


def taught(rounds=60, **options):
    model = fresh(**options)
    for i in range(rounds):
        d = model.decide({"amount": i % 5, "country": ["de", "fr"][i % 2]})
        model.reward(d, d.label == LABELS[i % 2])
    return model


def test_a_decision_says_what_it_was_drawn_from():
    model = taught(gamma=0.3)
    d = model.decide({"amount": 1, "country": "de"})
    assert list(d.distribution) == LABELS
    assert math.isclose(sum(d.distribution.values()), 1)
    assert d.distribution[d.label] == d.probability
    assert max(d.distribution, key=d.distribution.get) == d.greedy
    assert repr(d) == (f"Decision(id='61', label='{d.label}', probability={d.probability!r}, "
                       f"greedy='{d.greedy}')")


def test_answers_come_in_any_order_and_at_most_once():
    model = fresh()
    ids = [model.decide({"x": i}).id for i in range(5)]
    assert model.pending == ids
    for id in reversed(ids):
        model.reward(id, False)
    assert model.pending == [] and model.tally["answers"] == 5
    with pytest.raises(KeyError, match="no decision waits under the id 3"):
        model.reward("3", True)


def test_an_id_that_waits_gets_its_decision_again():
    model = fresh(gamma=0.9)
    first = model.decide({"x": 1}, id="e1")
    again = model.decide({"x": 1}, id="e1")
    assert (again.label, again.probability) == (first.label, first.probability)
    assert again.distribution == {} and model.tally["rounds"] == 1
    with pytest.raises(ValueError, match="for another x"):
        model.decide({"x": 2}, id="e1")


def test_numbers_of_ids_leave_out_those_that_wait():
    model = fresh()
    model.decide({"x": 1}, id="2")
    assert model.decide({"x": 5}).id == "3"


def test_values_of_every_kind():
    model = fresh()
    model.decide({"f": 1.5, "i": 3, "b": True, "t": "de", "none": None, "np": np.float32(2),
                  "n64": np.int64(4), "nb": np.bool_(True), "ns": np.str_("x")})
    assert model._held.facts()["features"] == 0  # nothing learnt yet
    for bad in ([1], object(), b"bytes", 1j):
        with pytest.raises(TypeError, match="feature 'x': expected a number"):
            model.decide({"x": bad})
    with pytest.raises(TypeError, match="name of a feature must be a str"):
        model.decide({1: 1})
    with pytest.raises(OverflowError):
        model.decide({"x": 10**400})
    for bad in (float("nan"), float("inf"), 1e60):
        with pytest.raises(ValueError, match="x"):
            model.decide({"x": bad})
    with pytest.raises(ValueError, match="have names"):
        model.decide([1.0, 2.0])
    assert model.tally["rounds"] == 1


def test_a_refused_decision_leaves_nothing_behind():
    model = fresh()
    with pytest.raises(ValueError):
        model.decide({"unheard": 1, "x": float("nan")})
    other = fresh()
    assert model._held.bytes() == other._held.bytes()


def test_answers_must_be_a_bit():
    model = fresh()
    d = model.decide({"x": 1})
    for bad in ("card", 0.5, None, 2):
        with pytest.raises(TypeError, match="expected True or False"):
            model.reward(d, bad)
    model.reward(d, np.bool_(True))


def test_labels_and_options_are_checked():
    with pytest.raises(TypeError, match="expected texts, found 1"):
        soba.Model("auto", labels=[1, 2])
    with pytest.raises(TypeError, match="not one text"):
        soba.Model("auto", labels="ab")
    with pytest.raises(TypeError, match="what there is to choose from"):
        soba.Model("auto")
    with pytest.raises(ValueError, match="two or more"):
        soba.Model("auto", labels=["a"])
    with pytest.raises(ValueError, match="a"):
        soba.Model("auto", labels=["a", "a"])
    with pytest.raises(ValueError, match=r"gamma: .*\[0, 1\]"):
        fresh(gamma=1.5)
    with pytest.raises(ValueError, match="gamma_scale: "):
        fresh("soba", gamma_scale=-1)
    with pytest.raises(ValueError, match="sobadia"):
        fresh("sobadiagg")
    with pytest.raises(ValueError, match="must be told the true label"):
        fresh("perceptron").decide({"x": 1})


def test_a_model_is_saved_pickled_and_copied_whole(tmp_path):
    model = taught()
    waiting = model.decide({"amount": 3})
    model.save(tmp_path / "m.model")
    others = [soba.Model.load(tmp_path / "m.model"), pickle.loads(pickle.dumps(model)),
              copy.deepcopy(model)]
    for other in others:
        assert other._held.bytes() == model._held.bytes()
        other.reward(waiting.id, True)
        assert other.pending == [] and model.pending == [waiting.id]


def test_files_that_are_no_model(tmp_path):
    with pytest.raises(FileNotFoundError):
        soba.Model.load(tmp_path / "none.model")
    (tmp_path / "bad.model").write_text("label,x\n")
    with pytest.raises(ValueError, match="bad.model"):
        soba.Model.load(tmp_path / "bad.model")


def test_an_opened_model_survives_the_death_of_its_process(tmp_path):
    path = tmp_path / "m.model"
    program = f"""
import os, soba
model = soba.Model.open({str(path)!r}, "sobadiag", labels=["a", "b"])
first, second = model.decide({{"x": 1}}), model.decide({{"x": 2}})
model.reward(first, True)
os._exit(9)
"""
    assert subprocess.run([sys.executable, "-B", "-c", program]).returncode == 9
    with soba.Model.open(path) as model:
        assert model.tally["rounds"] == 2 and model.tally["answers"] == 1
        assert model.pending == ["2"]
        with pytest.raises(soba.ResourceError):
            soba.Model.open(path)
    assert os.listdir(tmp_path) == ["m.model"]
    with pytest.raises(ValueError, match="closed"):
        model.decide({"x": 1})
    assert repr(model) == "<soba.Model, closed>"
    with pytest.raises(ValueError, match="labels: the model's are"):
        soba.Model.open(path, labels=["c", "d"])
    with pytest.raises(ValueError, match="labels"):
        soba.Model.open(tmp_path / "new.model")


def test_a_changed_option_is_the_models_own():
    model = fresh(gamma=0.1)
    model.change(gamma=0.25)
    assert model.options["gamma"] == "0.25"
    with pytest.raises(ValueError, match="covariance"):
        model.change(covariance="exact")


def test_learning_from_labelled_cases():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"amount": [1.0, np.nan, 3.0] * 30, "country": ["de", None, "fr"] * 30})
    model = fresh("soba-ovr")
    counted = model.learn(frame, LABELS * 30)
    assert counted["rounds"] == 90 and counted["mistakes"] < 60
    assert model.predict({"amount": 3.0, "country": "fr"}) == "invoice"
    with pytest.raises(ValueError, match="label 'other' is none"):
        model.learn(frame[:1], ["other"])
    with pytest.raises(ValueError, match="2 labels for 1 rows"):
        model.learn(frame[:1], ["card", "cash"])
    with pytest.raises(ValueError, match="data frame"):
        model.learn(np.zeros((1, 2)), ["card"])


def test_many_threads_share_a_model():
    model = fresh("soba-ovr", seed=3)
    rounds, failures = 300, []

    def work(thread):
        try:
            for i in range(rounds):
                d = model.decide({"x": i % 7, "who": f"t{thread}"}, id=f"{thread}-{i}")
                model.scores({"x": 1})
                model.reward(d, i % 2 == 0)
        except Exception as error:
            failures.append(error)

    def read():
        try:
            for _ in range(rounds):
                model.predict({"x": 3, "who": "nobody"})
                model.tally, model.pending, model._held.bytes()
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    threads += [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive(), "a deadlock"
    assert failures == []
    assert model.tally["answers"] == model.tally["rounds"] == 3 * rounds
    assert model.pending == []
