"""Columns of tables about runs, improvers on boards, and solvers in rankings.

Reports, sites, terminals, CSV files and data frames choose columns by name. Counts of different
kinds are not mixed: `placements_made` has only the nodes of solvers whose nodes are placements
made, and each count in `other_work` has its unit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from dovetail.backends.base import PLACEMENT_MADE
from dovetail.errors import how_many, shorten
from dovetail.harness.confidence import Interval
from dovetail.harness.evaluation.contests import LONGEST_NAME, Clock
from dovetail.harness.evaluation.ranking import ContestVerdict, Known, Lead, Standing
from dovetail.harness.records.fields import FieldType, field_types
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import (
    SeedRuns,
    by_question,
    last_improved_s,
    question_of,
    show_settings,
    solver_name,
    with_shared_reductions,
)
from dovetail.harness.run.clock import MIN_S
from dovetail.harness.run.result import Disassembled
from dovetail.models.boards.partial_board import Objective
from dovetail.models.outcome import Status
from dovetail.plain_data import plain
from dovetail.reports.numbers import (
    ABSENT,
    show_count,
    show_rate,
    show_ratio,
    show_seconds,
    show_times,
)
from dovetail.reports.table import Column, Link, Table, Topic, by_name, linked, table_csv

# Words for the statuses that are counted separately; other runs are finished or stopped.
ENDS = {
    Status.SOLVED: "solved",
    Status.SKIPPED: "refused",
    Status.FAILED: "failed",
    Status.WRONG: "wrong",
}
LONGEST_UNIT = 60
PREPOSITION = r" (?:of|to)\b"  # ends the unit in a definition of nodes
# Units of the native counters of records by key: singular and plural.
OWN_UNITS = {
    "branches": ("branch", "branches"),
    "choices": ("choice", "choices"),
    "decisions": ("decision", "decisions"),
    "conflicts": ("conflict", "conflicts"),
    "nodes": ("node of its own", "nodes of its own"),
    "decision_nodes": ("decision node", "decision nodes"),
    "choco_nodes": ("Choco node", "Choco nodes"),
}


@dataclass(frozen=True)
class ComparedResult:
    """A result compared with the other results that answer the same question."""

    record: Record
    # Solve time and total time relative to the shortest times of finished runs; None without a
    # finished run. For an unfinished run, a lower bound if a limit stopped it after the shortest
    # time, otherwise None.
    solve_ratio: float | None = None
    total_ratio: float | None = None

    @property
    def is_bound(self) -> bool:
        """True if the run is not finished, so that known ratios are lower bounds."""
        return not self.record.result.is_answered

    def show(self, ratio: float | None) -> str:
        """Format a ratio; empty for a run that was refused."""
        is_refused = self.record.result.status is Status.SKIPPED
        return "" if is_refused else show_ratio_to_best(ratio, is_bound=self.is_bound)

    @property
    def is_error(self) -> bool:
        """True if the run failed or is wrong."""
        return self.record.result.status.is_error


def compared(results: Sequence[Record]) -> list[ComparedResult]:
    """Return the results grouped by question, compared with each other within a question."""
    rows = list[ComparedResult]()
    for answers in by_question(results).values():
        finished = [answer.result for answer in answers if answer.result.is_answered]
        solve_s = min((result.solve_s for result in finished), default=None)
        total_s = min((result.total_s for result in finished), default=None)
        for answer in answers:
            solve = _ratio(answer, answer.result.solve_s, solve_s)
            total = _ratio(answer, Clock.WARM.known_s(answer), total_s)
            rows.append(ComparedResult(answer, solve, total))
    return rows


def _ratio(answer: Record, value: float, best: float | None) -> float | None:
    if best is None:
        return None
    ratio = max(value, MIN_S) / max(best, MIN_S)
    is_bound = answer.result.status.is_limit and ratio > 1
    return ratio if answer.result.is_answered or is_bound else None


def show_ratio_to_best(ratio: float | None, *, is_bound: bool) -> str:
    """Format a ratio: `>` for a lower bound, a dash for None."""
    return ABSENT if ratio is None else f"{'> ' if is_bound else ''}{show_ratio(ratio)}"


def show_answer(record: Record) -> str:
    """Format the count, with the status of a run that is not exhausted or has no count."""
    status = record.result.status
    if status == Status.SKIPPED:
        return "refused"
    exact = status in (Status.EXHAUSTED, Status.WRONG)
    count = show_count(record.result.count, exact, probable=record.job.probable)
    return count if status == Status.EXHAUSTED and count != ABSENT else f"{status} {count}"


def automatic_reductions(record: Record) -> list[str]:
    """Return the reductions that a backend made automatically, to break the symmetry."""
    named = (*record.job.reductions, *record.shared_reductions)
    asked = {re.split("[=:@]", name, maxsplit=1)[0] for name in named}
    asked |= {"redundancy"} if "probe" in asked else set()
    return [name for name in record.result.placements if name != "before" and name not in asked]


def question_title(record: Record) -> str:
    """Return the title of a question, with the reductions that all of its solvers made."""
    return question_of(record).title + "".join(f" −{name}" for name in record.shared_reductions)


def placements_made(record: Record) -> int | None:
    """Return the nodes of a solver whose nodes are placements made; None for other solvers."""
    return record.result.nodes if record.job.node_meaning == PLACEMENT_MADE else None


def other_work(record: Record) -> str:
    """Return the counters other than placements made, each with its unit; a dash without any."""
    own = [
        how_many(number, *units)
        for key, units in OWN_UNITS.items()
        if isinstance(number := record.result.counters.native.get(key), int)
    ]
    if own:
        return ", ".join(own)
    if record.result.nodes is None or placements_made(record) is not None:
        return ABSENT
    return f"{record.result.nodes:,} {_unit(record.job.node_meaning)}"


def _unit(meaning: str | None) -> str:
    """Return the plural of a definition of nodes in a few words: "placements tried"."""
    if meaning is None:
        return "nodes of unknown meaning"
    shown = shorten(" ".join(meaning.split()), LONGEST_UNIT)
    noun = re.match(r"an? (\w+)", shown)
    if noun is None:
        return f"nodes ({shown})"
    more, *_ = re.split(PREPOSITION, shown[noun.end() :], maxsplit=1)
    plural = f"{noun[1][:-1]}ies" if re.search("[^aeiou]y$", noun[1]) else f"{noun[1]}s"
    return f"{plural}{more}"


def _solver(record: Record) -> str:
    automatic = "".join(f" (−{name})" for name in automatic_reductions(record))
    return f"{record.job.backend}{show_settings(record)}{automatic}"


def _added_bytes(record: Record) -> int | None:
    """Return the growth of memory during the run, without Python, libraries and kernels."""
    peak, before = record.result.peak_bytes, record.result.baseline_bytes
    return None if peak is None or before is None else max(0, peak - before)


def _solution_rate(record: Record) -> str:
    return show_rate(record.result.count, record.result.solve_s)


def _solve_times(record: Record) -> list[float]:
    return [run.result.solve_s for run in record.runs]


def _spread(record: Record) -> str:
    """Return the number of repeats and the range of their solve times."""
    times = _solve_times(record)
    if len(times) < 2:
        return "1 run"
    shortest, longest = show_seconds(min(times)), show_seconds(max(times))
    _, unit = longest.split()
    return f"{len(times)} runs: {shortest.removesuffix(f' {unit}')}–{longest}"


def _figure(of: Callable[[Record], object]) -> Callable[[Record], object]:
    """Return a function like `of` whose value is empty for a run that was refused."""
    return lambda run: "" if run.result.status is Status.SKIPPED else of(run)


def _apart(of: Callable[[Disassembled], object]) -> Callable[[Record], object]:
    """Return `of` as a function of runs, with None for a run that took nothing apart."""
    return lambda run: None if (found := run.result.disassembled) is None else of(found)


def _come_apart(found: Disassembled) -> str:
    open_ones = f", {found.undecided:,} undecided" if found.undecided else ""
    return f"{found.solutions:,} of {found.assemblies:,}{open_ones}"


def _puzzle_link(run: Record) -> Link:
    return Topic.PUZZLE, run.job.puzzle_digest


def _solver_link(run: Record) -> Link:
    return Topic.SOLVER, solver_name(run)


# Columns of single results, without comparisons.
RECORDED: Mapping[str, Column[Record]] = by_name(
    Column("puzzle", question_title, field="question", words=True, link=_puzzle_link),
    Column("solver", _solver, words=True, link=_solver_link),
    Column("solutions", show_answer, field="count"),
    Column("per s", _figure(_solution_rate), field="rate"),
    Column("nodes", _figure(placements_made), field="placements_made"),
    Column("attempts", _figure(lambda run: run.result.counters.attempts)),
    Column("other work", _figure(other_work), field="other_work"),
    Column("prepare", _figure(lambda run: run.result.prepare_s), unit="s", field="prepare_s"),
    Column("solve", _figure(lambda run: run.result.solve_s), unit="s", field="solve_s"),
    Column("total", _figure(lambda run: run.result.total_s), unit="s", field="total_s"),
    Column("peak", _figure(lambda run: run.result.peak_bytes), unit="bytes", field="peak_bytes"),
    Column("added", _figure(_added_bytes), unit="bytes", field="added_bytes"),
    Column("spread", _figure(_spread)),
    Column("come apart", _apart(_come_apart), field="come_apart"),
    Column(
        "first number",
        _apart(lambda best: best.first_range),
        lambda ends: show_range(*ends),
        field="first_number",
    ),
    Column("best level", _apart(lambda best: best.level or None), field="best_level"),
    Column("moves", _apart(lambda best: best.moves), field="best_moves"),
    Column("states", _apart(lambda best: best.states), field="states"),
    Column("apart", _apart(lambda best: best.seconds), unit="s", field="apart_s"),
)
RESULTS: Mapping[str, Column[ComparedResult]] = by_name(
    *(column.over(lambda row: row.record) for column in RECORDED.values()),
    Column("× solve", lambda row: row.show(row.solve_ratio), field="solve_ratio"),
    Column("× total", lambda row: row.show(row.total_ratio), field="total_ratio"),
)


def _ended(status: Status) -> Column[Sequence[Record]]:
    """Return the column of the number of runs with a status."""
    return Column(ENDS[status], lambda runs: sum(run.result.status is status for run in runs))


# Columns about how several runs ended.
RUNS: Mapping[str, Column[Sequence[Record]]] = by_name(
    Column("runs", len),
    Column("finished", lambda runs: sum(run.result.is_answered for run in runs)),
    Column("stopped", lambda runs: sum(run.result.status.is_limit for run in runs)),
    *map(_ended, ENDS),
)


# Columns of the table in a terminal and at the beginning of a report.
SUMMARY = (
    *("question", "solver", "count", "rate", "placements_made", "attempts", "other_work"),
    *("prepare_s", "solve_s", "peak_bytes", "solve_ratio", "total_ratio"),
)
# Columns that are added if a result was taken apart.
APART = ("come_apart", "first_number", "best_level", "best_moves", "states", "apart_s")
# Columns that a narrow terminal omits, in this order.
DISPENSABLE = (
    *("other_work", "attempts", "rate", "total_ratio", "peak_bytes", "prepare_s"),
    *("states", "best_moves", "placements_made"),
)


def summary_table(results: Sequence[Record]) -> Table:
    """Return a table of the most important figures of results, by question."""
    return results_table(
        SUMMARY,
        compared(results),
        group=lambda row: question_of(row.record),
        dispensable=DISPENSABLE,
    )


def results_table(names: Iterable[str], results: Sequence[ComparedResult], **options: Any) -> Table:
    """Return a table of results with the named columns, and `APART` if assemblies were taken apart.

    Rows of failed runs and wrong results are red. `options` are fields of `Table`.
    """
    if any(row.record.result.disassembled for row in results):
        names = (*names, *APART)
    columns = [RESULTS[name] for name in names]
    return Table(columns, results, marked=lambda row: row.is_error, **options)


# Columns of the CSV file that are not fields of a record, or that come before the other fields.
_QUESTION: tuple[Column[ComparedResult], ...] = (
    Column("puzzle", lambda row: row.record.job.puzzle),
    Column("digest", lambda row: row.record.job.puzzle_digest),
    Column("symmetry", lambda row: row.record.job.symmetry),
    Column("labelled", lambda row: int(row.record.job.labelled)),
    Column("backend", lambda row: row.record.job.backend),
    Column("settings", lambda row: show_settings(row.record).strip()),
)
_AMONG_OTHERS: tuple[Column[ComparedResult], ...] = (
    Column("solve_ratio", lambda row: None if row.is_bound else row.solve_ratio),
    Column("total_ratio", lambda row: None if row.is_bound else row.total_ratio),
    Column("runs", lambda row: len(row.record.runs)),
    Column("solve_min_s", lambda row: min(_solve_times(row.record))),
    Column("solve_max_s", lambda row: max(_solve_times(row.record))),
)
# Fields of a record that have no column in the CSV file.
LEFT_OUT = (
    *("schema", "repeat", "outline", "example", "size", "random", "improves", "probable"),
    *("trace", "backtracks_by_trigger", "program", "searched", "piece_selection", "chosen"),
    *("parallel", "disassembles"),
)


def results_csv(results: Sequence[Record]) -> str:
    """Return all figures as CSV: a header, and a line for each result.

    A cell is empty if its value is unknown; objects and lists are JSON. Ratios are relative to the
    fastest finished run of the same question. If a job has several runs, the figures are
    those of the run that `summaries` chooses.
    """
    return table_csv(Table(csv_columns(), compared(results)))


def csv_columns() -> list[Column[ComparedResult]]:
    """Return the columns of the CSV file: fields of a record except `LEFT_OUT`, and others."""
    apart = {column.name for column in _QUESTION}.union(LEFT_OUT)
    kinds = [kind for name, kind in field_types(Record).items() if name not in apart]
    scalars = [_recorded(kind) for kind in kinds if kind.is_scalar]
    objects = [_recorded(kind) for kind in kinds if not kind.is_scalar]
    return [*_QUESTION, *scalars, *_AMONG_OTHERS, *objects]


def _recorded(kind: FieldType) -> Column[ComparedResult]:
    """Return the column of a recorded field; lists and objects are JSON."""

    def value(row: ComparedResult) -> Any:
        stored = plain(kind.value_in(row.record))
        if kind.is_scalar:
            return stored
        return json.dumps(stored, ensure_ascii=False, separators=(",", ":")) if stored else None

    return Column(kind.name, value)


def show_range(low: int, high: int) -> str:
    """Format a range of numbers; a single number if both ends are equal."""
    return f"{low}–{high}" if low < high else f"{low}"


def _runs(group: SeedRuns) -> str:
    return f"{len(group.runs)}" + (f" ({len(group.lost)} lost)" if group.lost else "")


def _last_improved_s(group: SeedRuns) -> float | None:
    return median(map(last_improved_s, group.runs)) if group.runs else None


def _node_rate(group: SeedRuns) -> str:
    results = [run.result for run in group.runs]
    nodes = sum(result.nodes or 0 for result in results)
    return show_rate(nodes, sum(result.solve_s for result in results))


def short_name(name: str) -> str:
    """Return a name on a single line, shortened to `LONGEST_NAME` characters."""
    return shorten(" ".join(name.split()), LONGEST_NAME)


SCORES: Mapping[str, Column[SeedRuns]] = by_name(
    Column(
        "board",
        lambda group: group.puzzle,
        short_name,
        words=True,
        link=lambda group: (Topic.PUZZLE, group.digest),
    ),
    linked(Topic.SOLVER, "improver", lambda group: group.solver, short_name),
    Column("time limit", lambda group: group.limits and group.limits.time_s, unit="s"),
    Column("objective", lambda group: group.objective),
    Column("runs", _runs),
    Column("median", lambda group: group.scores(), "{0.middle:g}".format),
    Column("range", lambda group: group.scores(), lambda s: show_range(s.low, s.high)),
    Column("bound", lambda group: group.bound),
    Column("best known", lambda group: group.best_known),
    Column("solved", lambda group: group.solved if group.runs else None),
    Column("last improved", _last_improved_s, unit="s"),
    Column("nodes per s", _node_rate),
)


def scores_table(groups: Sequence[SeedRuns], *left_out: str) -> Table:
    """Return the scores of each improver on each board; rows with lost runs are red.

    `left_out` are the names of omitted columns. The column of objectives is also omitted if all
    objectives are edges.
    """
    table = Table(
        list(SCORES.values()),
        groups,
        marked=lambda group: bool(group.lost),
        dispensable=("nodes per s", "last improved", "solved", "time limit"),
    )
    if all(group.objective is Objective.EDGES for group in groups):
        left_out = (*left_out, "objective")
    return table.without(*left_out)


def show_ratio_interval(interval: Interval, *, is_bound: bool = False) -> str | None:
    """Format the ends of an interval of ratios, or only the lower end if `is_bound`.

    Returns None if the ends are equal or look equal, as for a single puzzle.
    """
    low, high = show_ratio(interval.low), show_ratio(interval.high)
    if interval.low == interval.high or low == high:
        return None
    return f"> {low}" if is_bound else f"{low}–{high}"


STANDINGS: Mapping[str, Column[Standing]] = by_name(
    linked(Topic.SOLVER, "solver", lambda row: row.solver),
    Column("× best", lambda row: show_ratio_to_best(row.ratio.mean, is_bound=row.is_bound)),
    Column("95 %", lambda row: show_ratio_interval(row.ratio, is_bound=row.is_bound)),
    Column("PAR-2", lambda row: row.par2_s, unit="s"),
    Column("wins", lambda row: row.wins),
    Column("solved", lambda row: f"{row.answered} of {row.accepted}"),
    Column("refused", lambda row: row.refused),
    Column("average rank", lambda row: f"{row.average_rank:.2f}"),
    Column("contribution", lambda row: row.marginal_s or None, unit="s"),
    Column("alone", lambda row: row.sole),
)


def show_lead(lead: Lead) -> str:
    """Format the ratio of a lead; a dash if it is not known."""
    if lead.known is Known.NO:
        return ABSENT
    return f"{'' if lead.known is Known.EXACT else '> '}{show_times(lead.ratio.mean)}"


LEADERS: Mapping[str, Column[ContestVerdict]] = by_name(
    linked(Topic.FAMILY, "family", lambda verdict: verdict.contest.family),
    linked(Topic.SOLVER, "first", lambda verdict: verdict.first.solver),
    linked(Topic.SOLVER, "second", lambda verdict: verdict.second.solver),
    Column("ahead", lambda verdict: show_lead(verdict.lead)),
    Column("wins", lambda verdict: f"{verdict.first.wins} of {len(verdict.contest.questions)}"),
    Column("refused", lambda verdict: verdict.first.refused),
    Column("solvers", lambda verdict: len(verdict.contest.solvers)),
)


def unlike_conditions(results: Sequence[Record]) -> Iterator[str]:
    """Yield warnings on the questions whose exhausted runs had different conditions.

    There is a warning if only some solvers broke the symmetry, and a warning if the runs had
    different numbers of workers.
    """
    for question, answers in by_question(with_shared_reductions(results)).items():
        searched = [answer for answer in answers if answer.result.is_finished]
        did = dict.fromkeys(run.job.backend for run in searched if automatic_reductions(run))
        did_not = dict.fromkeys(run.job.backend for run in searched if not run.job.reductions)
        without = [name for name in did_not if name not in did]
        if did and without:
            yield (
                f"{question.title}: {', '.join(did)} broke the symmetry automatically and "
                f"{', '.join(without)} did not, so their times are not comparable; --reduce "
                "redundancy breaks it for all"
            )
        workers = sorted({run.result.workers for run in searched})
        if len(workers) > 1:
            yield (
                f"{question.title}: the numbers of workers differ ({', '.join(workers)}), so times "
                "are not comparable"
            )
