"""Results that were never measured, for reports of comparisons."""

from __future__ import annotations

import random
from typing import Any

from dovetail.harness.records.record import Record
from dovetail.reports.table import Table
from harness.records.made import by_remaining, made, results

BACKENDS = ("dlx", "fila", "bitset", "rows", "domains", "frontier", "choco", "xcover", "cpsat")


def result(puzzle: str, backend: str, seconds: float = 1.0, **figures: Any) -> Record:
    """A finished run: a quarter of the time to prepare, a hundred nodes."""
    own = {
        "job": f"{puzzle}, {backend}",
        "outline": None,
        "size": {},
        "count": 1,
        "nodes": 100,
        "attempts": None,
        **by_remaining(None),
        "prepare_s": seconds / 4,
        "solve_s": seconds * 3 / 4,
        "peak_bytes": None,
        **figures,
    }
    return results(made(puzzle, backend, **own))[0]


def cut(puzzle: str, backend: str, seconds: float = 20.0, **figures: Any) -> Record:
    """A run that a limit on its time has ended."""
    return result(puzzle, backend, seconds, status="time-limit", **{"count": 0, **figures})


def many_results(questions: int, solvers: int) -> list[Record]:
    """Results of as many solvers on as many questions, every tenth refused or cut."""
    chosen = random.Random(9)
    answers = []
    for question in range(questions):
        for solver in range(solvers):
            backend = BACKENDS[solver % len(BACKENDS)]
            config = {"variant": solver // len(BACKENDS)}
            seconds = 10 ** chosen.uniform(-4, 2)
            figures: dict[str, Any] = {"config": config, "nodes": int(1e6 * seconds)}
            if chosen.random() < 0.1:
                figures["status"] = chosen.choice(["skipped", "time-limit"])
            answers.append(result(f"pentominoes-6x10-{question}", backend, seconds, **figures))
    return answers


def marked_rows(table: Table) -> list[int]:
    """The numbers of the rows that report something wrong."""
    return [number for number, item in enumerate(table.items) if table.marked(item)]
