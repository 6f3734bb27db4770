"""The same seed gives the same in Python, in the program and in C++, bit for bit."""
import csv
import json
import os
import subprocess

import numpy as np
import pytest

import soba
from soba.datasets import load

SOBA, REFERENCE = os.environ.get("SOBA"), os.environ.get("SOBA_REFERENCE")
pytestmark = pytest.mark.skipif(not (SOBA and REFERENCE), reason="SOBA and SOBA_REFERENCE name none")
DATA = "synnonsep:n=3000,seed=4"


def output(*command, text=None):
    return subprocess.run(list(command), check=True, capture_output=True, text=True, input=text).stdout


@pytest.mark.parametrize("learner", ["auto", "sobadiag", "bandit-arow"])
def test_traces_of_runs(learner, tmp_path):
    mine, theirs = tmp_path / "python.csv", tmp_path / "program.csv"
    result = soba.run(DATA, learner, seed=9, trace=mine)
    told = json.loads(output(SOBA, "run", DATA, "--learner", learner, "--seed", "9", "--trace",
                             str(theirs), "--json"))
    assert mine.read_bytes() == theirs.read_bytes()
    same = ("learner", "options", "data", "seed", "rounds", "mistakes", "error", "greedy_error")
    assert {key: result[key] for key in same} == {key: told[key] for key in same}
    rows = list(csv.DictReader(mine.open()))
    assert len(rows) == 3000
    cpp = output(REFERENCE, "trace", DATA, learner, "9").split()
    columns = ("round", "label", "greedy", "played", "probability")
    numbers = [[*line.split(",")[:4], float(line.split(",")[4])] for line in cpp]
    assert numbers == [[*(row[c] for c in columns[:4]), float(row["probability"])] for row in rows]


@pytest.mark.parametrize("learner", ["auto", "sobadiag", "bandit-arow"])
def test_decisions_with_late_answers(learner, tmp_path):
    cases = [{"amount": 0.25 * (i % 7), "country": ["de", "fr", "it", "es"][i % 4],
              "new": i % 3 == 0} for i in range(500)]
    model = soba.Model(learner, labels=["a", "b", "c"], seed=5)
    played, mine, events = [], [], []
    for i, case in enumerate(cases):
        d = model.decide(case, id=f"e{i}")
        mine.append([d.id, d.label, d.probability, d.greedy])
        events.append({"id": d.id, "x": case})
        played.append(d)
        if i >= 7:
            correct = played[i - 7].label == ("a" if (i - 7) % 3 == 0 else "b")
            model.reward(played[i - 7], correct)
            events.append({"id": f"e{i - 7}", "correct": correct})
    cpp = [line.split(",") for line in output(REFERENCE, "decisions", learner, "5", "500").split()]
    assert [[id, label, float(p), greedy] for id, label, p, greedy in cpp] == mine
    told = output(SOBA, "decide", "--learner", learner, "--labels", "a,b,c", "--seed", "5",
                  "--quiet", text="".join(json.dumps(event) + "\n" for event in events))
    replies = [json.loads(line) for line in told.splitlines()]
    assert [[r["id"], r["label"], r["probability"], r["greedy"]] for r in replies] == mine


def test_a_model_goes_from_the_program_to_python_and_back(tmp_path):
    first, second, path = "synsep:n=1000,seed=1", "synsep:n=1000,seed=2", tmp_path / "m.model"
    output(SOBA, "run", first, "--learner", "auto", "--save", str(path))
    result = soba.run(second, model=soba.Model.load(path), save=tmp_path / "python.model")
    told = json.loads(output(SOBA, "run", second, "--load", str(path), "--save",
                             str(tmp_path / "program.model"), "--json"))
    assert result.mistakes == told["mistakes"]
    assert (tmp_path / "python.model").read_bytes() == (tmp_path / "program.model").read_bytes()
    third = "synsep:n=1000,seed=3"
    again = json.loads(output(SOBA, "run", third, "--load", str(tmp_path / "python.model"), "--json"))
    assert again["mistakes"] == soba.run(third, model=result.model).mistakes


@pytest.mark.parametrize("learner", ["auto", "sobadiag"])
def test_partial_fit_is_what_the_program_plays(learner, tmp_path):
    X, y = load(DATA)
    clf = soba.BanditClassifier(learner, random_state=9).partial_fit(X, y, classes=np.arange(1, 10))
    told = json.loads(output(SOBA, "run", DATA, "--learner", learner, "--seed", "9", "--save",
                             str(tmp_path / "m.model"), "--json"))
    assert clf.mistakes_ == told["mistakes"]
    other = soba.Model.load(tmp_path / "m.model")
    from soba.rows import matrix

    np.testing.assert_array_equal(other._held.predict(matrix(X), False)[0], clf.decision_function(X))
    more = tmp_path / "more.libsvm"
    output(SOBA, "generate", "synnonsep:n=500,seed=8", "--output", str(more))
    clf.save(tmp_path / "mine.model")
    both = [json.loads(output(SOBA, "run", str(more), "--load", str(tmp_path / name), "--json"))
            for name in ("m.model", "mine.model")]
    assert both[0]["mistakes"] == both[1]["mistakes"]


def test_a_sweep_writes_the_programs_rows(tmp_path):
    mine, theirs = tmp_path / "python.jsonl", tmp_path / "program.jsonl"
    frame = soba.sweep("synsep:n=500", ["sobadiag", "banditron"], grid={"gamma": "0.1,0.2"},
                       seeds="1..2", results=mine, workers=2)
    output(SOBA, "sweep", "synsep:n=500", "--learner", "sobadiag", "--learner", "banditron",
           "--grid", "gamma=0.1,0.2", "--seeds", "1..2", "--output", str(theirs), "--quiet")

    def rows(path):
        found = [json.loads(line) for line in path.read_text().splitlines()]
        for row in found:
            row.pop("measured")
        return sorted(found, key=lambda row: row["number"])

    assert rows(mine) == rows(theirs)
    assert len(frame) == 8 and set(frame["gamma"]) == {0.1, 0.2}
    before = mine.read_bytes()
    again = soba.sweep("synsep:n=500", ["sobadiag", "banditron"], grid={"gamma": "0.1,0.2"},
                       seeds="1..2", results=mine)
    assert mine.read_bytes() == before and len(again) == 8
    assert "<html" in soba.report(mine)
    assert soba.report(mine, format="md") == output(SOBA, "report", str(mine), "--format", "md",
                                                    "--quiet")
