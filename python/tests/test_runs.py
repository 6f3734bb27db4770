"""Experiments: runs, sweeps, reports, data sets and plots."""
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import soba
from soba import datasets


def test_what_is_wrong_with_a_file_has_its_place(tmp_path):
    bad = tmp_path / "bad.libsvm"
    bad.write_text("1 1:0.5\n2 1:0.5\n1 1:x\n")
    with pytest.raises(soba.FormatError, match="expected a number") as caught:
        soba.run(bad, "sobadiag")
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(bad), 3, 5)
    assert soba.run(bad, "sobadiag", skip_bad=True).rounds == 2
    with pytest.raises(soba.FormatError):
        datasets.load(bad)
    with pytest.raises(FileNotFoundError):
        soba.run(tmp_path / "none.csv")
    with pytest.raises(FileNotFoundError):
        datasets.load(tmp_path / "none.csv")


def test_options_are_checked_by_name():
    with pytest.raises(ValueError, match=r"gamma: "):
        soba.run("synsep:n=10", "sobadiag", gamma=2)
    with pytest.raises(ValueError, match="gama"):
        soba.run("synsep:n=10", "sobadiag", gama=0.2)
    with pytest.raises(ValueError, match="scale: "):
        soba.run("synsep:n=10", "sobadiag", scale="max")
    with pytest.raises(TypeError, match="gamma: expected a number"):
        soba.run("synsep:n=10", "sobadiag", gamma={})
    model = soba.run("synsep:n=10", "sobadiag").model
    with pytest.raises(ValueError, match="has its options already: gamma"):
        soba.run("synsep:n=10", model=model, gamma=0.2)


def test_labels_with_commas_are_a_list(tmp_path):
    data = tmp_path / "d.csv"
    data.write_text('label,x\n"a, b",1\nc,2\n')
    result = soba.run(data, "sobadiag", labels=["a, b", "c"])
    assert result.model.labels == ["a, b", "c"]
    result = soba.run(data, "sobadiag", label="label", labels=["a, b", "c", 'd "e"'])
    assert result.model.labels[2] == 'd "e"'


def test_a_run_has_its_curve_and_its_model():
    result = soba.run("synsep:n=1000", "sobadiag", seed=3)
    assert list(result.curve.columns) == ["round", "error", "greedy_error", "updates"]
    assert result.curve["round"].iloc[-1] == 1000
    assert result.curve["error"].iloc[-1] == result.error == result["mistakes"] / 1000
    assert result.model.tally["rounds"] == 1000 and result.model.seed == 3
    with pytest.raises(AttributeError, match="nothing"):
        result.nothing


def test_data_sets_are_matrices():
    X, y = datasets.load("synnonsep:n=300,seed=2,noise=0.1")
    Z, z = datasets.synnonsep(300, seed=2, noise=0.1)
    assert (X != Z).nnz == 0 and (y == z).all() and set(y) <= set(range(1, 10))
    assert X.has_canonical_format and X.dtype == np.float64


def test_covtype():
    if not os.path.exists("data/covtype.libsvm.xz"):
        pytest.skip("runs in the project's root")
    X, y = datasets.load_covtype(limit=500)
    assert X.shape[0] == 500 and set(y) <= set(range(1, 8))


def test_a_sweep_refuses_what_it_cannot_play(tmp_path):
    with pytest.raises(ValueError, match="no learner has the option 'rate'"):
        soba.sweep("synsep:n=10", "banditron", grid={"rate": [1]})
    with pytest.raises(TypeError, match="behind its name"):
        soba.sweep("synsep:n=10", "banditron", gamma=0.1)
    with pytest.raises(ValueError, match="banditronn"):
        soba.sweep("synsep:n=10", "banditronn")
    with pytest.raises(FileNotFoundError):
        soba.report(tmp_path / "none.jsonl")
    with pytest.raises(ValueError, match="format"):
        rows = tmp_path / "rows.jsonl"
        soba.sweep({"Small": "synsep:n=50"}, {"B": "banditron:gamma=0.3"}, seeds=[7], results=rows)
        soba.report(rows, format="pdf")
    table = soba.report(rows, format="csv")
    assert "Small" in table and "B" in table
    soba.report(rows, tmp_path / "page.html", title="Mine and yours")
    assert "Mine and yours" in (tmp_path / "page.html").read_text()


def test_ctrl_c_ends_a_run_and_keeps_the_model(tmp_path):
    program = """
import soba
try:
    soba.run("synnonsep:n=100000000", "sobadiag", save="m.model")
except KeyboardInterrupt:
    print("interrupted", soba.Model.load("m.model").tally["rounds"] > 0)
"""
    process = subprocess.Popen([sys.executable, "-B", "-c", program], cwd=tmp_path,
                               stdout=subprocess.PIPE, text=True)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted True\n"


def test_learning_lets_go_of_the_interpreters_lock():
    import threading

    # One block of examples, so that nothing else lets go of the lock before the end.
    X, y = np.random.default_rng(0).random((200, 40)), np.arange(200) % 9
    clf = soba.BanditClassifier("newtron", random_state=0)
    thread = threading.Thread(target=clf.partial_fit, args=(X, y, np.arange(9)))
    thread.start()
    ticks = 0
    while thread.is_alive():
        time.sleep(0.001)
        ticks += 1
    assert clf.rounds_ == 200
    assert ticks > 10


def test_plots(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    rows = tmp_path / "rows.jsonl"
    soba.sweep({"One": "synsep:n=400", "Two": "synnonsep:n=400"}, ["sobadiag", "banditron", "auto"],
               grid={"gamma": "2^-3..2^-1"}, results=rows)
    with pytest.raises(ValueError, match="choose one"):
        soba.plot.curves(rows)
    with pytest.raises(ValueError, match="none of"):
        soba.plot.curves(rows, "Three")
    curves = soba.plot.curves(rows, "One")
    assert [line.get_label() for line in curves.get_lines()] == ["sobadiag", "banditron", "auto"]
    assert curves.get_lines()[0].get_xdata()[-1] == 400
    gamma = soba.plot.gamma(rows, "Two")
    assert [text.get_text() for text in gamma.get_legend().get_texts()] == ["sobadiag", "banditron"]
    with pytest.raises(ValueError, match="no row has 'eta'"):
        soba.plot.gamma(rows, "Two", axis="eta")
    curves.figure.savefig(tmp_path / "curves.png")
