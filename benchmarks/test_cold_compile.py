"""How long a config takes to compile when nothing is kept yet.

Run with `pytest benchmarks -s`. Each is counted by the command in a process and with a cache
of its own, and again in a second process, which finds everything kept. What is printed is the
record's `warm_up_s`, importing and compiling by the wall's clock, of both, and how much more
processor time the first process took, which other work on the machine disturbs less. Nothing
is asserted about time; counts are.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TARGET_S = 6


@pytest.mark.parametrize(
    ("backend", "config"),
    [
        ("dlx", []),
        ("fila", ["stages=f"]),
        ("fila", ["stages=e,f@3"]),
        ("fila", ["stages=f", "kernel=fast"]),
        ("fila", ["stages=e,f@3", "kernel=fast"]),
        ("fila", ["stages=dlx:s,fila:f@6"]),
        ("fila", ["stages=dlx:s,fila:e@6,f@3"]),
        ("fila", ["stages=dlx:s,fila:f@6", "kernel=fast"]),
        ("fila", ["stages=dlx:s,fila:e@6,f@3", "kernel=fast"]),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_cold_compile(backend: str, config: list[str], tmp_path: Path) -> None:
    """Target: at most 6 s each."""
    (cold, cold_cpu_s), (warm, warm_cpu_s) = (soma(backend, config, tmp_path) for _ in range(2))
    assert cold["count"] == warm["count"] == 480
    print(
        f"\n{backend} {' '.join(config)}: {cold['warm_up_s']:.1f} s cold, target {TARGET_S} s; "
        f"{warm['warm_up_s']:.1f} s kept; {cold_cpu_s - warm_cpu_s:.1f} s of processor between"
    )


def test_cold_auto(tmp_path: Path) -> None:
    """What `auto` compiles to choose and to search; target: at most 6 s on two idle cores."""
    (cold, cold_cpu_s), (warm, warm_cpu_s) = (counted("pentominoes-6x10", tmp_path) for _ in "12")
    assert cold["count"] == warm["count"] == 2339
    print(
        f"\nauto: {cold['warm_up_s']:.1f} s cold, target {TARGET_S} s; "
        f"{warm['warm_up_s']:.1f} s kept; "
        f"{cold_cpu_s - warm_cpu_s:.1f} s of processor between"
    )


def soma(backend: str, config: list[str], cache: Path) -> tuple[dict[str, Any], float]:
    """The record of a count of the Soma cube, its seven pieces, and its processor time."""
    settings = [word for pair in config for word in ("-c", pair)]
    return counted("soma-cube", cache, "-b", backend, *settings)


def counted(puzzle: str, cache: Path, *options: str) -> tuple[dict[str, Any], float]:
    """The record of a count, and its processor time."""
    command = [sys.executable, "-m", "dovetail.cli.main", "count", puzzle, "--json", *options]
    begun_s = _children_s()
    done = subprocess.run(
        command,
        env={**os.environ, "DOVETAIL_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    record: dict[str, Any] = json.loads(done.stdout)
    return record, _children_s() - begun_s


def _children_s() -> float:
    """Processor time of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
