"""What a node is, as records tell it: whether nodes of two solvers can be compared hangs on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dovetail.errors import shorten
from dovetail.harness.records.summary import JobResult
from dovetail.reports.comparison.solver_runs import LONGEST_NAME, solver_name

UNTOLD = "what records of {backend} do not tell"  # not the same with another backend


def solver_meanings(results: Iterable[JobResult]) -> list[tuple[str, ...]]:
    """What a node is to each solver, in the order of `SolverRuns.solvers`.

    Nothing where it counts none, several things where `auto` chose backends to which it is not
    the same.
    """
    meanings: dict[str, dict[str, None]] = {}
    for result in results:
        its = meanings.setdefault(solver_name(result), {})
        if result.nodes is not None:
            its[_meaning(result) or UNTOLD.format(backend=_one_line(result.backend))] = None
    return [tuple(its) for its in meanings.values()]


def nodes_told(results: Iterable[JobResult]) -> str:
    """What a node is, with the backends to which it is that; empty where no run counted any."""
    backends: dict[str | None, dict[str, None]] = {}
    for result in results:
        if result.nodes is not None:
            backends.setdefault(_meaning(result), {})[_one_line(result.backend)] = None
    told = {meaning: ", ".join(its) for meaning, its in backends.items() if meaning is not None}
    sentences = [_told(told)] if told else []
    if len(told) > 1:
        sentences.append("Nodes compare only where they are the same.")
    if None in backends:
        sentences.append(f"Records do not tell what it is to: {', '.join(backends[None])}.")
    return " ".join(sentences)


def _told(backends: Mapping[str, str]) -> str:
    """`A node is a placement made (dlx, fila), a placement tried at a branching (domains).`"""
    return f"A node is {', '.join(f'{what} ({its})' for what, its in backends.items())}."


def _meaning(result: JobResult) -> str | None:
    """None where the record was written before records told it, or its backend does not."""
    meaning = result.node_meaning
    return None if meaning is None else _one_line(meaning)


def _one_line(text: str) -> str:
    return shorten(" ".join(text.split()), LONGEST_NAME)
