#!/usr/bin/env python3
"""Audits a trace of `soba run` from the data alone.

    replay.py DATA.libsvm TRACE.csv --learner soba --gamma 0.3
    replay.py DATA.libsvm TRACE.csv --learner soba --explore gap-bounded --gap-floor 0.03
    replay.py DATA.libsvm TRACE.csv --learner soba-ovr --covariance full --gate on

Plays the data again with a second implementation, written from the paper (Beygelzimer, Orabona,
Zhang, "Efficient Online Bandit Multiclass Learning with O~(sqrt T) Regret", ICML 2017, Algorithm 1
and Appendix A) and not from the program: dense A, solved from scratch, plain Python. The label
played is the only thing taken from the trace; greedy label, exploration rate, probability,
correctness, the update decision of line 14 and the sum of n_s m_s are computed again and compared.
soba-ovr, which has no paper, is written from the formulas at the top of soba_ovr.h and
ridge_classes.h. With covariance adaptive, the hand-over for want of memory is replayed (features
must be 1, 2, ..., none left out); the one for what matrices cost is not.

What counts as agreement, with |e| the larger of the two numbers compared:
  gamma         1e-12 |e|; adaptive and confident 1e-6 |e|; explore gap and gap-bounded, which look
                at the lead of the greedy label: 1e-6 |e| and what the near-ties' tolerance makes of
                that lead
  probability   1e-12 |e|; where gamma changes: under the trace's gamma, once that one has been
                accepted (explore gap and gap-bounded learn with it, too: what the lead's rounding
                error makes of p would grow otherwise); soba-ovr, where p looks at the scores, also
                what the near-ties' tolerance makes of them, and the trace's p is learnt with
  margin_sum    1e-6 |e| + 1e-9 of the magnitudes it was summed from; sobadiag and the diagonal
                form of soba-ovr 1e-3 |e| + 1e-3
Near-ties. The program rounds otherwise than this file, so where a decision hangs on less than a
tolerance (1e-9; sobadiag and diagonal soba-ovr, which score in single precision: 1e-5) either side
is accepted, the trace is followed, and the round is counted. Two scores are near when they differ
by less than the tolerance times the larger sum_j |w_ij x_j| (w_ij the largest of its history: what
has cancelled left its rounding error); S + m is near 0 when it is within the tolerance times the
magnitudes it was summed from. A tie of scores free of rounding (weights never changed, or a
Perceptron on whole numbers) is no near-tie: the smallest label must win. The rival of line 10 is
not in the trace: where near-tied rivals fit it equally well, the replay follows each (16 at most)
until all but one contradict the trace. Likewise soba-ovr's comparisons of a score with 0 (a claim)
and with 1.

Exit status: 0 no mismatch, 1 mismatches, 2 usage, 3 unreadable input. Small data only: a round that
updates costs (k d)^3 / 6.
"""

import argparse
import copy
import csv
import itertools
import math
import struct
import sys
from operator import mul
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

HEADER = "round,label,greedy,played,probability,gamma,correct,updated,margin_sum".split(",")
MAX_REPLAYS = 16
LEARNERS = ("soba", "sobadiag", "banditron", "perceptron", "soba-ovr")
# The first is the default.
EXPLORE = {"others": ("uniform", "gap", "gap-bounded"), "soba-ovr": ("confident", "constant")}

Features = List[Tuple[int, float]]  # (position, value); positions run from 0 to d - 1


class InputError(Exception):
    """The data or the trace cannot be read."""


# --- reading -------------------------------------------------------------------------------------


class Example(NamedTuple):
    label: str
    x: Dict[int, float]  # by the file's feature index; 0 is the bias


class Row(NamedTuple):
    """One row of a trace. margin_sum is None where the field is empty."""

    round: int
    label: str
    greedy: str
    played: str
    probability: float
    gamma: float
    correct: bool
    updated: bool
    margin_sum: Optional[float]


def read_libsvm(path: str) -> List[Example]:
    examples = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            words = line.split("#", 1)[0].split()
            if not words:
                continue
            x: Dict[int, float] = {}
            for word in words[1:]:
                index, colon, value = word.partition(":")
                try:
                    j, v = int(index), float(value)
                except ValueError:
                    raise InputError(f"{path}:{number}: '{word}' is not INDEX:VALUE") from None
                if not colon or j < 0 or j in x or not math.isfinite(v):
                    raise InputError(f"{path}:{number}: bad feature '{word}'")
                x[j] = v
            examples.append(Example(words[0], x))
    if not examples:
        raise InputError(f"{path}: no examples")
    return examples


def prepare(examples: Sequence[Example], scale: str, normalize: str, bias: bool) -> List[Example]:
    """Scales, then normalises, then adds the bias: feature 0 with value 1."""
    largest: Dict[int, float] = {}
    for example in examples:
        for j, v in example.x.items():
            largest[j] = max(largest.get(j, 0.0), abs(v))
    prepared = []
    for example in examples:
        x = example.x
        if scale == "maxabs":
            x = {j: v / largest[j] for j, v in x.items() if v != 0.0}
        if normalize == "l2":
            norm = math.sqrt(math.fsum(v * v for v in x.values()))
            x = {j: v / norm for j, v in x.items() if v != 0.0}
        if bias:
            if 0 in x:
                raise InputError("the data have a feature 0, which --bias needs")
            x = {0: 1.0, **x}
        prepared.append(Example(example.label, x))
    return prepared


def label_order(examples: Sequence[Example], given: Optional[Sequence[str]]) -> List[str]:
    """The given order; else by number if all labels are numbers, else bytewise."""
    found = {example.label for example in examples}
    if given is not None:
        if len(set(given)) != len(given) or not found <= set(given):
            raise InputError(f"labels {','.join(given)} do not cover {','.join(sorted(found))}")
        return list(given)
    try:
        return sorted(found, key=lambda text: (float(text), text.encode()))
    except ValueError:
        return sorted(found, key=str.encode)


