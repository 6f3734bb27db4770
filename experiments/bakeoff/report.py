"""The bake-off's report in Markdown, from result rows (docs/formats.md) and what is known of the data sets."""
import csv
import json

import paired

RULES = f"""\
Played error in percent, every learner at its defaults. The best single learner of a data set is chosen by the odd
shuffles (`auto` is no single learner) and compared on the even ones, which these tables are about: means ± their
standard errors, ratios of the means, paired differences in points with their {100 * paired.COVERAGE:g} % interval
(Student's t). A loss is more than {100 * paired.RELATIVE:g} % relative and more than {paired.POINTS:g} points, with an
interval that excludes 0; a win is the reverse; all else is a tie."""
SCORE_HEAD = ["", "sets", "geometric mean", "wins", "ties", "losses", "worst loss"]


class Mistake(Exception):
    """Input that the user must change, in words."""


def read_errors(rows, sets):
    """{set: {learner: {shuffle: error in percent}}}, of learners that have played all shuffles of the set, by name.

    The order of the rows depends on which run ended first, and must not decide between equals."""
    found, keys = {one["name"]: {} for one in sets}, {}
    by_name = {one["name"]: one for one in sets}
    for row in rows:
        one = by_name.get(row["name"])
        if one is None or row["rounds"] != one["rounds"] or row["seed"] > one["shuffles"]:
            continue
        run = (row["name"], row["contender"], row["seed"])
        if keys.setdefault(run, row["key"]) != row["key"]:
            raise Mistake(f"two results of {run[1]} on {run[0]}, shuffle {run[2]}: the data or a learner's options "
                          "have changed; choose another --output")
        found[run[0]].setdefault(run[1], {})[run[2]] = 100 * row["error"]
    return {one["name"]: {learner: errors for learner, errors in sorted(found[one["name"]].items())
                          if len(errors) == one["shuffles"]} for one in sets}


def read_other(path):
    """Another tool's title and {set: {mode: error in percent}}, from JSON or CSV with data, mode and error."""
    title = path.stem
    try:
        if path.suffix == ".csv":
            with path.open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        else:
            rows = json.loads(path.read_text(encoding="utf-8"))
            if isinstance(rows, dict):
                title, rows = rows["tool"], rows["rows"]
        found = {}
        for row in rows:
            error = float(row["error"])
            if not 0 <= error <= 100:
                raise Mistake(f"{path}: {row['data']}, {row['mode']}: the error must be a percentage, not {error:g}")
            if row["mode"] in found.setdefault(row["data"], {}):
                raise Mistake(f"{path}: {row['data']}, {row['mode']}: given twice")
            found[row["data"]][row["mode"]] = error
        return title, found
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Mistake(f"{path}: expected rows with data, mode and error: {error!r}") from error


def percent(error):
    return f"{error:.2f}" if error >= 0.1 else f"{error:.3f}"


def with_error(errors):
    """Mean ± standard error, with as many digits as the mean."""
    mean, spread = paired.mean(errors), paired.standard_error(errors)
    digits = 2 if mean >= 0.1 else 3
    return percent(mean) + ("" if spread is None else f" ± {spread:.{digits}f}")


def interval(one):
    if one.half is None:
        return f"{one.difference:+.3f}"
    return f"{one.difference:+.3f} [{one.difference - one.half:+.3f}, {one.difference + one.half:+.3f}]"


def table(head, lines):
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join(f"| {' | '.join(row)} |".replace(" --- ", "---") for row in rows)


def score_cells(title, found, comparisons):
    worst = "none"
    if found.worst is not None:
        worst = f"{found.worst}, {100 * (comparisons[found.worst].ratio - 1):+.1f} %"
    return [title, str(len(comparisons)), f"{found.geometric_mean:.3f}", str(found.wins), str(found.ties),
            str(found.losses), worst]


def against_best(learner, sets, errors, best):
    """{set: Comparison} of a learner with the best single one, on the even shuffles."""
    made = {}
    for one in sets:
        by_learner = errors[one["name"]]
        if learner in by_learner and one["name"] in best:
            theirs = by_learner[best[one["name"]]]
            made[one["name"]] = paired.compare(paired.even(by_learner[learner]), paired.even(theirs), one["rounds"])
    return made


def size(one):
    rows = f"{one['rows']:,}" if one["rounds"] == one["rows"] else f"{one['rounds']:,} of {one['rows']:,}"
    return [one["name"], f"{one['classes']:,}", f"{one['features']:,}", rows, str(one["shuffles"])]


def best_single(sets, errors):
    """{set: learner}, by the odd shuffles."""
    singles = {name: {learner: one for learner, one in by_learner.items() if learner != "auto"}
               for name, by_learner in errors.items()}
    return {one["name"]: paired.best_learner(singles[one["name"]]) for one in sets if singles[one["name"]]}


