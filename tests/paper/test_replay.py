"""Audits traces of the program named by the environment variable SOBA with replay.py.

Random small data, every learner replay.py knows, fixed and adaptive exploration, every preparation
of the data, every option of soba-ovr; no mismatch is allowed, but for those marked as expected
failures. The audit itself is tested against traces worked by hand and against traces altered in one
field.
"""

import csv
import os
import random
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

import replay

HERE = os.path.dirname(os.path.abspath(__file__))


def setUpModule():
    if not os.environ.get("SOBA"):
        raise RuntimeError("set the environment variable SOBA to the program to test")


def write_data(path, *, seed, labels, features, rounds=400, density=1.0, noise=0.1, whole=False,
               scales=(1.0,), growth=0.0, at_first=None):
    """Points of a random linear classifier; a fraction `noise` of the labels is drawn at random.
    Sparse data contain rows without any feature. Features have the scales in turn, which grow by
    `growth` of the first ones with every round; half of the rounds have the first `at_first` only."""
    rng = random.Random(seed)
    truth = [[rng.gauss(0.0, 1.0) for _ in range(features)] for _ in labels]
    with open(path, "w", encoding="utf-8") as file:
        for t in range(rounds):
            x = {j: float(rng.randint(-2, 2)) if whole else round(rng.gauss(0.0, 1.5), 6)
                 for j in range(features if t >= rounds // 2 else at_first or features)
                 if rng.random() < density}
            if density < 1.0 and t % 50 == 25:
                x = {}
            scores = [sum(w[j] * v for j, v in x.items()) for w in truth]
            y = labels[scores.index(max(scores))]
            if t < len(labels):  # every label occurs
                y = labels[t]
            elif rng.random() < noise:
                y = rng.choice(labels)
            x = {j: v * scales[j % len(scales)] * (1.0 + growth * t) for j, v in x.items()}
            file.write(" ".join([y] + [f"{j + 1}:{v:.6g}" for j, v in x.items()]) + "\n")


DATA = {
    # in numerical order 2, 10, 30, in bytewise order 10, 2, 30
    "dense": dict(seed=1, labels=["10", "2", "30"], features=8),
    "sparse": dict(seed=2, labels=["10", "2", "30"], features=8, density=0.4),
    "small": dict(seed=3, labels=["3", "-1", "2.5"], features=4, noise=0.2),
    "words": dict(seed=4, labels=["b", "a", "B", "ab", "c"], features=5, density=0.7),
    "counts": dict(seed=5, labels=["1", "2", "3"], features=6, density=0.6, whole=True),
    "binary": dict(seed=6, labels=["-1", "+1"], features=6, noise=0.15),
}


class Scratch(unittest.TestCase):
    """A directory with the data sets."""

    sets = DATA

    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.directory = directory.name
        for name, shape in cls.sets.items():
            write_data(cls.data(name), **shape)

    @classmethod
    def data(cls, name):
        return os.path.join(cls.directory, name + ".libsvm")

    def run_soba(self, data, *options):
        """The path of the trace."""
        trace = os.path.join(self.directory, "trace.csv")
        if os.path.exists(trace):
            os.remove(trace)
        command = [os.environ["SOBA"], "run", self.data(data), *options]
        command += ["--trace", trace, "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return trace


class ProgramAgreesWithPaper(Scratch):
    def check(self, data, learner, gamma=None, *, a=None, gamma_scale=None, explore=None,
              gap_floor=None, seed=1, labels=None, scale="none", normalize="none", bias=False):
        options = ["--learner", learner, "--seed", str(seed)]
        for name, value in (("--gamma", gamma), ("--a", a), ("--gamma-scale", gamma_scale),
                            ("--explore", explore), ("--gap-floor", gap_floor)):
            if value is not None:
                options += [name, str(value)]
        if labels is not None:
            options += ["--labels", ",".join(labels)]
        options += ["--scale", scale, "--normalize", normalize] + ["--bias"] * bias
        with self.subTest(data=data, options=" ".join(options)):
            trace = self.run_soba(data, *options)
            settings = replay.Settings(learner, None if gamma == "adaptive" else gamma or 0.0,
                                       a or 1.0, gamma_scale or 1.0, explore or "uniform",
                                       gap_floor or 0.03)
            report = replay.audit_files(self.data(data), trace, settings, labels, scale, normalize,
                                        bias)
            first = "\n".join(map(str, report.mismatches[:10]))
            self.assertEqual(len(report.mismatches), 0, f"first of the mismatches:\n{first}")
            self.assertEqual(report.rounds, 400)
            self.assertLess(report.near_ties, 40, "near-ties leave too little to check")
            return report

    def check_preparations(self, learner, *gammas):
        for gamma in gammas:
            for seed, data in enumerate(DATA, 1):
                self.check(data, learner, gamma, seed=seed)
            self.check("small", learner, gamma, bias=True)
            self.check("dense", learner, gamma, normalize="l2", seed=2)
            self.check("sparse", learner, gamma, normalize="l2", bias=True, seed=3)
            self.check("sparse", learner, gamma, scale="maxabs", seed=4)
            self.check("counts", learner, gamma, scale="maxabs", normalize="l2", bias=True, seed=5)
            self.check("dense", learner, gamma, labels=["30", "10", "2"], seed=6)
            self.check("words", learner, gamma, labels=["z", "c", "b", "a", "ab", "B"], seed=7)

    def test_soba_exact(self):
        self.check_preparations("soba", 0.3, 0.05)

    def test_soba_exact_regularization(self):
        for a in (0.1, 25.0):
            self.check("small", "soba", 0.2, a=a, bias=True)
            self.check("sparse", "soba", 0.2, a=a)

    def test_soba_exact_with_more_updates_than_weights(self):
        for data, bias in (("small", False), ("small", True), ("binary", True)):
            report = self.check(data, "soba", 0.6, bias=bias)
            weights = len(DATA[data]["labels"]) * (DATA[data]["features"] + bias)
            self.assertGreater(report.updates, 2 * weights)

    def test_soba_exact_adaptive(self):
        for scale in (1, 0.1):
            for seed, data in enumerate(DATA, 1):
                self.check(data, "soba", "adaptive", gamma_scale=scale, seed=seed)
            self.check("small", "soba", "adaptive", gamma_scale=scale, bias=True)
            self.check("small", "sobadiag", "adaptive", gamma_scale=scale)
            self.check("dense", "soba", "adaptive", gamma_scale=scale, normalize="l2", bias=True)

    def test_soba_gap(self):
        for learner in ("soba", "sobadiag"):
            for explore, floors in (("gap", (None,)), ("gap-bounded", (None, 0.5, 1))):
                for floor in floors:
                    kind = dict(explore=explore, gap_floor=floor)
                    for seed, data in enumerate(DATA, 1):
                        self.check(data, learner, seed=seed, **kind)
                    self.check("small", learner, bias=True, **kind)
                    self.check("dense", learner, normalize="l2", bias=True, a=0.5, **kind)

    def test_soba_extreme_exploration(self):
        for gamma in (0.0, 1.0):
            self.check("small", "soba", gamma)
            self.check("dense", "sobadiag", gamma)
            self.check("sparse", "banditron", gamma)

    def test_sobadiag(self):
        self.check_preparations("sobadiag", 0.3, 0.05)

    def test_banditron(self):
        self.check_preparations("banditron", 0.3, 0.05)

    def test_perceptron(self):
        self.check_preparations("perceptron", None)


OVR_DATA = {
    "dense": dict(seed=1, labels=["10", "2", "30"], features=8, rounds=300),
    "sparse": dict(seed=2, labels=["10", "2", "30"], features=8, density=0.4, rounds=300),
    "words": dict(seed=4, labels=["b", "a", "B", "ab", "c"], features=5, density=0.7, rounds=300),
    "binary": dict(seed=6, labels=["-1", "+1"], features=6, noise=0.15, rounds=300),
    "scales": dict(seed=7, labels=["1", "2", "3"], features=6, density=0.8, rounds=300,
                   scales=(1e-4, 10.0, 1e-2, 1e3), growth=0.025),
}
# With three ridges and a constant, matrices over more than 53 features do not fit into a MiB.
GROWING = {"growing": dict(seed=8, labels=list("abcdefghijkl"), features=60, density=0.15,
                           rounds=300, at_first=53)}


def ovr_options(**settings):
    """The options of the program and the settings of the audit."""
    options = ["--learner", "soba-ovr"]
    settings = {"covariance": "full", "explore": "confident", **settings}
    for name, value in settings.items():
        if isinstance(value, bool):
            value = ("on" if value else "off") if name == "gate" else str(value).lower()
        elif isinstance(value, tuple):
            value = ",".join(map(str, value))
        options += ["--" + name.replace("_", "-"), str(value)]
    return options, replay.Settings("soba-ovr", None, **settings)


class ProgramAgreesWithOvr(Scratch):
    """soba-ovr and the formulas of its header."""

    sets = OVR_DATA | GROWING

    def report(self, data, *, seed=1, preparation=(), **settings):
        options, settings = ovr_options(**settings)
        prepare = [word for name, value in dict(preparation).items()
                   for word in ["--" + name] + [value] * (value is not True)]
        trace = self.run_soba(data, *options, "--seed", str(seed), *prepare)
        return replay.audit_files(self.data(data), trace, settings, **dict(preparation))

    def check(self, data, **settings):
        with self.subTest(data=data, **settings):
            report = self.report(data, **settings)
            first = "\n".join(map(str, report.mismatches[:10]))
            self.assertEqual(len(report.mismatches), 0, f"first of the mismatches:\n{first}")
            self.assertEqual(report.rounds, 300)
            self.assertLess(report.near_ties, 10, "near-ties leave too little to check")
            self.assertGreater(report.updates, 50)

    def check_all(self, **settings):
        for seed, data in enumerate(OVR_DATA, 1):
            self.check(data, seed=seed, **settings)

    def test_three_ridges(self):
        self.check_all()
        self.check("dense", preparation=dict(normalize="l2", bias=True))
        self.check("scales", preparation=dict(scale="maxabs"))

    def test_other_ridges(self):
        self.check("words", ridges=(7.0,))
        self.check("sparse", ridges=(0.3, 0.001))  # not ascending, no middle one
        self.check("scales", ridges=(1e-6, 1.0, 1e6))

    def test_without_constant_or_scales(self):
        self.check_all(constant=False)
        for data in ("dense", "sparse", "words", "binary"):
            self.check(data, scale_free=False)
            self.check(data, scale_free=False, constant=False)

    def test_hands_over_for_want_of_memory(self):
        self.check_all(covariance="adaptive")
        self.check("growing", covariance="adaptive", memory=1)
        for other in ("full", "diagonal"):
            options, _ = ovr_options(covariance="adaptive", memory=1)
            _, settings = ovr_options(covariance=other)
            trace = self.run_soba("growing", *options)
            report = replay.audit_files(self.data("growing"), trace, settings)
            self.assertGreater(len(report.mismatches), 10)

    def test_exploration(self):
        for covariance in ("full", "diagonal"):
            self.check("dense", covariance=covariance, explore="constant")
            self.check("words", covariance=covariance, explore="constant", explore_scale=0.6)
            self.check("sparse", covariance=covariance, explore_scale=0.5)

    def test_gate(self):
        for data in ("dense", "sparse", "words", "binary"):
            for slack in (0.0, 0.5):
                self.check(data, gate=True, scale_free=False, slack=slack)
            self.check(data, gate=True, scale_free=False, ridges=(0.1,), constant=False)
            self.check(data, gate=True, scale_free=False, explore="constant")
        for slack in (0.0, 0.5):
            self.check_all(gate=True, slack=slack)

    def test_diagonal(self):
        self.check_all(covariance="diagonal")  # "scales" has values beyond 16
        self.check("sparse", covariance="diagonal", preparation=dict(normalize="l2", bias=True))

    def test_diagonal_gate(self):
        for slack in (0.0, 0.5):
            self.check_all(covariance="diagonal", gate=True, slack=slack)

    def test_feature_that_grows_at_once(self):
        # A diagonal that is raised 1e16 times.
        rng = random.Random(5)
        with open(self.data("jump"), "w", encoding="utf-8") as file:
            for t in range(200):
                x = [rng.gauss(0.0, 1.0) for _ in range(4)]
                y = 1 + (x[0] + 0.3 * x[1] > 0.0) + (x[2] > 0.0)
                x[0] *= 1e-8 if t < 20 else 1.0
                file.write(" ".join([str(y)] + [f"{j}:{v:.6g}" for j, v in enumerate(x, 1)]) + "\n")
        self.assertEqual(self.report("jump").mismatches, [])


class OvrAuditCanFail(Scratch):
    sets = {"words": OVR_DATA["words"]}

    FORMS = (dict(), dict(gate=True, scale_free=False), dict(covariance="diagonal"))

    def altered(self, form, choose, field, change):
        """Alters a field of the last chosen row before round 201; returns its round, the fields of
        it that the audit reports, and the rounds that it reports."""
        options, settings = ovr_options(**form)
        trace = self.run_soba("words", *options, "--seed", "8")
        with open(trace, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        row = [row for row in rows[:200] if choose(row)][-1]
        before, row[field] = row[field], change(row)
        self.assertNotEqual(row[field], before)
        with open(trace, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, replay.HEADER, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        mismatches = replay.audit_files(self.data("words"), trace, settings).mismatches
        number = int(row["round"])
        return number, [m.field for m in mismatches if m.round == number], [
            m.round for m in mismatches]

    def assert_reported(self, form, choose, field, change, reported=None):
        """The altered field, or `reported`, is reported, and nothing of rounds before."""
        with self.subTest(form=form, field=field):
            number, found, rounds = self.altered(form, choose, field, change)
            self.assertIn(reported or field, found)
            self.assertEqual(rounds[0], number)

    def test_every_field(self):
        def claimed(row):
            return float(row["gamma"]) == 0.0

        def unclaimed(row):
            return not claimed(row)

        def times(field, factor):
            return lambda row: repr(float(row[field]) * factor)

        def other_label(field):
            return lambda row: "a" if row[field] != "a" else "B"

        for form in self.FORMS:
            slight = 1 + (1e-3 if "covariance" in form else 1e-6)
            self.assert_reported(form, unclaimed, "probability", times("probability", slight))
            self.assert_reported(form, claimed, "probability", lambda row: "0.999999")
            self.assert_reported(form, unclaimed, "gamma", times("gamma", 1 - 1e-5))
            # A rate of 0 is no way out: near 0 alone the trace says what is a claim.
            self.assert_reported(form, unclaimed, "gamma", lambda row: "0")
            self.assert_reported(form, claimed, "gamma", lambda row: "0.3")
            self.assert_reported(form, lambda row: True, "greedy", other_label("greedy"))
            self.assert_reported(form, lambda row: True, "correct",
                                 lambda row: "10"[int(row["correct"])])
            for before, after in ("10", "01"):
                self.assert_reported(form, lambda row: row["updated"] == before, "updated",
                                     lambda row: after)
            self.assert_reported(form, lambda row: claimed(row) and row["correct"] == "0", "played",
                                 lambda row: row["label"])
            # Where every label may be played, the answer and the probability are another's.
            for reported in ("correct", "probability"):
                self.assert_reported(form, lambda row: unclaimed(row) and row["correct"] == "1" and
                                     row["greedy"] == row["played"], "played",
                                     other_label("played"), reported)
            if "gate" in form:
                self.assert_reported(form, lambda row: float(row["margin_sum"]) > 0.1, "margin_sum",
                                     times("margin_sum", 1 + 1e-4))
                self.assert_reported(form, lambda row: True, "margin_sum", lambda row: "")
            else:
                self.assert_reported(form, lambda row: True, "margin_sum", lambda row: "0")

    def test_wrong_settings(self):
        for form, wrong in (
                (dict(), dict(ridges=(0.0005, 0.021, 0.5))), (dict(), dict(constant=False)),
                (dict(), dict(scale_free=False)), (dict(), dict(covariance="diagonal")),
                (dict(), dict(explore="constant")), (dict(), dict(explore_scale=0.99)),
                (dict(ridges=(1.0,)), dict(gate=True)),
                (dict(gate=True, scale_free=False), dict(slack=0.1)),
                (dict(covariance="diagonal"), dict(explore_scale=0.31))):
            with self.subTest(form=form, wrong=wrong):
                options, settings = ovr_options(**form)
                trace = self.run_soba("words", *options)
                report = replay.audit_files(self.data("words"), trace, settings)
                self.assertEqual(report.mismatches, [])
                report = replay.audit_files(self.data("words"), trace, settings._replace(**wrong))
                self.assertTrue(report.mismatches)


class AuditCanFail(Scratch):
    def report_of_altered(self, learner, field, alter, choose=lambda row: True):
        """Alters a field of the last chosen row before round 301; returns its round, the audit."""
        gamma = [] if learner == "perceptron" else ["--gamma", "0.3"]
        trace = self.run_soba("small", "--learner", learner, *gamma, "--seed", "8")
        with open(trace, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        row = [row for row in rows[:300] if choose(row)][-1]
        number, before = int(row["round"]), row[field]
        row[field] = alter(row)
        self.assertNotEqual(row[field], before)
        with open(trace, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, replay.HEADER, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        settings = replay.Settings(learner, 0.3)
        return number, replay.audit_files(self.data("small"), trace, settings)

    def assert_reported(self, learner, field, alter, choose=lambda row: True):
        with self.subTest(learner=learner, field=field):
            number, report = self.report_of_altered(learner, field, alter, choose)
            self.assertEqual([(m.round, m.field) for m in report.mismatches], [(number, field)])

    def test_every_field(self):
        def other_label(row):
            return "3" if row["greedy"] != "3" else "2.5"

        def other_bit(field):
            return lambda row: "10"[int(row[field])]

        for learner in ("soba", "sobadiag", "banditron"):
            self.assert_reported(learner, "greedy", other_label)
            self.assert_reported(learner, "probability",
                                 lambda row: repr(float(row["probability"]) * (1 + 1e-11)))
            self.assert_reported(learner, "gamma", lambda row: "0.30000000001")
            self.assert_reported(learner, "correct", other_bit("correct"))
            self.assert_reported(learner, "updated", other_bit("updated"))
            self.assert_reported(learner, "round", lambda row: "301")
            self.assert_reported(learner, "label",
                                 lambda row: "3" if row["label"] != "3" else "2.5")
        for learner, factor in (("soba", 1 + 1e-5), ("sobadiag", 1.01)):
            self.assert_reported(learner, "margin_sum",
                                 lambda row: repr(float(row["margin_sum"]) * factor),
                                 lambda row: float(row["margin_sum"]) > 1.0)
            self.assert_reported(learner, "margin_sum", lambda row: "")
        self.assert_reported("banditron", "margin_sum", lambda row: "0")
        self.assert_reported("perceptron", "greedy", other_label)
        self.assert_reported("perceptron", "updated", other_bit("updated"))
        self.assert_reported("perceptron", "probability", lambda row: "0.99")

    def test_update_decision_both_ways(self):
        for learner in ("soba", "sobadiag"):
            for before, after in ("10", "01"):
                self.assert_reported(learner, "updated", lambda row: after,
                                     lambda row: row["updated"] == before)

    def test_wrong_settings(self):
        trace = self.run_soba("small", "--learner", "soba", "--gamma", "0.3")
        wrong = [(replay.Settings("sobadiag", 0.3), {}), (replay.Settings("soba", 0.3, a=1.01), {}),
                 (replay.Settings("soba", 0.3), dict(bias=True)),
                 (replay.Settings("soba", 0.3), dict(normalize="l2")),
                 (replay.Settings("soba", 0.3), dict(labels=["3", "2.5", "-1"])),
                 (replay.Settings("soba", None), {})]
        for settings, preparation in wrong:
            with self.subTest(settings=settings, preparation=preparation):
                report = replay.audit_files(self.data("small"), trace, settings, **preparation)
                self.assertTrue(report.mismatches)

    def test_wrong_gap_settings(self):
        trace = self.run_soba("small", "--learner", "soba", "--explore", "gap-bounded",
                              "--gap-floor", "0.5")
        right = replay.Settings("soba", None, explore="gap-bounded", gap_floor=0.5)
        self.assertEqual(replay.audit_files(self.data("small"), trace, right).mismatches, [])
        for wrong in (dict(explore="gap"), dict(explore="uniform"), dict(gap_floor=0.501)):
            with self.subTest(wrong=wrong):
                report = replay.audit_files(self.data("small"), trace, right._replace(**wrong))
                self.assertTrue(report.mismatches)

    def test_exit_status(self):
        def status(data, trace):
            command = [sys.executable, os.path.join(HERE, "replay.py"), data, trace, "--learner",
                       "banditron", "--gamma", "0.3"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
            return done.returncode, done.stdout

        data = self.data("small")
        trace = self.run_soba("small", "--learner", "banditron", "--gamma", "0.3")
        code, output = status(data, trace)
        self.assertEqual(code, 0, output)
        self.assertIn("400 rounds checked", output)
        with open(trace, encoding="utf-8") as file:
            lines = file.readlines()
        with open(trace, "w", encoding="utf-8") as file:
            file.writelines(lines[:-1])
        code, output = status(data, trace)
        self.assertEqual(code, 1)
        self.assertIn("round 400: round: expected 400 rounds, found 399 rounds", output)
        with open(trace, "a", encoding="utf-8") as file:
            file.write("400,3\n")
        self.assertEqual(status(data, trace)[0], 3)
        self.assertEqual(status(data, data)[0], 3)
        self.assertEqual(status(trace, trace)[0], 3)
        self.assertEqual(status(os.path.join(self.directory, "absent"), trace)[0], 3)


class HandWorkedRounds(unittest.TestCase):
    """k = 2, x = 1 always, gamma = 1/2, a = 1. With v = e_rival - e_truth, A stays I + c v v^T."""

    def test_soba(self):
        examples = [replay.Example(y, {1: 1.0}) for y in ("b", "b", "a", "a")]
        # Round 1 explores (p = 1/4): W = 0, m = 0; A = I + 4 v v^T has A v = 9 v, W = (-4/9, 4/9).
        # Round 2, p = 3/4: margin 8/9, z^T A^-1 z = 8/27, m = (64/81 - 16/9) / (35/36) < 0.
        # Round 3 explores, p = 1/4: margin -8/9, z^T A^-1 z = 8/9, m = (64/81 + 16/9) / (17/36);
        #   A v = 17 v, theta = 0, W = 0.
        # Round 4: a tie goes to a, p = 3/4, m = 0.
        m = Fraction(64 + 144, 81) / Fraction(17, 36)
        sums = [0.0, 0.0, float(m), float(m)]
        rows = [replay.Row(t, examples[t - 1].label, *rest, sums[t - 1]) for t, *rest in (
            (1, "a", "b", 0.25, 0.5, True, True),
            (2, "b", "b", 0.75, 0.5, True, False),
            (3, "b", "a", 0.25, 0.5, True, True),
            (4, "a", "a", 0.75, 0.5, True, True))]
        report = replay.audit(examples, ["a", "b"], rows, replay.Settings("soba", 0.5))
        self.assertEqual(report.mismatches, [])
        self.assertEqual(report.updates, 3)

    def test_sobadiag(self):
        examples = [replay.Example(y, {1: 1.0}) for y in ("b", "a")]
        # Round 1: theta = (-4, 4), A = (5, 5), W = (-4/5, 4/5).
        # Round 2, p = 1/4: margin -8/5, z^T A^-1 z = 8/5, m = (64/25 + 16/5) / (1/4 * 13/5).
        rows = [replay.Row(1, "b", "a", "b", 0.25, 0.5, True, True, 0.0),
                replay.Row(2, "a", "b", "a", 0.25, 0.5, True, True, 144 / 25 / (13 / 20))]
        report = replay.audit(examples, ["a", "b"], rows, replay.Settings("sobadiag", 0.5))
        self.assertEqual(report.mismatches, [])
        self.assertEqual(report.near_ties, 0)

    def test_adaptive_rate(self):
        examples = [replay.Example(y, {1: 1.0}) for y in ("b", "a")]
        # Round 1 explores with p = gamma / 2: A v = (1 + 2 / p) v, so z^T A_1^-1 z = 2 / (2 + p).
        # Round 2 guesses wrong with gamma = scale * sqrt(2 (1 + 2 / (2 + p)) / 2), at most 1.
        for scale in (1.0, 0.5):
            first = min(1.0, scale * 2.0**0.5)
            rates = [first, min(1.0, scale * (1.0 + 2.0 / (2.0 + first / 2.0))**0.5)]
            rows = [replay.Row(1, "b", "a", "b", rates[0] / 2, rates[0], True, True, 0.0),
                    replay.Row(2, "a", "b", "b", 1 - rates[1] / 2, rates[1], False, False, 0.0)]
            settings = replay.Settings("soba", None, gamma_scale=scale)
            self.assertEqual(replay.audit(examples, ["a", "b"], rows, settings).mismatches, [])


    def test_soba_ovr(self):
        # One ridge, 1; no constant feature; e = 1. Diagonals do the same with one feature.
        # Round 1: nobody claims x, p = 1/2, a hit with w = 2: A = 3, W = (0, 2/3).
        # Round 2: b claims x and is right, m = (4/9 - 4/3) * 3/4 < 0: refused.
        # Round 3: b claims x and is wrong: S = (4/9 + 4/3) * 3/4; A = 4, theta = 1, W = (0, 1/4).
        # Round 4: again, S += (1/16 + 1/2) * 4/5; theta = 0, W = 0.
        # Round 5: nobody claims x, and a wrong answer teaches nothing.
        examples = [replay.Example(y, {1: 1.0}) for y in ("b", "b", "a", "a", "a")]
        sums = [0.0, 0.0, 4 / 3, 4 / 3 + 9 / 20, 4 / 3 + 9 / 20]
        rows = [replay.Row(t, examples[t - 1].label, *rest, sums[t - 1]) for t, *rest in (
            (1, "a", "b", 0.5, 1.0, True, True),
            (2, "b", "b", 1.0, 0.0, True, False),
            (3, "b", "b", 1.0, 0.0, False, True),
            (4, "b", "b", 1.0, 0.0, False, True),
            (5, "a", "b", 0.5, 1.0, False, False))]
        for covariance in ("full", "diagonal"):
            settings = replay.Settings("soba-ovr", None, explore="constant", explore_scale=1.0,
                                       covariance=covariance, gate=True, constant=False,
                                       scale_free=False)
            report = replay.audit(examples, ["a", "b"], rows, settings)
            self.assertEqual([str(m) for m in report.mismatches], [])
            self.assertEqual(report.updates, 3)

    def test_soba_ovr_rates(self):
        # Confident, as above without a gate. Round 1: Q_B = 0, e = sqrt(2), at most 1; the hit has
        # q' = 2/3. Round 2 is claimed, A = 4, W = (0, 3/4). Round 3 has x = -1, scores (0, -3/4):
        # e = c sqrt(2 (1 + Q_B) / 2), phi = (7/4)^2, and b is played with e / (2 phi).
        examples = [replay.Example("b", {1: v}) for v in (1.0, 1.0, -1.0)]
        for scale in (1.0, 0.5):
            first = min(1.0, scale * 2**0.5)
            w = 2 / first
            share = w / (1 + w)
            rate = min(1.0, scale * (1 + share)**0.5)
            b = (w + 1) / (w + 2)
            rows = [replay.Row(1, "b", "a", "b", first / 2, first, True, True, None),
                    replay.Row(2, "b", "b", "b", 1.0, 0.0, True, True, None),
                    replay.Row(3, "b", "a", "b", rate / (2 * (1 + b)**2), rate, True, True, None)]
            settings = replay.Settings("soba-ovr", None, explore="confident", explore_scale=scale,
                                       ridges=(1.0,), constant=False, scale_free=False)
            report = replay.audit(examples, ["a", "b"], rows, settings)
            self.assertEqual([str(m) for m in report.mismatches], [])

    def test_gap_rates(self):
        examples = [replay.Example(y, {1: 1.0}) for y in ("b", "b", "b")]
        # gap. Round 1 explores, rate 1: A v = (1 + 2 * 2) v, z^T A_1^-1 z = 2 / p / (1 + 2 / p) =
        # 4/5, W = (-2/5, 2/5). Round 2: b leads by 4/5, no answer to it yet (doubt 1): rate
        # min(1, sqrt(2 * 9/5 / 2)) = 1, p = 1/2; m < 0, no update; then b was right once and is in
        # doubt by 1/2. Round 3: sqrt(2 * 9/5 / 3) is above 1, so 1/2 * max(1/5, 1/2) = 1/4.
        # gap-bounded: at least floor * sqrt(2 * 9/5 / 3), since round 1 is an exploratory hit.
        for explore, rate in (("gap", 0.25), ("gap-bounded", 0.9 * 1.2**0.5)):
            rows = [replay.Row(1, "b", "a", "b", 0.5, 1.0, True, True, 0.0),
                    replay.Row(2, "b", "b", "b", 0.5, 1.0, True, False, 0.0),
                    replay.Row(3, "b", "b", "b", 1 - rate / 2, rate, True, False, 0.0)]
            settings = replay.Settings("soba", None, explore=explore, gap_floor=0.9)
            self.assertEqual(replay.audit(examples, ["a", "b"], rows, settings).mismatches, [])


if __name__ == "__main__":
    unittest.main()
