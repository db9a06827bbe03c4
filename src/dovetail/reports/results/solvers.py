"""Solvers beside one another: heat map, questions finished, scatter chart, performance profiles.

Performance profiles: E. D. Dolan and J. J. Moré, "Benchmarking optimization software with
performance profiles", Mathematical Programming 91 (2002).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dovetail.errors import how_many, shorten
from dovetail.harness.evaluation.contests import ALL_FAMILIES, Clock, Contest, SolverSettings
from dovetail.harness.evaluation.solver_runs import LONGEST_NAME, SolverRuns, solver_runs
from dovetail.harness.records.questions import OTHER_PUZZLES, solver_name
from dovetail.harness.records.record import Record
from dovetail.harness.run.clock import MIN_S
from dovetail.models.outcome import Status
from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.charts.chart import Chart, Point, Series
from dovetail.reports.charts.kinds import PROFILES, STEPS
from dovetail.reports.charts.scatter import Pair, are_alike, scatter_chart
from dovetail.reports.columns import ComparedResult, compared, placements_made
from dovetail.reports.numbers import ABSENT, show_ratio, show_rounded, show_seconds
from dovetail.reports.page import Section, definitions
from dovetail.reports.table import MAX_SHADE, Column, Table

FEWEST_QUESTIONS, FEWEST_SOLVERS = 2, 2
MAX_NAMED = 5

# Words for the statuses of runs that are not finished or stopped by a limit.
ENDS = {
    Status.SOLVED: "solved",
    Status.SKIPPED: "refused",
    Status.FAILED: "failed",
    Status.WRONG: "wrong",
}
# The largest ratio of each shade but the last two.
SHADE_LIMITS = (1.0, 2.0, 5.0, 20.0)
MAX_MAP_CELLS = 8_000
MAX_MAP_SOLVERS = 30

FACTORS = (1.0, 2.0, 10.0, 100.0)


MAX_SCATTERED = 200
ABOUT_SCATTERED_NODES = "The second chart has only solvers that count nodes."
UNLIKE = (
    "The two solvers define nodes differently: a node of {across} is {across_meanings}; a node of "
    "{up} is {up_meanings}."
)


@dataclass(frozen=True)
class Measure:
    """A figure of runs on an axis of charts."""

    name: str
    label: str
    # Title of the column in the file of the chart.
    column: str
    # Returns the figure of a run, or None.
    of: Callable[[Record], float | None]
    show: Callable[[float], str]

    def axis(self, values: Iterable[float]) -> Axis:
        """Return a logarithmic axis with all of the values."""
        return logarithmic_axis(self.label, values, self.show, self.column)


TIME = Measure(
    "time",
    "time, prepare + solve",
    "prepare_and_solve_s",
    lambda run: run.result.total_s,
    show_seconds,
)
NODES = Measure("nodes", "nodes", "nodes", lambda run: run.result.nodes, show_rounded)
PLACEMENTS = Measure(
    "nodes", "nodes (placements made)", "placements_made", placements_made, show_rounded
)


def heat_map_section(runs: SolverRuns, order: Sequence[str]) -> Section | None:
    """Return a map of the ratios of all solvers to the fastest solver of each puzzle.

    The solvers in `order` come first. Returns None for a single solver or without answers.
    """
    questions = runs.finished_by_some()
    if len(runs.solvers) < FEWEST_SOLVERS or not questions:
        return None
    ordered = [*order, *(solver for solver in runs.solvers if solver not in order)]
    solvers = ordered[:MAX_MAP_SOLVERS]
    shown = questions[: MAX_MAP_CELLS // len(solvers)]
    rows = [_MapRow(question, _compared_by_solver(runs, question)) for question in shown]
    columns = [
        Column[_MapRow]("puzzle", lambda row: row.question, words=True),
        Column[_MapRow]("fastest", lambda row: row.best_s, unit="s"),
        *map(_map_column, solvers),
    ]
    paragraphs = []
    if len(solvers) < len(ordered):
        paragraphs.append(f"The first {MAX_MAP_SOLVERS} of {len(ordered)} solvers.")
    if len(shown) < len(questions):
        paragraphs.append(f"The first {len(shown)} of {len(questions)} puzzles.")
    return Section(
        "heat-map",
        "Every puzzle by every solver",
        tuple(paragraphs),
        tables=(Table(columns, rows, "times that of the fastest solver of the puzzle"),),
        definitions=definitions("heat-map"),
    )


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
        return f"{'> ' if result.is_bound else ''}×{show_ratio(result.total_ratio)}"

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
    """Return charts of the questions finished by time and by nodes, and a table by solver.

    `results` are results of `plan_results`. Returns None if fewer than two questions were finished.
    """
    runs = solver_runs(results)
    if len(runs.finished_by_some()) < FEWEST_QUESTIONS:
        return None
    time, nodes = _cactus_chart(runs, TIME), _cactus_chart(runs, PLACEMENTS)
    return Section(
        "cactus",
        "Questions finished",
        charts=(time, nodes) if nodes.series else (time,),
        tables=(_finished_table(runs),),
        definitions=definitions("cactus"),
        about_charts=definitions("cactus-charts"),
    )


def _cactus_chart(runs: SolverRuns, measure: Measure) -> Chart:
    """Return a curve for each solver that finished a question and whose figures are known."""
    drawn = tuple(
        Series(f"{solver} (of {len(_accepted(runs, solver))})", style, steps)
        for style, solver in enumerate(runs.solvers)
        if (steps := _ascending(runs.values(solver, measure.of)))
    )
    asked = len(runs.questions)
    ordered = sorted(drawn, key=lambda curve: -len(curve.points))
    top = _named_first([(curve.name, f"{len(curve.points)}") for curve in ordered])
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
    def total(values: Mapping[str, float]) -> float | None:
        return sum(values.values()) if values else None

    columns = (
        Column[str]("solver", lambda solver: solver, words=True),
        Column[str]("questions", lambda solver: len(runs.of(solver))),
        Column[str]("refused", lambda s: len(runs.of(s)) - len(_accepted(runs, s))),
        Column[str]("finished", lambda solver: len(runs.finished(solver))),
        Column[str](
            "stopped",
            lambda solver: sum(run.result.status.is_limit for run in runs.of(solver).values()),
        ),
        Column[str]("time", lambda solver: total(runs.values(solver, TIME.of)), unit="s"),
        Column[str](
            "nodes",
            lambda solver: total(runs.values(solver, PLACEMENTS.of)),
            lambda solver: _show_rounded(total(runs.values(solver, PLACEMENTS.of))),
        ),
    )
    caption = (
        "by solver: questions given, refused, finished and stopped by a limit; time and nodes of "
        "the finished ones"
    )
    return Table(columns, runs.solvers, caption, folded=True)


def _show_rounded(number: float | None) -> str:
    return ABSENT if number is None else show_rounded(number)


def performance_section(contests: Sequence[Contest]) -> Section | None:
    """Return the performance profiles of each contest over a family with the warm clock.

    Contests with fewer than two questions are left out, as are those with fewer than two solvers
    that answered a question. Returns None if no contest is left.
    """
    profiled = [
        contest
        for contest in contests
        if contest.clock is Clock.WARM
        and contest.family != ALL_FAMILIES
        and len(contest.questions) >= FEWEST_QUESTIONS
        and contest.answered.any(axis=1).sum() >= FEWEST_SOLVERS
    ]
    if not profiled:
        return None
    return Section(
        "performance",
        "Performance profiles",
        tuple(map(_profile_text, profiled)),
        tuple(map(_profile_chart, profiled)),
        tuple(map(_profile_table, profiled)),
        definitions=definitions("performance"),
        about_charts=definitions("performance-charts"),
    )


def how_many_questions(contest: Contest) -> str:
    """Return the number of puzzles and their family, such as `5 packing puzzles`.

    If several questions are about the same puzzle, questions are counted.
    """
    number = len(contest.questions)
    puzzles = {contest.runs.asked[question].digest for question in contest.questions}
    word = "puzzle" if len(puzzles) == number else "question"
    family = "" if contest.family in (ALL_FAMILIES, OTHER_PUZZLES) else f"{contest.family} "
    return how_many(number, f"{family}{word}")


def family_title(contest: Contest) -> str:
    """Return the family of puzzles, and the settings if they are not the default ones."""
    chosen = [] if contest.settings is SolverSettings.DEFAULT else [contest.settings]
    return ", ".join([contest.family, *chosen])


def _profile_text(contest: Contest) -> str:
    number = how_many(len(contest.questions), "question")
    text = f"{family_title(contest)}: {number} answered by at least one solver."
    if contest.left_out:
        text += f" Left out because they ran only some questions: {', '.join(contest.left_out)}."
    return text


def _factors(contest: Contest, solver: str) -> dict[str, float]:
    """Return the time of a solver divided by the shortest time, for each question it answered."""
    row = contest.of(solver)
    factors = np.maximum(contest.seconds[row], MIN_S) / contest.best_s
    answered = zip(contest.questions, factors, contest.answered[row], strict=True)
    return {question: float(factor) for question, factor, is_answered in answered if is_answered}


def _share(contest: Contest, solver: str, max_factor: float = np.inf) -> float:
    """Return the share of the accepted questions that were finished within a factor."""
    within = sum(factor <= max_factor for factor in _factors(contest, solver).values())
    return within / _accepted_number(contest, solver)


def _accepted_number(contest: Contest, solver: str) -> int:
    return int(contest.accepted[contest.of(solver)].sum())


def _profile_chart(contest: Contest) -> Chart:
    styles = {solver: style for style, solver in enumerate(contest.runs.solvers)}
    curves = tuple(
        Series(solver, styles[solver], steps)
        for solver in contest.solvers
        if (steps := _ascending(_factors(contest, solver), 1 / _accepted_number(contest, solver)))
    )
    shares = {curve.name: _share(contest, curve.name, 1.0) for curve in curves}
    ordered = sorted(shares, key=lambda solver: -shares[solver])
    fastest = _named_first([(solver, _percent(shares[solver])) for solver in ordered])
    values = [step.x for curve in curves for step in curve.points]
    return Chart(
        f"Performance profiles by time: {family_title(contest)}",
        f"The share of {how_many_questions(contest)} that each solver finished "
        "within a factor of the shortest time, with the factor on a logarithmic scale. Fastest: "
        f"{fastest}.",
        logarithmic_axis("factor of the shortest time", [1.0, *values], _show_factor, "factor"),
        Axis("share of the questions", 0, 1, False, _percent, column="share"),
        curves,
        PROFILES,
        name=f"time-{family_title(contest).replace(', ', '-').replace(' ', '-')}",
    )


def _profile_table(contest: Contest) -> Table:
    def within(factor: float) -> Column[str]:
        title = f"within {_show_factor(factor)}"
        return Column(title, lambda solver: _percent(_share(contest, solver, factor)))

    columns = (
        Column[str]("solver", lambda solver: solver, words=True),
        *map(within, FACTORS),
        Column[str]("finished", lambda solver: _percent(_share(contest, solver))),
    )
    caption = f"{family_title(contest)}: share of the questions by factor"
    return Table(columns, contest.solvers, caption, folded=True)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _show_factor(factor: float) -> str:
    return f"×{show_rounded(factor)}"


def _ascending(values: Mapping[str, float], rise: float = 1.0) -> tuple[Point, ...]:
    """Return the points of a curve that rises at the value of each question."""
    ordered = sorted(values.items(), key=lambda item: item[1])
    return tuple(
        Point(value, number * rise, name=question)
        for number, (question, value) in enumerate(ordered, start=1)
    )


def _named_first(figures: Sequence[tuple[str, str]]) -> str:
    """Return the first names with their figures: `dlx 12, rows 11 and 3 more`."""
    named = ", ".join(f"{name} {figure}" for name, figure in figures[:MAX_NAMED])
    more = len(figures) - MAX_NAMED
    return f"{named} and {more} more" if more > 0 else named


def scatter_section(results: Sequence[Record], ranked: Sequence[str] = ()) -> Section | None:
    """Return the scatter charts of times and of nodes, in which a reader chooses two solvers.

    `results` are results of `plan_results`; `ranked` are the solvers in the order of the ranking.
    Returns None if no two solvers finished the same question.
    """
    runs = solver_runs(results)
    meanings = dict(zip(runs.solvers, solver_meanings(results), strict=True))
    charts = (
        _scatter_chart(runs, TIME, {}, ranked),
        _scatter_chart(runs, NODES, meanings, ranked),
    )
    shown = tuple(chart for chart in charts if chart is not None)
    if not shown:
        return None
    paragraphs = [*definitions("scatter-charts")]
    if len(shown) > 1:
        paragraphs.append(f"{ABOUT_SCATTERED_NODES} {node_meanings_text(results)}")
    if len(runs.solvers) > MAX_SCATTERED:
        paragraphs.append(
            f"You can select only the {MAX_SCATTERED} solvers that finished the most questions."
        )
    return Section(
        "scatter",
        "One solver against another",
        charts=shown,
        about_charts=tuple(paragraphs),
    )


def _scatter_chart(
    runs: SolverRuns,
    measure: Measure,
    meanings: Mapping[str, tuple[str, ...]],
    ranked: Sequence[str],
) -> Chart | None:
    """Return the chart of the solvers with the most finished runs that have the figure.

    `meanings` has the definitions of the figure by solver; it is empty if there is only one.
    Returns None if no two solvers finished the same question.
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
        series,
        Pair(axis, tuple(questions), solvers.index(across), solvers.index(up), kinds, UNLIKE),
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
        (one, other): len(finished[one] & finished[other])
        for one, other in combinations(finished, 2)
    }

    def rank(pair: tuple[str, str]) -> tuple[bool, int, int]:
        alike = are_alike(*(meanings.get(solver, ()) for solver in pair))
        return alike, -sum(places.get(solver, len(ranked)) for solver in pair), shared[pair]

    return max((pair for pair, number in shared.items() if number), key=rank, default=None)


