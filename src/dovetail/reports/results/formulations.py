"""The section of a report that compares formulations, by solver and by strategy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations

from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import by_question, solver_name
from dovetail.models.outcome import Status
from dovetail.reports.numbers import ABSENT, show_seconds
from dovetail.reports.page import Section
from dovetail.reports.results.provenance import show_limits
from dovetail.reports.table import Column, Table

SETTING = "formulation"
# Names that solvers give to their native counters of failures.
FAILURES = ("fails", "failures", "conflicts")
# Smallest ratio of two times that makes a formulation better than another.
CLEAR = 1.5
MAX_REVERSALS = 2


@dataclass(frozen=True)
class Stated:
    """A formulation with a strategy (the other settings and choices), and the runs by solver."""

    formulation: str
    strategy: str
    runs: Mapping[str, Record]


def formulations_section(results: Sequence[Record]) -> Section | None:
    """Return a section with a table for each question with several formulations.

    Sentences on reversals come first. Returns None if there is no such question.
    """
    tables, paragraphs = [], []
    for question, answers in by_question(results).items():
        rows = _rows(answers)
        if len({row.formulation for row in rows} - {ABSENT}) > 1:
            solvers = list(dict.fromkeys(name for row in rows for name in row.runs))
            columns = [
                Column[Stated]("formulation", lambda row: row.formulation, words=True),
                Column[Stated]("strategy", lambda row: row.strategy, words=True),
                *(Column[Stated](name, partial(_cell, solver=name)) for name in solvers),
            ]
            tables.append(Table(tuple(columns), rows, question.title))
            paragraphs += [f"{question.title}: {words}" for words in reversals(rows, solvers)]
    if not tables:
        return None
    about = (
        "Seconds to solve, and failures (conflicts, or nodes of solvers that count no failures); "
        f"solvers without formulations have the row {ABSENT}. "
        "A bound (>) is a run that a limit stopped."
    )
    if paragraphs:
        paragraphs.insert(
            0,
            "Reversals: a formulation wins with one solver and loses with another (fastest "
            "strategies).",
        )
    return Section("formulations", "Formulations", [about, *paragraphs, *tables])


def _rows(answers: Sequence[Record]) -> list[Stated]:
    """Return the runs that were not refused by formulation and strategy, in order of appearance."""
    rows: dict[tuple[str, str], dict[str, Record]] = {}
    has_several_limits = len({answer.job.limits for answer in answers}) > 1
    for answer in answers:
        config = dict(answer.job.config)
        if answer.result.status != Status.SKIPPED:
            name = str(config.pop(SETTING, ABSENT))
            # Runs that differ in reductions, order or cold start are runs of other strategies.
            others = solver_name(replace(answer, job=replace(answer.job, config={})))
            words = [f"{key}={value}" for key, value in config.items()]
            words.append(others.removeprefix(answer.job.backend).strip())
            if has_several_limits:
                words.append(show_limits(answer.job.limits))
            strategy = ", ".join(filter(None, words))
            rows.setdefault((name, strategy), {})[answer.job.backend] = answer
    return [Stated(*key, runs) for key, runs in rows.items()]


def _cell(row: Stated, *, solver: str) -> str:
    run = row.runs.get(solver)
    if run is None:
        return ABSENT
    if run.result.status.is_error:
        return str(run.result.status)
    native = run.result.counters.native
    work = next((native[name] for name in FAILURES if name in native), run.result.nodes)
    return _time(run) if work is None else f"{_time(run)}, {work:,}"


def reversals(rows: Sequence[Stated], solvers: Sequence[str]) -> Iterator[str]:
    """Yield at most `MAX_REVERSALS` sentences on reversals, the clearest reversal first.

    A formulation counts with its fastest strategy for each solver.
    """
    best: Runs = {}
    for row in rows:
        for name, run in row.runs.items():
            key = (row.formulation, name)
            best[key] = min(best.get(key, run), run, key=_rank)
    names = dict.fromkeys(row.formulation for row in rows if row.formulation != ABSENT)
    found = []
    for first, second in permutations(names, 2):
        for solver, other in permutations(solvers, 2):
            factor = min(_lead(best, solver, first, second), _lead(best, other, second, first))
            if solver < other and factor >= CLEAR:
                found.append((factor, first, second, solver, other))
    for _, first, second, solver, other in sorted(found, reverse=True)[:MAX_REVERSALS]:
        yield (
            f"{first} beats {second} with {solver} ({_pair(best, solver, first, second)}), "
            f"and {second} beats {first} with {other} ({_pair(best, other, second, first)})."
        )


Runs = dict[tuple[str, str], Record]  # keys: formulation and solver


def _rank(run: Record) -> tuple[bool, float]:
    """Return the sort key of runs: finished runs first, then by time."""
    return not run.result.is_answered, run.result.solve_s


def _lead(runs: Runs, solver: str, first: str, second: str) -> float:
    """Return by which factor a solver is faster with `first`, or a lower bound; 0 if unknown."""
    run, other = runs.get((first, solver)), runs.get((second, solver))
    if run is None or other is None or not run.result.is_answered or other.result.status.is_error:
        return 0.0
    return other.result.solve_s / max(run.result.solve_s, 1e-9)


def _pair(runs: Runs, solver: str, first: str, second: str) -> str:
    return f"{_time(runs[first, solver])}, {_time(runs[second, solver])}"


def _time(run: Record) -> str:
    return f"{'' if run.result.is_answered else '> '}{show_seconds(run.result.solve_s)}"
