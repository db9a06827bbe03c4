"""Results that were never measured, for reports of comparisons."""

from __future__ import annotations

import random
from typing import Any

BACKENDS = ("dlx", "fila", "bitset", "rows", "domains", "frontier", "choco", "xcover", "cpsat")


def result(puzzle: str, backend: str, seconds: float = 1.0, **figures: Any) -> dict[str, Any]:
    """A finished run: a quarter of the time to prepare, a hundred nodes."""
    return {
        "job": f"{puzzle}, {backend}",
        "repeat": 0,
        "puzzle": puzzle,
        "digest": f"digest of {puzzle}",
        "backend": backend,
        "config": {"labelled": False},
        "symmetry": "all",
        "reductions": [],
        "status": "exhausted",
        "count": 1,
        "nodes": 100,
        "node_meaning": "a placement made",
        "attempts": None,
        "reason": None,
        "prepare_s": seconds / 4,
        "solve_s": seconds * 3 / 4,
        "total_s": seconds,
        "peak_bytes": None,
        **figures,
    }


def cut(puzzle: str, backend: str, seconds: float = 20.0, **figures: Any) -> dict[str, Any]:
    """A run that a limit on its time has ended."""
    return result(puzzle, backend, seconds, status="time-limit", **{"count": 0, **figures})


def many_results(questions: int, solvers: int) -> list[dict[str, Any]]:
    """Results of as many solvers on as many questions, every tenth refused or cut."""
    chosen = random.Random(9)
    made = []
    for question in range(questions):
        for solver in range(solvers):
            backend = BACKENDS[solver % len(BACKENDS)]
            config = {"labelled": False, "variant": solver // len(BACKENDS)}
            seconds = 10 ** chosen.uniform(-4, 2)
            figures: dict[str, Any] = {"config": config, "nodes": int(1e6 * seconds)}
            if chosen.random() < 0.1:
                figures["status"] = chosen.choice(["skipped", "time-limit"])
            made.append(result(f"pentominoes-6x10-{question}", backend, seconds, **figures))
    return made
