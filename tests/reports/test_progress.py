"""Progress as a terminal shows it."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from dovetail.reports.progress import progress_lines

RUN = {
    "phase": "searching",
    "puzzle": "soma-cube",
    "backend": "dlx",
    "share": 0.25,
    "count": 1200,
    "nodes": 3_400_000,
    "nodes_per_s": 1_234_000.0,
    "estimate": None,
    "elapsed_s": 12.4,
    "left_s": (30.2, 4000.0),
    "status": None,
    "apart": None,
}
BENCH = {
    "phase": "running",
    "done": 3,
    "planned": 12,
    "failed": 0,
    "running": [{"puzzle": "queens-6", "backend": "dlx"}],
    "last": None,
    "elapsed_s": 75.0,
    "left_s": None,
}


def lines(fields: dict[str, Any], width: int = 120) -> list[str]:
    """What is shown on so many columns, without the spaces behind it."""
    file = io.StringIO()
    Console(file=file, width=width).print(progress_lines(fields))
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_a_run() -> None:
    """A bar, and all figures that there are."""
    first, second = lines(RUN)
    assert first.startswith("soma-cube, dlx: searching ━━━━━━")
    assert first.endswith(" 25.0%")
    assert second == (
        "12 s, 30 s to 1:06 h left, 1,200 solutions so far, 3,400,000 nodes, 1.23 M nodes/s"
    )


@pytest.mark.parametrize(
    ("left", "shown"), [((0.2, 0.4), "0 s left"), ((3599.6, 90_000.0), "1:00 h to 1.0 days left")]
)
def test_spans(left: tuple[float, float], shown: str) -> None:
    """As many digits as one can read while they change."""
    assert lines({**RUN, "left_s": left})[1].split(", ")[1] == shown


def test_a_bench() -> None:
    """Runs done of those planned, the one under way, failures if there are any."""
    first, second = lines(BENCH)
    assert first.startswith("queens-6, dlx ━━━━━━")
    assert first.endswith(" 3 of 12 runs")
    assert second == "1:15 min"
    assert lines({**BENCH, "failed": 2})[1] == "1:15 min, 2 FAILED"


@pytest.mark.parametrize(("done", "word"), [(12, "finished"), (3, "stopped")])
def test_a_bench_that_has_ended(done: int, word: str) -> None:
    """Whatever was under way then."""
    ended = {**BENCH, "phase": "ended", "done": done, "failed": 2}
    first, second = lines(ended)
    assert first.startswith(f"{word} ━")
    assert first.endswith(f" {done} of 12 runs")
    assert second == "1:15 min, 2 FAILED"


@pytest.mark.parametrize("name", ["[bold]x", "x" * 10_000])
def test_two_lines_whatever_the_name(name: str) -> None:
    """None of it is taken for a command, and none goes beyond the terminal."""
    shown = lines({**RUN, "puzzle": name}, width=60)
    assert len(shown) == 2
    assert all(len(line) <= 60 and line.isprintable() for line in shown)
    assert shown[0].startswith(name[:1])
