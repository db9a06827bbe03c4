"""Comparison of solvers: heat map, questions finished, scatter chart, performance profiles.

Performance profiles are those of E. D. Dolan and J. J. Moré, "Benchmarking optimization software
with performance profiles", Mathematical Programming 91 (2002).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from dovetail.errors import how_many, list_first
from dovetail.harness.evaluation.contests import (
    ALL_FAMILIES,
    Clock,
    Contest,
    SolverRuns,
    SolverSettings,
    solver_runs,
)
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import OTHER_PUZZLES, solver_name
from dovetail.harness.run.clock import MIN_S
from dovetail.models.outcome import Status
from dovetail.reports.charts.chart import Axis, Chart, Point, Series, logarithmic_axis
from dovetail.reports.charts.kinds import PROFILES, STEPS
from dovetail.reports.charts.scatter import ScatterPair, are_alike, scatter_chart
from dovetail.reports.columns import ENDS, RECORDED, RUNS, ComparedResult, compared, short_name
from dovetail.reports.measures import NODES, PLACEMENTS, TIME, Measure
from dovetail.reports.numbers import ABSENT, show_percent, show_rounded, show_times
from dovetail.reports.page import Section, definitions
from dovetail.reports.table import MAX_SHADE, Column, Table, Topic, linked

FEWEST_QUESTIONS, FEWEST_SOLVERS = 2, 2
MAX_NAMED = 5

# The largest ratio of each shade, except the last two shades.
SHADE_LIMITS = (1.0, 2.0, 5.0, 20.0)
MAX_MAP_CELLS = 8_000
MAX_MAP_SOLVERS = 30

FACTORS = (1.0, 2.0, 10.0, 100.0)
USUAL = (SolverSettings.DEFAULT, Clock.WARM)

MAX_SCATTERED = 200
ABOUT_SCATTERED_NODES = "The second chart has only solvers that count nodes."
UNLIKE = (
    "The two solvers define nodes differently: a node of {across} is {across_meanings}; a node of "
    "{up} is {up_meanings}."
)


def heat_map_section(runs: SolverRuns, order: Sequence[str]) -> Section | None:
    """Return a map of the ratios of all solvers to the fastest solver of each puzzle.

    The solvers in `order` come first. Above the map, sentences say if solvers or puzzles are left
    out. Returns None for fewer than two solvers, or without answers.
    """
    questions = runs.finished_by_some()
    if len(runs.solvers) < FEWEST_SOLVERS or not questions:
        return None
    ordered = [*order, *(solver for solver in runs.solvers if solver not in order)]
    solvers = ordered[:MAX_MAP_SOLVERS]
    shown = questions[: MAX_MAP_CELLS // len(solvers)]
    rows = [_MapRow(question, _compared_by_solver(runs, question)) for question in shown]
    columns = [
        replace(
            RECORDED["question"].over(lambda row: next(iter(row.results.values())).record),
            value=lambda row: row.question,
        ),
        Column[_MapRow]("fastest", lambda row: row.best_s, unit="s"),
        *map(_map_column, solvers),
    ]
    cut = ((len(solvers), len(ordered), "solvers"), (len(shown), len(questions), "puzzles"))
    texts = (f"The first {some} of {all_} {noun}." for some, all_, noun in cut if some < all_)
    table = Table(columns, rows, "times that of the fastest solver of the puzzle")
    title = "Every puzzle by every solver"
    return Section("heat-map", title, [*texts, table], definitions=definitions("heat-map"))


@dataclass(frozen=True)
class _MapRow:
    """A question, and the result of each solver that was given the question."""

    question: str
    results: Mapping[str, ComparedResult]

    @property
    def best_s(self) -> float:
        """Time of the fastest solver."""
        answered = (result.record.result for result in self.results.values() if not result.is_bound)
        return min(result.total_s for result in answered)


def _compared_by_solver(runs: SolverRuns, question: str) -> dict[str, ComparedResult]:
    given = {solver: run for solver in runs.solvers if (run := runs.runs.get((solver, question)))}
    return dict(zip(given, compared(list(given.values())), strict=True))


def _map_column(solver: str) -> Column[_MapRow]:
    def text(row: _MapRow) -> str:
        result = row.results.get(solver)
        if result is None:
            return ABSENT
        if result.total_ratio is None:
            return ENDS.get(result.record.result.status, "stopped")
        return f"{'> ' if result.is_bound else ''}{show_times(result.total_ratio)}"

    def shade(row: _MapRow) -> int | None:
        result = row.results.get(solver)
        if result is None:
            return None
        ratio = result.total_ratio
        if ratio is None or result.is_bound:
            return MAX_SHADE
        limits = enumerate(SHADE_LIMITS)
        return next((shade for shade, limit in limits if ratio <= limit), MAX_SHADE - 1)

    return Column(solver, text, shade=shade)


def cactus_section(results: Sequence[Record]) -> Section | None:
    """Return charts of the questions finished by time and by placements made, and a table.

    `results` has a result for each job. Returns None if fewer than two questions were finished.
    """
    runs = solver_runs(results)
    if len(runs.finished_by_some()) < FEWEST_QUESTIONS:
        return None
    time, nodes = _cactus_chart(runs, TIME), _cactus_chart(runs, PLACEMENTS)
    return Section(
        "cactus",
        "Questions finished",
        [time, nodes if nodes.series else None, _finished_table(runs)],
        definitions=definitions("cactus"),
        about_charts=definitions("cactus-charts"),
    )


def _cactus_chart(runs: SolverRuns, measure: Measure) -> Chart:
    """Return a chart with a curve for each solver that finished a question with a known figure."""
    drawn = tuple(
        Series(f"{solver} (of {len(_accepted(runs, solver))})", style, steps)
        for style, solver in enumerate(runs.solvers)
        if (steps := _ascending(runs.values(solver, measure.of)))
    )
    asked = len(runs.questions)
    ordered = sorted(drawn, key=lambda curve: -len(curve.points))
    top = list_first([f"{curve.name} {len(curve.points)}" for curve in ordered], MAX_NAMED)
    return Chart(
        f"Questions finished against {measure.label}",
        f"{measure.label} on a logarithmic scale, for {how_many(len(drawn), 'solver')} and "
        f"{how_many(asked, 'question')}. Result: {top}.",
        measure.axis(step.x for curve in drawn for step in curve.points),
        Axis("questions finished", 0, asked, False, lambda value: f"{value:g}", whole=True),
        drawn,
        STEPS,
        measure.name,
    )


def _accepted(runs: SolverRuns, solver: str) -> list[Record]:
    return [run for run in runs.of(solver).values() if run.result.status is not Status.SKIPPED]


def _finished_table(runs: SolverRuns) -> Table:
    def total(measure: Measure) -> Column[str]:
        def value(solver: str) -> float | None:
            values = runs.values(solver, measure.of).values()
            # A sum without the questions whose figure is unknown would be too small.
            return sum(values) if values and len(values) == len(runs.finished(solver)) else None

        return Column(measure.name, value, measure.show)

    def number(name: str, title: str = "") -> Column[str]:
        return RUNS[name].over(lambda solver: list(runs.of(solver).values()), title)

    columns: tuple[Column[str], ...] = (
        linked(Topic.SOLVER, "solver", str),
        number("runs", "questions"),
        *map(number, ("refused", "finished", "stopped")),
        total(TIME),
        total(PLACEMENTS),
    )
    caption = (
        "by solver: questions given, refused, finished and stopped by a limit; time and nodes of "
        "the finished questions"
    )
    return Table(columns, runs.solvers, caption, folded=True)


def performance_section(contests: Sequence[Contest]) -> Section | None:
    """Return the performance profiles of each contest over a family with the warm clock.

    Contests are left out if they have fewer than two questions, or fewer than two solvers that
    answered a question. Returns None if no contest is left.
    """
    profiled = [
        contest
        for contest in contests
        if contest.clock is Clock.WARM and contest.family != ALL_FAMILIES and has_profile(contest)
    ]
    if not profiled:
        return None
    return Section(
        "performance",
        "Performance profiles",
        [
            *map(_profile_text, profiled),
            *map(profile_chart, profiled),
            *map(_profile_table, profiled),
        ],
        definitions=definitions("performance"),
        about_charts=definitions("performance-charts"),
    )


def has_profile(contest: Contest) -> bool:
    """Return True if a performance profile compares several solvers on several questions."""
    solvers = contest.answered.any(axis=1).sum()
    return len(contest.questions) >= FEWEST_QUESTIONS and bool(solvers >= FEWEST_SOLVERS)


def how_many_questions(contest: Contest) -> str:
    """Return the number of puzzles and their family, such as `5 packing puzzles`.

    If several questions are about the same puzzle, questions are counted.
    """
    number = len(contest.questions)
    puzzles = {contest.runs.asked[question].digest for question in contest.questions}
    word = "puzzle" if len(puzzles) == number else "question"
    family = "" if contest.family in (ALL_FAMILIES, OTHER_PUZZLES) else f"{contest.family} "
    return how_many(number, f"{family}{word}")


def special(contest: Contest, usual: Sequence[str] = USUAL) -> list[str]:
    """Return the settings and the clock of a contest, except the `usual` words."""
    return [word for word in (contest.settings, contest.clock) if word not in usual]


def contest_title(contest: Contest, usual: Sequence[str] = USUAL) -> str:
    """Return the family of puzzles, with the settings and the clock that are not `usual`."""
    return ", ".join([contest.family, *special(contest, usual)])


def _profile_text(contest: Contest) -> str:
    number = how_many(len(contest.questions), "question")
    text = f"{contest_title(contest)}: {number} answered by at least one solver."
    if contest.left_out:
        text += f" Left out because they ran only some questions: {', '.join(contest.left_out)}."
    return text


def _curves(contest: Contest) -> list[Series]:
    """Return a curve for each solver: the finished share of accepted questions by factor."""
    styles = {solver: style for style, solver in enumerate(contest.runs.solvers)}
    curves = []
    for row, solver in enumerate(contest.solvers):
        factors = (np.maximum(contest.seconds[row], MIN_S) / contest.best_s).tolist()
        values = zip(contest.questions, factors, contest.answered[row], strict=True)
        answered = {question: factor for question, factor, is_answered in values if is_answered}
        steps = _ascending(answered, int(contest.accepted[row].sum()))
        curves.append(Series(solver, styles[solver], steps))
    return curves


def _share(curve: Series, max_factor: float) -> float:
    return max((step.y for step in curve.points if step.x <= max_factor), default=0.0)


def profile_chart(contest: Contest) -> Chart:
    """Return the performance profile of a contest: a curve for each solver that answered."""
    curves = tuple(curve for curve in _curves(contest) if curve.points)
    ordered = sorted(curves, key=lambda curve: -_share(curve, 1.0))
    shares = [f"{curve.name} {show_percent(_share(curve, 1.0))}" for curve in ordered]
    values = [step.x for curve in curves for step in curve.points]
    title = contest_title(contest)
    return Chart(
        f"Performance profiles by time: {title}",
        f"The share of {how_many_questions(contest)} that each solver finished "
        "within a factor of the shortest time, with the factor on a logarithmic scale. Fastest: "
        f"{list_first(shares, MAX_NAMED)}.",
        logarithmic_axis("factor of the shortest time", [1.0, *values], _show_factor, "factor"),
        Axis("share of the questions", 0, 1, False, show_percent, column="share"),
        curves,
        PROFILES,
        name=f"time-{title.replace(', ', '-').replace(' ', '-')}",
    )


def _profile_table(contest: Contest) -> Table:
    def within(title: str, factor: float) -> Column[Series]:
        return Column(title, lambda curve: _share(curve, factor), show_percent)

    columns = (
        linked(Topic.SOLVER, "solver", lambda curve: curve.name),
        *(within(f"within {_show_factor(factor)}", factor) for factor in FACTORS),
        within("finished", np.inf),
    )
    caption = f"{contest_title(contest)}: share of the questions by factor"
    return Table(columns, _curves(contest), caption, folded=True)


def _show_factor(factor: float) -> str:
    return f"×{show_rounded(factor)}"


def _ascending(values: Mapping[str, float], whole: int = 1) -> tuple[Point, ...]:
    """Return the points of a curve that rises by 1 / `whole` at the value of each question."""
    ordered = sorted(values.items(), key=lambda item: item[1])
    return tuple(
        Point(value, number / whole, name=question)
        for number, (question, value) in enumerate(ordered, start=1)
    )


def scatter_section(results: Sequence[Record], ranked: Sequence[str] = ()) -> Section | None:
    """Return the scatter charts of times and of nodes, for two solvers that the reader chooses.

    `results` has a result for each job; `ranked` are the solvers in the order of the ranking.
    Returns None if no two solvers finished the same question.
    """
    runs = solver_runs(results)
    meanings = dict(zip(runs.solvers, solver_meanings(results), strict=True))
    time = _scatter_chart(runs, TIME, {}, ranked)
    nodes = _scatter_chart(runs, NODES, meanings, ranked)
    if time is None and nodes is None:
        return None
    paragraphs = [*definitions("scatter-charts")]
    if time is not None and nodes is not None:
        paragraphs.append(f"{ABOUT_SCATTERED_NODES} {node_meanings_text(results)}")
    if len(runs.solvers) > MAX_SCATTERED:
        paragraphs.append(
            f"You can select only the {MAX_SCATTERED} solvers that finished the most questions."
        )
    title = "One solver against another"
    return Section("scatter", title, [time, nodes], about_charts=tuple(paragraphs))


def _scatter_chart(
    runs: SolverRuns,
    measure: Measure,
    meanings: Mapping[str, tuple[str, ...]],
    ranked: Sequence[str],
) -> Chart | None:
    """Return the chart of the solvers with the most finished runs that have the figure.

    `meanings` has the definitions of the figure by solver, or is empty if all agree. Returns None
    if no two solvers finished the same question.
    """
    values = {solver: runs.values(solver, measure.of) for solver in runs.solvers}
    top = sorted(runs.solvers, key=lambda solver: -len(values[solver]))[:MAX_SCATTERED]
    solvers = [solver for solver in runs.solvers if values[solver] and solver in top]
    pair = _first_pair({solver: values[solver].keys() for solver in solvers}, meanings, ranked)
    if pair is None:
        return None
    questions = runs.finished_by_some()
    series = tuple(
        Series(solver, 0, tuple(_points(runs, solver, questions, measure))) for solver in solvers
    )
    axis = measure.axis(value for solver in solvers for value in values[solver].values())
    (across, up), kinds = pair, tuple(meanings.get(solver, ()) for solver in solvers)
    return scatter_chart(
        f"One solver against another: {measure.label}",
        f"{measure.label} on logarithmic scales.",
        ScatterPair(
            series, axis, tuple(questions), solvers.index(across), solvers.index(up), kinds, UNLIKE
        ),
        measure.name,
    )


def _first_pair(
    finished: Mapping[str, Set[str]],
    meanings: Mapping[str, tuple[str, ...]],
    ranked: Sequence[str],
) -> tuple[str, str] | None:
    """Return the two solvers that are shown first; None if no two finished the same question.

    Pairs with the same definition of nodes come first, then pairs with the best places in the
    ranking, then pairs with the most questions in common.
    """
    places = {solver: place for place, solver in enumerate(ranked)}
    shared = {
        (solver, other): len(finished[solver] & finished[other])
        for solver, other in combinations(finished, 2)
    }

    def rank(pair: tuple[str, str]) -> tuple[bool, int, int]:
        alike = are_alike(*(meanings.get(solver, ()) for solver in pair))
        return alike, -sum(places.get(solver, len(ranked)) for solver in pair), shared[pair]

    return max((pair for pair, number in shared.items() if number), key=rank, default=None)


def _points(
    runs: SolverRuns, solver: str, questions: Sequence[str], measure: Measure
) -> Iterator[Point]:
    """Yield a point for each known figure of a solver; a run that a limit stopped gives a bound."""
    for place, question in enumerate(questions):
        run = runs.runs.get((solver, question))
        if run is None or not (run.result.is_answered or run.result.status.is_limit):
            continue
        value, cut = measure.of(run), not run.result.is_answered
        if value is not None:
            shown = f"{'> ' if cut else ''}{measure.show(value)}"
            yield Point(place, value, shown, question, hollow=cut)


def solver_meanings(results: Iterable[Record]) -> list[tuple[str, ...]]:
    """Return the definitions of nodes of each solver, in the order of `SolverRuns.solvers`.

    A solver that counts no nodes has no definition; `auto` has several definitions if it chose
    several backends.
    """
    meanings: dict[str, dict[str, None]] = {}
    for record in results:
        texts = meanings.setdefault(solver_name(record), {})
        if record.result.nodes is not None:
            unrecorded = f"not recorded for {short_name(record.job.backend)}"
            texts[_meaning(record) or unrecorded] = None
    return [tuple(texts) for texts in meanings.values()]


def node_meanings_text(results: Iterable[Record]) -> str:
    """Return sentences on the definitions of nodes by backend; empty if no run counted nodes."""
    backends: dict[str | None, dict[str, None]] = {}
    for record in results:
        if record.result.nodes is not None:
            backends.setdefault(_meaning(record), {})[short_name(record.job.backend)] = None
    unknown = backends.pop(None, {})
    known = [f"{meaning} ({', '.join(names)})" for meaning, names in backends.items()]
    sentences = []
    if known:
        listed = filter(None, [", ".join(known[:-1]), known[-1]])
        sentences.append(f"A node is {' or '.join(listed)}.")
    if len(known) > 1:
        sentences.append("Node counts are comparable only if the definitions are the same.")
    if unknown:
        sentences.append(f"No definition is recorded for {', '.join(unknown)}.")
    return " ".join(sentences)


def _meaning(result: Record) -> str | None:
    """Return the recorded definition of nodes, or None."""
    meaning = result.job.node_meaning
    return None if meaning is None else short_name(meaning)