def _points(
    runs: SolverRuns, solver: str, questions: Sequence[str], measure: Measure
) -> Iterator[Point]:
    """Yield the figures of a solver; the figure of a run that a limit stopped is a bound."""
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

    A solver that counts no nodes has none; `auto` has several if it chose several backends.
    """
    meanings: dict[str, dict[str, None]] = {}
    for record in results:
        own = meanings.setdefault(solver_name(record), {})
        if record.result.nodes is not None:
            unrecorded = f"not recorded for {_one_line(record.job.backend)}"
            own[_meaning(record) or unrecorded] = None
    return [tuple(own) for own in meanings.values()]


def node_meanings_text(results: Iterable[Record]) -> str:
    """Return sentences on the definitions of nodes by backend; empty if no run counted nodes."""
    backends: dict[str | None, dict[str, None]] = {}
    for record in results:
        if record.result.nodes is not None:
            backends.setdefault(_meaning(record), {})[_one_line(record.job.backend)] = None
    known = {meaning: ", ".join(own) for meaning, own in backends.items() if meaning is not None}
    sentences = [_meanings_sentence(known)] if known else []
    if len(known) > 1:
        sentences.append("Node counts are comparable only if the definitions are the same.")
    if None in backends:
        sentences.append(f"No definition is recorded for {', '.join(backends[None])}.")
    return " ".join(sentences)


def _meanings_sentence(backends: Mapping[str, str]) -> str:
    """`A node is a placement made (dlx, fila) or a placement tried at a branching (domains).`"""
    *first, last = (f"{meaning} ({names})" for meaning, names in backends.items())
    return f"A node is {', '.join(first)} or {last}." if first else f"A node is {last}."


def _meaning(result: Record) -> str | None:
    """Return the recorded definition of nodes, or None."""
    meaning = result.job.node_meaning
    return None if meaning is None else _one_line(meaning)


def _one_line(text: str) -> str:
    return shorten(" ".join(text.split()), LONGEST_NAME)