def best_table(sets, errors, shown, best, comparisons):
    """A line for each data set: its size, the errors of those shown and of the best, and how the first of them did."""
    lines = []
    for one in sets:
        name = one["name"]
        if name in comparisons:
            compared = comparisons[name]
            means = {learner: with_error(paired.even(found)) for learner, found in errors[name].items()}
            lines.append([*size(one), *(means.get(learner, "–") for learner in shown),
                          f"{best[name]}: {means[best[name]]}", f"{compared.ratio:.3f}", interval(compared),
                          compared.verdict])
    return table(["data set", "k", "d", "rows", "shuffles", *shown, "best single learner", "ratio", "difference",
                  "verdict"], lines)


def best_section(sets, errors, leaders):
    """The leaders against the best single learner: the first one's table, all scores, the other tables."""
    best = best_single(sets, errors)
    parts, scores = [], []
    for leader in leaders:
        comparisons = against_best(leader, sets, errors, best)
        if comparisons:
            shown = [leader] if parts else leaders
            parts.append(f"### {leader} against the best single learner\n\n"
                         f"{best_table(sets, errors, shown, best, comparisons)}")
            scores.append(score_cells(f"{leader} / best single", paired.score(comparisons), comparisons))
    if not parts:
        return [f"There is nothing to compare: {' and '.join(leaders) or 'auto'} or the single learners are missing."]
    return [parts[0], table(SCORE_HEAD, scores), *parts[1:]]


def other_section(sets, errors, title, other, leader="auto"):
    """The leader over all shuffles beside another tool's modes."""
    shared = [one["name"] for one in sets if leader in errors[one["name"]] and one["name"] in other]
    unknown = sorted(other.keys() - {one["name"] for one in sets})
    if not shared:
        return [f"### {leader} beside {title}\n\nNo data set of {title} was played here: {', '.join(other)}."]
    modes = list(dict.fromkeys(mode for name in shared for mode in other[name]))
    comparisons, lines = {}, []
    for name in shared:
        ours, theirs = paired.mean(errors[name][leader]), min(other[name].values())
        ratio = paired.error_ratio(ours, theirs, 0.001)
        comparisons[name] = paired.Comparison(ratio, ours - theirs, None, paired.clear(ours, theirs, ratio))
        lines.append([name, with_error(errors[name][leader]),
                      *(f"{other[name][mode]:g}" if mode in other[name] else "–" for mode in modes),
                      f"{ratio:.3f}", comparisons[name].verdict])
    text = (f"{leader} over all shuffles, {title}'s errors as they were given. The ratio is to the best of its modes "
            "on each data set, in hindsight; wins and losses by the same thresholds, without an interval.")
    if unknown:
        text += f" Not played here: {', '.join(unknown)}."
    head = ["data set", leader, *(f"{title} {mode}" for mode in modes), "ratio", "verdict"]
    scores = score_cells(f"{leader} / best of {title}", paired.score(comparisons), comparisons)
    return [f"### {leader} beside {title}\n\n{text}", table(head, lines), table(SCORE_HEAD, [scores])]


def every_section(sets, errors):
    """All learners, means over all shuffles, the lowest ratio first."""
    means = {name: {learner: paired.mean(one) for learner, one in by_learner.items()}
             for name, by_learner in errors.items()}
    lines = []
    for learner in dict.fromkeys(learner for by_learner in means.values() for learner in by_learner):
        ratios = [paired.error_ratio(means[one["name"]][learner], min(means[one["name"]].values()),
                                     50 / (one["rounds"] * one["shuffles"]))
                  for one in sets if learner in means[one["name"]]]
        cells = [percent(means[one["name"]][learner]) if learner in means[one["name"]] else "–" for one in sets]
        lines.append((len(ratios) < len(sets), paired.geometric_mean(ratios),
                      [learner, f"{paired.geometric_mean(ratios):.3f}", str(len(ratios)), *cells]))
    lines.sort(key=lambda line: line[:2])
    text = ("Means over all shuffles. The ratio is the geometric mean of a learner's errors over the lowest of each "
            "data set; learners that did not play all sets come last.")
    head = ["learner", "ratio", "sets", *(one["name"] for one in sets)]
    return [f"### Every learner\n\n{text}", table(head, [line[2] for line in lines])]


def missing(sets, errors):
    """{(learner, reason): [set, …]} of what is not in the tables."""
    gaps = {}
    for one in sets:
        for learner in one["learners"]:
            if learner not in errors[one["name"]]:
                gaps.setdefault((learner, "not all shuffles have a result"), []).append(one["name"])
        for learner, reason in one["skipped"].items():
            gaps.setdefault((learner, reason), []).append(one["name"])
    return gaps


def markdown(sets, errors, leaders, other=None):
    """The whole report. `other` is what read_other() returns."""
    played = [one for one in sets if errors[one["name"]]]
    if not played:
        raise Mistake("no learner has played all shuffles of a data set")
    parts = [RULES, *best_section(played, errors, leaders)]
    if other:
        parts += other_section(played, errors, *other)
    parts += every_section(played, errors)
    gaps = missing(sets, errors)
    if gaps:
        parts.append("Not played:\n\n" + "\n".join(f"- {learner} on {', '.join(names)}: {reason}"
                                                    for (learner, reason), names in gaps.items()))
    return "\n\n".join(parts) + "\n"
