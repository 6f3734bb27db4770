"""Statistics of the bake-off: pure functions of played errors in percent.

The errors of a learner on a data set are a dict {shuffle: error}. The best learner is chosen by the odd shuffles and
compared on the even ones, so that the luck that made it the best does not count for it.
"""
import dataclasses
import math
import statistics

RELATIVE = 0.03  # a win or a loss differs by more than this, relative to the other,
POINTS = 0.1     # by more than this in percentage points,
COVERAGE = 0.95  # and has a paired interval of this coverage that excludes 0.


@dataclasses.dataclass(frozen=True)
class Comparison:
    """One learner against another: negative differences and ratios below 1 are in its favour."""
    ratio: float        # of the means
    difference: float   # mean of the paired differences, in points
    half: float | None  # half the width of its interval; None where one shuffle was compared
    verdict: str        # win, tie or loss


def odd(errors):
    return {shuffle: error for shuffle, error in errors.items() if shuffle % 2 == 1}


def even(errors):
    return {shuffle: error for shuffle, error in errors.items() if shuffle % 2 == 0}


def mean(errors):
    return statistics.mean(errors.values())


def standard_error(errors):
    """Of the mean; None for fewer than two shuffles."""
    return statistics.stdev(errors.values()) / math.sqrt(len(errors)) if len(errors) > 1 else None


def best_learner(errors):
    """The learner of the lowest mean over the odd shuffles; of equals, the first. `errors` is by learner."""
    return min(errors, key=lambda learner: mean(odd(errors[learner])))


def t_coverage(t, freedom):
    """P(|T| <= t) for Student's t with a whole number of degrees of freedom (Abramowitz & Stegun 26.7.3, 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    square = math.cos(angle) ** 2
    first = 2 if freedom % 2 else 1
    term = math.cos(angle) if freedom % 2 else 1.0
    total = 0.0
    for i in range(first, freedom, 2):
        total += term
        term *= square * i / (i + 1)
    if freedom % 2:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total


def t_quantile(freedom, coverage=COVERAGE):
    """The t with P(|T| <= t) = coverage, by bisection."""
    low, high = 0.0, 1.0
    while t_coverage(high, freedom) < coverage:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if t_coverage(middle, freedom) < coverage else (low, middle)
    return high


def error_ratio(ours, theirs, least=0.0):
    """ours / theirs, with neither below `least`: a learner without mistakes is not infinitely better."""
    ours, theirs = max(ours, least), max(theirs, least)
    if theirs == 0:
        return 1.0 if ours == 0 else math.inf
    return ours / theirs


def clear(ours, theirs, ratio):
    """Which way two means differ by more than both thresholds: win, loss or tie."""
    if abs(ours - theirs) <= POINTS:
        return "tie"
    return "loss" if ratio > 1 + RELATIVE else "win" if ratio < 1 / (1 + RELATIVE) else "tie"


def compare(ours, theirs, rounds):
    """The first learner against the second, paired by shuffle, on shuffles of so many rounds each."""
    if ours.keys() != theirs.keys() or not ours:
        raise ValueError(f"not the same shuffles: {sorted(ours)} and {sorted(theirs)}")
    differences = {shuffle: ours[shuffle] - theirs[shuffle] for shuffle in ours}
    spread = standard_error(differences)
    half = None if spread is None else t_quantile(len(differences) - 1) * spread
    difference = mean(differences)
    # Half a mistake in all rounds that are compared.
    ratio = error_ratio(mean(ours), mean(theirs), 50 / (rounds * len(ours)))
    sure = half is not None and abs(difference) > half
    return Comparison(ratio, difference, half, clear(mean(ours), mean(theirs), ratio) if sure else "tie")


def geometric_mean(ratios):
    return math.exp(statistics.mean(map(math.log, ratios)))


@dataclasses.dataclass(frozen=True)
class Score:
    """Comparisons on several data sets in one line."""
    geometric_mean: float
    wins: int
    ties: int
    losses: int
    worst: str | None  # data set of the loss with the highest ratio; None without a loss


def score(comparisons):
    """Of {data set: Comparison}."""
    verdicts = [one.verdict for one in comparisons.values()]
    losses = {name: one.ratio for name, one in comparisons.items() if one.verdict == "loss"}
    return Score(geometric_mean([one.ratio for one in comparisons.values()]), verdicts.count("win"),
                 verdicts.count("tie"), verdicts.count("loss"), max(losses, key=losses.get, default=None))
