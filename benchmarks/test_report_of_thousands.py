"""A report over 5,000 records: how long the command takes, and how large the page is.

Run with `pytest benchmarks/test_report_of_thousands.py -s`. The records are made up: 500 puzzles by
ten solvers with profiles and outlines, 5,000 puzzles by one, one puzzle by 5,000 settings. Nothing
is asserted about time; sizes are.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from dovetail.cli.main import run
from dovetail.harness.records.record import Record
from harness.records.made import made

MAX_BYTES = 6_000_000


@pytest.mark.parametrize(("puzzles", "solvers"), [(500, 10), (5_000, 1), (1, 5_000)])
def test_seconds_and_bytes(puzzles: int, solvers: int, tmp_path: Path) -> None:
    """Target: under 10 s and 6 MB, from the file of records to the page."""
    records, page = tmp_path / "runs.jsonl", tmp_path / "report.html"
    records.write_text(
        "".join(json.dumps(one.json_fields()) + "\n" for one in spread(puzzles, solvers))
    )
    begun, cpu = time.perf_counter(), time.thread_time()
    assert run(["report", str(records), "-o", str(page)]) == 0
    wall_s, cpu_s = time.perf_counter() - begun, time.thread_time() - cpu
    size = page.stat().st_size
    print(
        f"\n{puzzles} puzzles by {solvers} solvers, records: {records.stat().st_size / 1e6:.1f} MB"
    )
    print(f"  {wall_s:.1f} s, {cpu_s:.1f} s of processor time, {size / 1e6:.2f} MB")
    assert size < MAX_BYTES


def spread(puzzles: int, solvers: int) -> Iterator[Record]:
    """Records whose times are spread over six powers of ten."""
    random = Random(1)
    for puzzle in range(puzzles):
        for solver in range(solvers):
            seconds = 10 ** random.uniform(-4, 2)
            config = {"variant": solver}
            figures = {"solve_s": seconds, "nodes": int(1e6 * seconds)}
            name, job = f"box-{puzzle}", f"{puzzle} {solver}"
            yield made(name, f"solver-{solver % 12}", config=config, job=job, **figures)
