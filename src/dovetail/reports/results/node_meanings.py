"""What a node is, as recorded: it decides whether nodes of two solvers can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dovetail.errors import shorten
from dovetail.harness.evaluation.solver_runs import LONGEST_NAME
from dovetail.harness.records.questions import solver_name
from dovetail.harness.records.record import Record

UNRECORDED = "not recorded for {backend}"  # not the same with another backend


def solver_meanings(results: Iterable[Record]) -> list[tuple[str, ...]]:
    """What a node is to each solver, in the order of `SolverRuns.solvers`.

    Nothing where it counts none, several things where `auto` chose backends to which it is not
    the same.
    """
    meanings: dict[str, dict[str, None]] = {}
    for record in results:
        its = meanings.setdefault(solver_name(record), {})
        if record.result.nodes is not None:
            its[_meaning(record) or UNRECORDED.format(backend=_one_line(record.job.backend))] = None
    return [tuple(its) for its in meanings.values()]


def node_meanings_text(results: Iterable[Record]) -> str:
    """What a node is, with the backends to which it is that; empty where no run counted any."""
    backends: dict[str | None, dict[str, None]] = {}
    for record in results:
        if record.result.nodes is not None:
            backends.setdefault(_meaning(record), {})[_one_line(record.job.backend)] = None
    known = {meaning: ", ".join(its) for meaning, its in backends.items() if meaning is not None}
    sentences = [_meanings_sentence(known)] if known else []
    if len(known) > 1:
        sentences.append("Node counts are comparable only if the definitions are the same.")
    if None in backends:
        sentences.append(f"No definition is recorded for {', '.join(backends[None])}.")
    return " ".join(sentences)


def _meanings_sentence(backends: Mapping[str, str]) -> str:
    """`A node is a placement made (dlx, fila) or a placement tried at a branching (domains).`"""
    *first, last = (f"{what} ({its})" for what, its in backends.items())
    return f"A node is {', '.join(first)} or {last}." if first else f"A node is {last}."


def _meaning(result: Record) -> str | None:
    """Return what a node is to the backend; None where the record does not hold it."""
    meaning = result.job.node_meaning
    return None if meaning is None else _one_line(meaning)


def _one_line(text: str) -> str:
    return shorten(" ".join(text.split()), LONGEST_NAME)