def read_trace(path: str) -> List[Row]:
    bits = {"0": False, "1": True}
    with open(path, encoding="utf-8", newline="") as file:
        table = csv.reader(file)
        if next(table, None) != HEADER:
            raise InputError(f"{path}:1: expected the header {','.join(HEADER)}")
        rows = []
        for f in table:
            try:
                if len(f) != len(HEADER):
                    raise ValueError
                rows.append(Row(int(f[0]), f[1], f[2], f[3], float(f[4]), float(f[5]), bits[f[6]],
                                bits[f[7]], float(f[8]) if f[8] else None))
            except (ValueError, KeyError):
                raise InputError(f"{path}:{table.line_num}: bad row {','.join(f)}") from None
    return rows


# --- linear algebra ------------------------------------------------------------------------------


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    """The sum of products over the shorter of the two."""
    return sum(map(mul, a, b))


class Cholesky:
    """A = L L^T for a symmetric positive definite A, of which only the lower triangle is read."""

    def __init__(self, matrix: Sequence[Sequence[float]]):
        self.rows: List[List[float]] = []
        for i, a in enumerate(matrix):
            row: List[float] = []
            for j, other in enumerate(self.rows):
                row.append((a[j] - dot(row, other)) / other[j])
            row.append(math.sqrt(a[i] - dot(row, row)))
            self.rows.append(row)
        self.columns = [[row[j] for row in self.rows[j:]] for j in range(len(self.rows))]

    def solve(self, b: Sequence[float]) -> List[float]:
        y: List[float] = []
        for i, row in enumerate(self.rows):
            y.append((b[i] - dot(row, y)) / row[i])
        n = len(y)
        x = [0.0] * n
        for i in range(n - 1, -1, -1):
            column = self.columns[i]
            x[i] = (y[i] - dot(column[1:], x[i + 1:])) / column[0]
        return x


# --- learners ------------------------------------------------------------------------------------


class Decision(NamedTuple):
    """What happened in a round before learning; labels by their place in the order."""

    x: Features
    truth: int
    greedy: int
    played: int
    p: float  # of the label played
    scores: List[float]
    sizes: List[float]  # what the rounding error of a score is relative to
    claimed: bool = False  # soba-ovr: the greedy score is above 0


class Outcome(NamedTuple):
    """One admissible result of learning from a round."""

    updated: bool
    margin_sum: Optional[float] = None
    margin_size: float = 0.0  # the magnitudes margin_sum was summed from
    rival: int = -1
    step: bool = False  # soba-ovr: of the label played
    demoted: Tuple[int, ...] = ()  # soba-ovr, diagonal: the other labels that take a step
    refused: bool = False  # soba-ovr: a step by the gate


def contenders(scores: Sequence[float], sizes: Sequence[float], labels: Sequence[int],
               tolerance: float) -> List[int]:
    """The argmax over labels (ties: the smallest), then every label that is near-tied with it."""
    best = max(labels, key=lambda i: (scores[i], -i))
    near = []
    for i in labels:
        size = max(sizes[i], sizes[best])
        if i != best and size > 0.0 and scores[best] - scores[i] <= tolerance * size:
            near.append(i)
    return [best] + near


class Learner:
    """A linear classifier. outcomes() says what may follow from a round, commit() makes it so."""

    tolerance = 1e-9
    bandit = True
    explored = False  # the last round updated, and its greedy label was not the right one
    leverage = 0.0  # n_t z_t^T A_t^-1 z_t of the last round

    def __init__(self, k: int, d: int):
        self.k, self.d = k, d
        self.weights = [[0.0] * d for _ in range(k)]
        self.peaks = [[0.0] * d for _ in range(k)]  # the largest |w_ij| so far

    def scores(self, x: Features) -> Tuple[List[float], List[float]]:
        scores = [math.fsum(w[j] * v for j, v in x) for w in self.weights]
        return scores, [math.fsum(w[j] * abs(v) for j, v in x) for w in self.peaks]

    def set_weight(self, label: int, j: int, w: float) -> None:
        self.weights[label][j] = w
        self.peaks[label][j] = max(self.peaks[label][j], abs(w))

    def add(self, label: int, factor: float, x: Features) -> None:
        for j, v in x:
            self.set_weight(label, j, self.weights[label][j] + factor * v)

    def form_for(self, decision: Decision) -> "Learner":
        """The learner from here on: this one, or the one that it hands over to."""
        return self

    def meet(self, decision: Decision) -> None:
        """Takes note of a round, whatever follows from it."""

    def outcomes(self, decision: Decision) -> List[Outcome]:
        raise NotImplementedError

    def commit(self, decision: Decision, outcome: Outcome) -> None:
        raise NotImplementedError

    def same_margin_sum(self, outcome: Outcome, found: Optional[float]) -> bool:
        return found is None


class Perceptron(Learner):
    """Full information: a mistake adds x to the true label and takes it from the greedy one."""

    bandit = False

    def scores(self, x: Features) -> Tuple[List[float], List[float]]:
        scores, sizes = super().scores(x)
        exact = all((w[j] * v).is_integer() for w in self.weights for j, v in x)
        return scores, [0.0] * self.k if exact and max(sizes) < 2.0**53 else sizes

    def outcomes(self, decision: Decision) -> List[Outcome]:
        return [Outcome(decision.greedy != decision.truth)]

    def commit(self, decision: Decision, outcome: Outcome) -> None:
        if outcome.updated:
            self.add(decision.truth, 1.0, decision.x)
            self.add(decision.greedy, -1.0, decision.x)


class Banditron(Learner):
    """Kakade, Shalev-Shwartz, Tewari 2008: W changes in every round, but for the right guess that
    was certain, whose two halves cancel."""

    def outcomes(self, decision: Decision) -> List[Outcome]:
        return [Outcome(not (decision.played == decision.truth and decision.p == 1.0))]

    def commit(self, decision: Decision, outcome: Outcome) -> None:
        self.add(decision.greedy, -1.0, decision.x)
        if decision.played == decision.truth:
            self.add(decision.played, 1.0 / decision.p, decision.x)


class Soba(Learner):
    """Algorithm 1, line by line, with vectors of length k d (class after class)."""

    def __init__(self, k: int, d: int, a: float):
        super().__init__(k, d)
        n = k * d
        self.margin_sum = 0.0
        self.margin_size = 0.0
        self.theta = [0.0] * n
        self.init_matrix(n, a)

    def init_matrix(self, n: int, a: float) -> None:
        self.matrix = [[a if i == j else 0.0 for j in range(n)] for i in range(n)]
        self.factor = Cholesky(self.matrix)

    def solve(self, b: Sequence[float]) -> List[float]:
        """A^-1 b."""
        return self.factor.solve(b)

    def add_outer(self, z: Sequence[float]) -> None:
        """A += z z^T."""
        for i, zi in enumerate(z):
            if zi != 0.0:
                row = self.matrix[i]
                for j, zj in enumerate(z):
                    row[j] += zi * zj
        self.factor = Cholesky(self.matrix)

    def gradient(self, decision: Decision, rival: int) -> List[float]:
        """g_t = (e_rival - e_truth) (x) x / p (line 11)."""
        g = [0.0] * (self.k * self.d)
        for j, v in decision.x:
            g[rival * self.d + j] = v / decision.p
            g[decision.truth * self.d + j] = -v / decision.p
        return g

    def outcomes(self, decision: Decision) -> List[Outcome]:
        if decision.played != decision.truth:  # line 9
            return [Outcome(False, self.margin_sum, self.margin_size)]
        others = [i for i in range(self.k) if i != decision.truth]
        result = []
        for rival in contenders(decision.scores, decision.sizes, others, self.tolerance):  # line 10
            result += self.outcomes_against(decision, rival)
        return result

    def outcomes_against(self, decision: Decision, rival: int) -> List[Outcome]:
        p, truth = decision.p, decision.truth
        g = self.gradient(decision, rival)
        z = [math.sqrt(p) * v for v in g]  # line 12
        w_g = (decision.scores[rival] - decision.scores[truth]) / p  # <W, g>
        w_z = math.sqrt(p) * w_g
        denominator = 1.0 + dot(z, self.solve(z))
        m = (w_z * w_z + 2.0 * w_g) / denominator  # line 13
        total = self.margin_sum + m
        size_g = (decision.sizes[rival] + decision.sizes[truth]) / p
        size = self.margin_size + 2.0 * (1.0 + abs(w_g) * p) * size_g / denominator
        update = Outcome(True, total, size, rival)
        keep = Outcome(False, self.margin_sum, self.margin_size)
        if abs(total) <= self.tolerance * size and size > 0.0:
            return [update, keep] if total >= 0.0 else [keep, update]
        return [update] if total >= 0.0 else [keep]  # line 14

    def commit(self, decision: Decision, outcome: Outcome) -> None:
        self.leverage = 0.0
        self.explored = outcome.updated and decision.greedy != decision.truth
        if not outcome.updated:
            return
        self.margin_sum, self.margin_size = outcome.margin_sum, outcome.margin_size
        g = self.gradient(decision, outcome.rival)
        z = [math.sqrt(decision.p) * v for v in g]
        q = dot(z, self.solve(z))
        self.add_outer(z)  # line 18
        self.theta = [t - v for t, v in zip(self.theta, g)]  # line 19
        w = self.solve(self.theta)  # line 20
        for index, value in enumerate(w):
            self.set_weight(index // self.d, index % self.d, value)
        self.leverage = self.leverage_of(z, q)

    def leverage_of(self, z: List[float], q: float) -> float:
        """z^T A_t^-1 z, given q = z^T A_{t-1}^-1 z."""
        return dot(z, self.solve(z))

    def same_margin_sum(self, outcome: Outcome, found: Optional[float]) -> bool:
        return found is not None and close(outcome.margin_sum, found, 1e-6,
                                           1e-9 * outcome.margin_size)


class SobaDiagonal(Soba):
    """Algorithm 1 with a diagonal A: z z^T contributes its diagonal only."""

    tolerance = 1e-5

    def leverage_of(self, z: List[float], q: float) -> float:
        """q/(1+q), which is z^T A_t^-1 z for an exact A and, unlike it, at most 1 for a diagonal one:
        the appendix's lemma needs a bounded sequence."""
        return q / (1.0 + q)

    def init_matrix(self, n: int, a: float) -> None:
        self.diagonal = [a] * n

    def solve(self, b: Sequence[float]) -> List[float]:
        return [v / a for v, a in zip(b, self.diagonal)]

    def add_outer(self, z: Sequence[float]) -> None:
        self.diagonal = [a + v * v for a, v in zip(self.diagonal, z)]

    def same_margin_sum(self, outcome: Outcome, found: Optional[float]) -> bool:
        return found is not None and close(outcome.margin_sum, found, 1e-3, 1e-3)


class SobaOvr(Learner):
    """One-vs-rest SOBA: what soba_ovr.h says of deciding and learning. Two forms below."""

    scale = 1.0  # c, unless one is given
    raises = False  # whether a step may be preceded by one that changes the score

    def __init__(self, k: int, d: int, settings: "Settings"):
        super().__init__(k, d)
        self.settings = settings
        self.margin_sum = 0.0  # S
        self.margin_size = 0.0
        self.quad_sum = 0.0  # Q
        self.unclaimed_quad_sum = 0.0  # Q_B
        self.unclaimed = 0  # T_B, without the round about to be played

    def look(self, label: int, decision: Decision) -> Tuple[float, float, float]:
        """What a step of a label starts from: score, what its error is relative to, x^T A^-1 x."""
        raise NotImplementedError

    def take(self, label: int, decision: Decision, sigma: float, w: float) -> None:
        """A step of a label towards sigma with weight w."""
        raise NotImplementedError

    def prepare(self, label: int, decision: Decision) -> None:
        """What goes before a step, even one that the gate refuses."""
        raise NotImplementedError

    def rate(self) -> float:
        """e of the next round, if nobody claims it."""
        c = self.settings.explore_scale or self.scale
        if self.settings.explore == "constant":
            return c
        rounds = self.unclaimed + 1
        return min(1.0, c * math.sqrt(self.k * (1.0 + self.unclaimed_quad_sum) / rounds))

    @staticmethod
    def share(score: float) -> float:
        """phi of a score that claims nothing."""
        return min(4.0, (1.0 - min(score, 0.0))**2)

    def meet(self, decision: Decision) -> None:
        self.unclaimed += not decision.claimed

    def weight(self, decision: Decision) -> float:
        """w of the step that follows from a round, if one does."""
        if decision.claimed or decision.played != decision.truth:
            return 1.0
        return max(1.0, 1.0 / (decision.p * self.share(decision.scores[decision.played])))

    def outcomes(self, decision: Decision) -> List[Outcome]:
        played = decision.played
        s, error = decision.scores[played], self.tolerance * decision.sizes[played]
        keep = (False, self.margin_sum, self.margin_size, False)
        steps = []
        if played != decision.truth:
            steps = self.gated(decision) if decision.claimed else [keep]  # (a)
        elif decision.claimed:
            steps += self.gated(decision) if s < 1.0 + error else []  # (b)
            steps += [keep] if s >= 1.0 - error else []
        else:
            steps = self.gated(decision)  # (c)
        gate = self.settings.gate
        return [Outcome(step or bool(others), total if gate else None, size, -1, step, others,
                        refused)
                for step, total, size, refused in steps for others in self.demotions(decision)]

    def gated(self, decision: Decision) -> List[Tuple[bool, float, float, bool]]:
        """Whether the step is taken, S after it, what S was summed from, whether it is refused."""
        if not self.settings.gate:
            return [(True, 0.0, 0.0, False)]
        right = decision.played == decision.truth
        sigma, p = (1.0 if right else -1.0), decision.p
        w = self.weight(decision)
        s, error, variance = self.look(decision.played, decision)
        left = 1.0 / (1.0 + w * variance)  # 1 - q'
        if not right:  # (a)
            credit = (s * s + 2.0 * s) * left
        elif decision.claimed:  # (b)
            credit = (s * s - 2.0 * s) * left
        else:  # (c)
            credit = (w * (1.0 - s)**2 - 1.0 / p) * left
        size = 2.0 * w * abs(sigma - s) * error + w * (abs(s) + 1.0)**2 + 1.0 / p
        size = self.margin_size + left * size
        total = self.margin_sum + credit
        above = total + self.settings.slack * (1.0 + self.quad_sum)
        take = (True, total, size, False)
        keep = (False, self.margin_sum, self.margin_size, True)
        if not (right and decision.claimed) and not self.raises:
            return [take]
        if abs(above) <= self.tolerance * size:
            return [take, keep]
        return [take] if above >= 0.0 else [keep]

    def demotions(self, decision: Decision) -> List[Tuple[int, ...]]:
        """The labels beside the one played that may take a step towards -1."""
        return [()]

    def commit(self, decision: Decision, outcome: Outcome) -> None:
        if outcome.step:
            right = decision.played == decision.truth
            w = self.weight(decision)
            quad = w * self.look(decision.played, decision)[2]
            share = quad / (1.0 + quad)
            self.quad_sum += share
            if right and not decision.claimed:
                self.unclaimed_quad_sum += share
            self.margin_sum, self.margin_size = outcome.margin_sum or 0.0, outcome.margin_size
            self.take(decision.played, decision, 1.0 if right else -1.0, w)
        elif outcome.refused:
            self.prepare(decision.played, decision)
        for label in outcome.demoted:
            self.take(label, decision, -1.0, 1.0)

    def same_margin_sum(self, outcome: Outcome, found: Optional[float]) -> bool:
        if not self.settings.gate:
            return found is None
        return found is not None and close(outcome.margin_sum, found, 1e-6,
                                           1e-9 * outcome.margin_size)


class Ridge:
    """A_i and theta_i = sum of w sigma x of every label, for one a; weights solved from scratch.
    A feature that no step of a label has met has a row and column of the unit matrix."""

    def __init__(self, k: int, d: int, a: float):
        self.a = a
        self.matrix = [[[float(i == j) for j in range(d)] for i in range(d)] for _ in range(k)]
        self.theta = [[0.0] * d for _ in range(k)]
        self.weights = [[0.0] * d for _ in range(k)]
        self.peaks = [[0.0] * d for _ in range(k)]

    def raised(self, label: int, levels: Dict[int, Tuple[float, float]]) -> List[List[float]]:
        """A_i once r_ij has changed, for each j from one level (0: none yet) to another."""
        matrix = [list(row) for row in self.matrix[label]]
        for j, (before, after) in levels.items():
            matrix[j][j] = self.a * after + (matrix[j][j] - self.a * before if before else 0.0)
        return matrix

    def solve(self, label: int) -> None:
        weights = Cholesky(self.matrix[label]).solve(self.theta[label])
        self.weights[label] = weights
        self.peaks[label] = [max(p, abs(w)) for p, w in zip(self.peaks[label], weights)]


class SobaOvrFull(SobaOvr):
    """d x d matrices, the constant feature behind the others, several a side by side."""

    def __init__(self, k: int, d: int, settings: "Settings"):
        super().__init__(k, d, settings)
        self.raises = settings.scale_free
        ridges = settings.ridges or ((1.0,) if settings.gate else (0.0005, 0.02, 0.5))
        n = d + settings.constant
        self.ridges = [Ridge(k, n, a) for a in sorted(ridges)]
        self.losses = [0.0] * len(ridges)  # sums of (clip(s^e) - sigma)^2
        self.rounds = 0
        self.norms = 0.0  # sum of the terms of nu
        self.largest = [0.0] * n  # m_j
        self.level = [0.0 if settings.scale_free else 1.0] * n  # r_j
        self.taken = [[0.0] * n for _ in range(k)]  # r_ij
        self.met = 0  # features

    def form_for(self, decision: Decision) -> Learner:
        """Hands over to diagonals where the matrices over the features met outgrow the memory."""
        self.met = max([self.met] + [j + 1 for j, _ in decision.x])
        n = self.met + self.settings.constant
        needed = 8 * self.k * len(self.ridges) * n * (n + 13)
        if self.settings.covariance == "full" or needed <= self.settings.memory * 2**20:
            return self
        self.judge(decision)
        form = SobaOvrDiagonal(self.k, self.d, self.settings)
        form.margin_sum, form.margin_size = self.margin_sum, self.margin_size
        form.quad_sum, form.unclaimed_quad_sum = self.quad_sum, self.unclaimed_quad_sum
        form.unclaimed = self.unclaimed
        leader = self.ridges[self.losses.index(min(self.losses))]
        for i in range(self.k):
            for j in range(self.d):
                if self.taken[i][j] > 0.0:
                    form.diagonal[i][j] = leader.matrix[i][j][j]
                    form.exact[i][j] = math.fsum(share * ridge.weights[i][j] for share, ridge
                                                 in zip(self.shares(), self.ridges))
                    form.set_weight(i, j, rounded(form.exact[i][j]))
        return form

    def shares(self) -> List[float]:
        """q_e."""
        shares = [math.exp((min(self.losses) - loss) / 8.0) for loss in self.losses]
        return [share / sum(shares) for share in shares]

    def extended(self, x: Features) -> Features:
        return [(j, v) for j, v in x if v != 0.0] + [(self.d, 1.0)] * self.settings.constant

    def scores(self, x: Features) -> Tuple[List[float], List[float]]:
        scores, sizes = [0.0] * self.k, [0.0] * self.k
        for share, ridge in zip(self.shares(), self.ridges):
            for i in range(self.k):
                scores[i] += share * self.inner(ridge.weights[i], x)
                sizes[i] += share * self.size(ridge, i, x)
        return scores, sizes

    def inner(self, weights: Sequence[float], x: Features) -> float:
        return math.fsum(weights[j] * v for j, v in self.extended(x))

    def size(self, ridge: Ridge, label: int, x: Features) -> float:
        return math.fsum(ridge.peaks[label][j] * abs(v) for j, v in self.extended(x))

    def judge(self, decision: Decision) -> None:
        sigma = 1.0 if decision.played == decision.truth else -1.0
        for e, ridge in enumerate(self.ridges):
            s = self.inner(ridge.weights[decision.played], decision.x)
            self.losses[e] += (max(-1.0, min(1.0, s)) - sigma)**2

    def meet(self, decision: Decision) -> None:
        super().meet(decision)
        self.judge(decision)
        if not self.settings.scale_free:
            return
        x = self.extended(decision.x)
        self.rounds += 1
        grown = [j for j, v in x if abs(v) > self.largest[j]]
        for j, v in x:
            if j in grown:
                self.largest[j] = max(abs(v), 1.5 * self.largest[j])
        self.norms += math.fsum((v / self.largest[j])**2 for j, v in x)
        for j in grown:
            level = self.norms / self.rounds * self.largest[j]**2
            self.level[j] = max(self.level[j], level)  # a diagonal is raised, never lowered

    def levels(self, label: int, x: Features) -> Dict[int, Tuple[float, float]]:
        return {j: (self.taken[label][j], self.level[j]) for j, _ in self.extended(x)
                if self.level[j] > self.taken[label][j]}

    def look(self, label: int, decision: Decision) -> Tuple[float, float, float]:
        ridge = self.ridges[len(self.ridges) // 2]
        factor = Cholesky(ridge.raised(label, self.levels(label, decision.x)))
        s = self.inner(factor.solve(ridge.theta[label]), decision.x)
        x = [0.0] * len(self.largest)
        for j, v in self.extended(decision.x):
            x[j] = v
        return s, self.size(ridge, label, decision.x), dot(x, factor.solve(x))

    def prepare(self, label: int, decision: Decision) -> None:
        levels = self.levels(label, decision.x)
        for ridge in self.ridges:
            ridge.matrix[label] = ridge.raised(label, levels)
            ridge.solve(label)
        for j, (_, after) in levels.items():
            self.taken[label][j] = after

    def take(self, label: int, decision: Decision, sigma: float, w: float) -> None:
        self.prepare(label, decision)
        x = self.extended(decision.x)
        for ridge in self.ridges:
            matrix = ridge.matrix[label]
            for i, u in x:
                ridge.theta[label][i] += w * sigma * u
                for j, v in x:
                    matrix[i][j] += w * u * v
            ridge.solve(label)


class SobaOvrDiagonal(SobaOvr):
    """A_i as its diagonal, a = 1; scores with weights rounded to single precision."""

    tolerance = 1e-5
    scale = 0.3

    def __init__(self, k: int, d: int, settings: "Settings"):
        super().__init__(k, d, settings)
        self.exact = [[0.0] * d for _ in range(k)]
        self.diagonal = [[0.0] * d for _ in range(k)]  # 0: has not met the feature
        self.rounds = 0
        self.norms = 0.0  # sum of ||x||^2, values beyond 16 as 1

    def meet(self, decision: Decision) -> None:
        super().meet(decision)
        self.rounds += 1
        self.norms += math.fsum(1.0 if abs(v) > 16.0 else v * v for _, v in decision.x)

    def entry(self, label: int, j: int, v: float) -> float:
        """A_jj of a label, as a step along x with x_j = v finds it."""
        mean = self.norms / self.rounds
        return self.diagonal[label][j] or (mean * v * v if abs(v) > 16.0 else mean)

    def look(self, label: int, decision: Decision) -> Tuple[float, float, float]:
        # Scores as they are: the round may have been decided by matrices.
        scores, sizes = self.scores(decision.x)
        variance = math.fsum(v * v / self.entry(label, j, v) for j, v in decision.x if v != 0.0)
        return scores[label], sizes[label], variance

    def prepare(self, label: int, decision: Decision) -> None:
        for j, v in decision.x:
            if v != 0.0:
                self.diagonal[label][j] = self.entry(label, j, v)

    def take(self, label: int, decision: Decision, sigma: float, w: float) -> None:
        s, _, variance = self.look(label, decision)
        along = w * (sigma - s) / (1.0 + w * variance)
        for j, v in decision.x:
            if v != 0.0:
                entry = self.entry(label, j, v)
                self.exact[label][j] += along * v / entry
                self.diagonal[label][j] = entry + w * v * v
                self.set_weight(label, j, rounded(self.exact[label][j]))

    def demotions(self, decision: Decision) -> List[Tuple[int, ...]]:
        if not decision.claimed or decision.played != decision.truth:
            return [()]
        scores, sizes = decision.scores, decision.sizes
        others = [i for i in range(self.k) if i != decision.played]
        near = [i for i in others if 0.0 < sizes[i] and abs(scores[i]) <= self.tolerance * sizes[i]]
        sure = [i for i in others if scores[i] > 0.0 and i not in near]
        return [tuple(sorted(sure + list(some))) for count in range(len(near) + 1)
                for some in itertools.combinations(near, count)]

    def same_margin_sum(self, outcome: Outcome, found: Optional[float]) -> bool:
        if not self.settings.gate:
            return found is None
        return found is not None and close(outcome.margin_sum, found, 1e-3, 1e-3)


def rounded(value: float) -> float:
    """In single precision."""
    return struct.unpack("f", struct.pack("f", value))[0]


# --- the audit -----------------------------------------------------------------------------------


class Settings(NamedTuple):
    learner: str
    gamma: Optional[float]  # None: adaptive (Appendix A)
    a: float = 1.0
    gamma_scale: float = 1.0
    explore: str = "uniform"  # "gap", "gap-bounded" and those of soba-ovr leave gamma aside
    gap_floor: float = 0.03
    # Of soba-ovr, whose explore is "confident" or "constant".
    covariance: str = "full"  # or "diagonal" or "adaptive"
    memory: float = 4096.0  # MiB, of adaptive
    ridges: Tuple[float, ...] = ()  # none: the default
    gate: bool = False
    slack: float = 0.0
    explore_scale: float = 0.0
    constant: bool = True
    scale_free: bool = True


class Mismatch(NamedTuple):
    round: int
    field: str
    expected: object
    found: object

    def __str__(self) -> str:
        def text(value: object) -> str:
            if isinstance(value, bool):
                return str(int(value))
            return "(empty)" if value is None else str(value)

        return (f"round {self.round}: {self.field}: "
                f"expected {text(self.expected)}, found {text(self.found)}")


class Report(NamedTuple):
    rounds: int
    near_ties: int
    updates: int
    mismatches: List[Mismatch]


def close(expected: float, found: float, relative: float, absolute: float = 0.0) -> bool:
    """False if found is not a finite number."""
    return (math.isfinite(found) and
            abs(expected - found) <= relative * max(abs(expected), abs(found)) + absolute)


def make_learner(settings: Settings, k: int, d: int) -> Learner:
    if settings.learner == "soba":
        return Soba(k, d, settings.a)
    if settings.learner == "sobadiag":
        return SobaDiagonal(k, d, settings.a)
    if settings.learner == "soba-ovr":
        form = SobaOvrDiagonal if settings.covariance == "diagonal" else SobaOvrFull
        return form(k, d, settings)
    return Banditron(k, d) if settings.learner == "banditron" else Perceptron(k, d)


class Answers:
    """The share of wrong answers to a label, over all plays as the greedy label and one wrong one
    put before them; from the hundredth on, each counts a hundredth and the earlier ones fade."""

    def __init__(self) -> None:
        self.count = 1
        self.share_wrong = 1.0

    def add(self, wrong: bool) -> None:
        self.count += 1
        weight = 1.0 / min(self.count, 100)
        self.share_wrong = (1.0 - weight) * self.share_wrong + weight * wrong


class Replay:
    """One run of the learner along the trace, with what it found."""

    def __init__(self, learner: Learner, labels: Sequence[str], settings: Settings):
        self.learner = learner
        self.labels = labels
        self.settings = settings
        self.leverages = 0.0  # the sum of n_s z_s^T A_s^-1 z_s
        self.explored = 0.0  # the same over exploratory hits: the greedy label was not right
        self.answers = [Answers() for _ in labels]
        self.near_ties = 0
        self.updates = 0
        self.mismatches: List[Mismatch] = []

    def step(self, t: int, label: str, x: Features, row: Row) -> List["Replay"]:
        """Plays round t. Returns several replays where the trace leaves the outcome open."""
        self.check(t, "round", row.round, t)
        self.check(t, "label", row.label, label)
        decision, near = self.decide(t, label, x, row)
        self.check(t, "correct", row.correct, decision.played == decision.truth)

        self.learner = learner = self.learner.form_for(decision)
        learner.meet(decision)
        outcomes = list(dict.fromkeys(learner.outcomes(decision)))
        self.near_ties += near or len(outcomes) > 1
        fitting = [o for o in outcomes
                   if o.updated == row.updated and learner.same_margin_sum(o, row.margin_sum)]
        chosen = fitting or outcomes[:1]
        replays = [self] + [copy.deepcopy(self) for _ in chosen[1:]]
        for replay, outcome in zip(replays, chosen):
            replay.check(t, "updated", row.updated, outcome.updated)
            replay.check(t, "margin_sum", row.margin_sum, outcome.margin_sum,
                         learner.same_margin_sum(outcome, row.margin_sum))
            replay.learner.commit(decision, outcome)
            replay.leverages += replay.learner.leverage
            replay.explored += replay.learner.leverage * replay.learner.explored
            if decision.played == decision.greedy:
                replay.answers[decision.greedy].add(decision.played != decision.truth)
            replay.updates += outcome.updated
        return replays

    def decide(self, t: int, label: str, x: Features, row: Row) -> Tuple[Decision, bool]:
        """The decision, and whether the greedy label is near-tied."""
        k = len(self.labels)
        scores, sizes = self.learner.scores(x)
        candidates = contenders(scores, sizes, range(k), self.learner.tolerance)
        greedy = candidates[0]
        for i in candidates:
            if self.labels[i] == row.greedy:
                greedy = i
        self.check(t, "greedy", row.greedy, self.labels[greedy])
        if isinstance(self.learner, SobaOvr):
            return self.decide_by_claims(t, label, x, row, greedy, scores, sizes, candidates)

        gamma, relative, absolute = self.exploration(t, greedy, scores, sizes)
        gamma_agrees = close(gamma, row.gamma, relative, absolute) and 0.0 <= row.gamma <= 1.0
        self.check(t, "gamma", row.gamma, gamma, gamma_agrees)
        played = self.labels.index(row.played)

        def probability(rate: float) -> float:
            return (1.0 - rate) * (played == greedy) + rate / k

        p = probability(gamma)
        reported = probability(row.gamma) if gamma_agrees else p
        if self.settings.explore != "uniform":
            p = reported
        self.check(t, "probability", row.probability, reported,
                   close(reported, row.probability, 1e-12))
        if p <= 0.0:
            self.check(t, "played", row.played, self.labels[greedy])
            played, p = greedy, 1.0
        truth = self.labels.index(label)
        return Decision(x, truth, greedy, played, p, scores, sizes), len(candidates) > 1

    def decide_by_claims(self, t: int, label: str, x: Features, row: Row, greedy: int,
                         scores: List[float], sizes: List[float],
                         candidates: List[int]) -> Tuple[Decision, bool]:
        """Of soba-ovr. Where the greedy score is near 0, the trace's gamma says if it claims x."""
        k, learner = len(self.labels), self.learner
        errors = [learner.tolerance * size for size in sizes]
        error = max(errors[i] for i in candidates)
        near = error > 0.0 and abs(scores[greedy]) <= error
        claimed = row.gamma == 0.0 if near else scores[greedy] > 0.0

        gamma = 0.0 if claimed else learner.rate()
        constant = claimed or self.settings.explore == "constant"
        agrees = close(gamma, row.gamma, 1e-12 if constant else 1e-6) and 0.0 <= row.gamma <= 1.0
        self.check(t, "gamma", row.gamma, gamma, agrees)
        rate = row.gamma if agrees else gamma
        played = self.labels.index(row.played)
        aside = [i for i in range(k) if i != greedy] if played == greedy else [played]
        p = math.fsum(rate / (k * learner.share(scores[i])) for i in aside)
        p = 1.0 - p if played == greedy else p
        slope = math.fsum(2.0 * rate / k * errors[i] for i in aside)  # d(1/phi)/ds <= 2
        agrees = close(p, row.probability, 1e-12, slope)
        self.check(t, "probability", row.probability, p, agrees)
        if p <= 0.0:
            self.check(t, "played", row.played, self.labels[greedy])
            played, p = greedy, 1.0
        elif agrees:
            p = row.probability
        truth = self.labels.index(label)
        return (Decision(x, truth, greedy, played, p, scores, sizes, claimed),
                near or len(candidates) > 1)

    def exploration(self, t: int, greedy: int, scores: Sequence[float],
                    sizes: Sequence[float]) -> Tuple[float, float, float]:
        """The exploration rate of round t and the relative and absolute error allowed in it."""
        settings = self.settings
        if not self.learner.bandit:
            return 0.0, 0.0, 0.0
        k = len(self.labels)
        if settings.explore == "uniform":
            if settings.gamma is not None:
                return settings.gamma, 1e-12, 0.0
            rate = settings.gamma_scale * math.sqrt(k * (1.0 + self.leverages) / t)
            return min(1.0, rate), 1e-6, 0.0
        # e_t = min(1, sqrt(k (1 + sum of n_s z_s^T A_s^-1 z_s) / t)) r max(1 - lead, r)
        second = max((i for i in range(k) if i != greedy), key=lambda i: scores[i])
        lead = scores[greedy] - scores[second]
        doubt = self.answers[greedy].share_wrong
        factor = min(1.0, math.sqrt(k * (1.0 + self.leverages) / t)) * doubt
        rate = factor * max(1.0 - lead, doubt)
        if settings.explore == "gap-bounded":
            floor = settings.gap_floor * math.sqrt(k * (1.0 + self.explored) / t)
            rate = max(rate, min(1.0, floor))
        return rate, 1e-6, factor * self.learner.tolerance * (sizes[greedy] + sizes[second])

    def check(self, t: int, field: str, found: object, expected: object,
              agrees: Optional[bool] = None) -> None:
        if not (expected == found if agrees is None else agrees):
            self.mismatches.append(Mismatch(t, field, expected, found))


def audit(examples: Sequence[Example], labels: Sequence[str], trace: Sequence[Row],
          settings: Settings) -> Report:
    """Requires: prepared examples; labels in their order, all those of the examples among them."""
    for row in trace:
        if row.played not in labels:
            raise InputError(f"round {row.round}: played '{row.played}', which is not a label")
    features = sorted({j for example in examples for j in example.x})
    position = {j: at for at, j in enumerate(features)}
    replays = [Replay(make_learner(settings, len(labels), len(position)), labels, settings)]
    for t, (example, row) in enumerate(zip(examples, trace), 1):
        x = [(position[j], v) for j, v in example.x.items()]
        after = [new for old in replays for new in old.step(t, example.label, x, row)]
        fewest = min(len(replay.mismatches) for replay in after)
        replays = [replay for replay in after if len(replay.mismatches) == fewest][:MAX_REPLAYS]

    best = replays[0]
    rounds = min(len(examples), len(trace))
    if len(examples) != len(trace):
        best.check(rounds + 1, "round", f"{len(trace)} rounds", f"{len(examples)} rounds")
    return Report(rounds, best.near_ties, best.updates, best.mismatches)


def audit_files(data: str, trace: str, settings: Settings, labels: Optional[Sequence[str]] = None,
                scale: str = "none", normalize: str = "none", bias: bool = False) -> Report:
    try:
        raw = read_libsvm(data)
        examples = prepare(raw, scale, normalize, bias)
        return audit(examples, label_order(raw, labels), read_trace(trace), settings)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(str(error)) from error


def parse_arguments(argv: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", metavar="DATA.libsvm")
    parser.add_argument("trace", metavar="TRACE.csv")
    parser.add_argument("--learner", choices=LEARNERS, required=True)
    parser.add_argument("--gamma", help="exploration rate, 0 to 1, or 'adaptive' (soba, sobadiag)")
    parser.add_argument("--a", type=float, default=1.0, help="A_0 = a I (default 1)")
    parser.add_argument("--gamma-scale", type=float, default=1.0,
                        help="factor of the adaptive rate (default 1, the paper's)")
    parser.add_argument("--explore", choices=[e for kinds in EXPLORE.values() for e in kinds],
                        help="gap and gap-bounded (soba, sobadiag), confident and constant "
                        "(soba-ovr) set the rate themselves")
    parser.add_argument("--gap-floor", type=float, default=0.03,
                        help="factor of the least rate of gap-bounded (default 0.03)")
    ovr = parser.add_argument_group("soba-ovr", "as for soba run")
    ovr.add_argument("--covariance", choices=("full", "diagonal", "adaptive"), default="adaptive")
    ovr.add_argument("--memory", type=float, default=4096.0)
    ovr.add_argument("--ridges", default="", metavar="A,B,C")
    ovr.add_argument("--gate", choices=("off", "on"), default="off")
    ovr.add_argument("--slack", type=float, default=0.0)
    ovr.add_argument("--explore-scale", type=float, default=0.0)
    ovr.add_argument("--constant", choices=("true", "false"), default="true")
    ovr.add_argument("--scale-free", choices=("true", "false"), default="true")
    parser.add_argument("--labels", help="the labels in their order, separated by commas")
    parser.add_argument("--scale", choices=("none", "maxabs"), default="none")
    parser.add_argument("--normalize", choices=("none", "l2"), default="none")
    parser.add_argument("--bias", action="store_true", help="add feature 0 with value 1")
    options = parser.parse_args(argv)
    adaptive = options.gamma == "adaptive"
    kinds = EXPLORE["soba-ovr" if options.learner == "soba-ovr" else "others"]
    options.explore = options.explore or kinds[0]
    if options.explore not in kinds:
        parser.error(f"--explore {options.explore} is not for {options.learner}")
    if options.learner == "soba-ovr":
        if options.gamma is not None:
            parser.error("soba-ovr has no --gamma")
        try:
            options.ridges = tuple(float(a) for a in options.ridges.split(",") if a)
        except ValueError:
            parser.error(f"--ridges: '{options.ridges}' is not a list of numbers")
        if not all(a > 0.0 for a in options.ridges):
            parser.error("--ridges must be positive")
        if options.slack < 0.0 or not 0.0 <= options.explore_scale <= 1.0:
            parser.error("--slack must not be negative, --explore-scale from 0 to 1")
    elif options.explore != "uniform":
        if options.learner not in ("soba", "sobadiag") or options.gamma is not None:
            parser.error(f"--explore {options.explore} is for soba and sobadiag, without --gamma")
    elif options.learner == "perceptron":
        options.gamma = 0.0
    elif options.gamma is None:
        parser.error("--gamma is needed")
    elif adaptive and options.learner == "banditron":
        parser.error("--gamma adaptive is for soba and sobadiag")
    else:
        try:
            options.gamma = None if adaptive else float(options.gamma)
        except ValueError:
            parser.error(f"--gamma: '{options.gamma}' is neither a number nor 'adaptive'")
    if options.gamma is not None and not 0.0 <= options.gamma <= 1.0:
        parser.error("--gamma must be from 0 to 1")
    if not 0.0 < options.gap_floor <= 1.0:
        parser.error("--gap-floor must be above 0 and at most 1")
    if not options.a > 0.0:
        parser.error("--a must be positive")
    return options


def main(argv: Optional[Sequence[str]] = None) -> int:
    o = parse_arguments(argv)
    settings = Settings(o.learner, o.gamma, o.a, o.gamma_scale, o.explore, o.gap_floor)
    if o.learner == "soba-ovr":
        settings = settings._replace(covariance=o.covariance, memory=o.memory, ridges=o.ridges,
                                     gate=o.gate == "on", slack=o.slack,
                                     explore_scale=o.explore_scale, constant=o.constant == "true",
                                     scale_free=o.scale_free == "true")
    labels = None if o.labels is None else o.labels.split(",")
    try:
        report = audit_files(o.data, o.trace, settings, labels, o.scale, o.normalize, o.bias)
    except InputError as error:
        print(f"replay: {error}", file=sys.stderr)
        return 3
    for mismatch in report.mismatches:
        print(mismatch)
    print(f"{report.rounds} rounds checked, {report.updates} updates, "
          f"{report.near_ties} near-ties, {len(report.mismatches)} mismatches")
    return 1 if report.mismatches else 0


if __name__ == "__main__":
    sys.exit(main())
