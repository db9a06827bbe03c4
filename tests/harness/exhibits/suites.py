"""A suite with an exhibit of each kind, and records of its runs that were never made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dovetail.harness.records.record import Record
from dovetail.harness.suite.plan import SuitePlan
from harness.records.made import made
from harness.suite.bench_here import written as suite_written

# What differs from an ordinary record, by puzzle and series.
Figures = Mapping[tuple[str, str], Mapping[str, Any]]

SUITE = '''\
name = "exhibits"
about = "three kinds"
limits = { time_s = 20, memory = "2 GiB" }

[[run]]
puzzles = ["edges-4-b3i3-{1..3}"]
tags = ["quick"]
backends = ["rows", "domains"]
symmetry = "unique"
reduce = ["redundancy"]
config.domains = [
  { choice = ["per-edge", "fewest"] },
  { single_place = false },
]

[[run]]
puzzles = ["edges-4-b3i3-4"]
backends = ["rows"]
symmetry = "all"
[[exhibit]]
name = "figure"
title = "Nodes <of> every approach"
kind = "sorted"
value = "nodes"
about = """One paragraph.

And another."""
series = [
  { name = "rows", backend = "rows", published = { nodes_per_s = 20e6 } },
  { name = "domains", backend = "domains", nodes = "native:revisions" },
]

[[exhibit]]
name = "choices"
title = "Choices"
kind = "sums"
base = "fewest"
series = [
  { name = "fewest", backend = "domains", config = { choice = "fewest" } },
  { name = "per edge", backend = "domains", published = { nodes_change = -0.38 } },
  { name = "no single place", backend = "domains", config = { single_place = false } },
]

[[exhibit]]
name = "boards"
title = "Board by board"
kind = "table"
series = [{ name = "rows", backend = "rows" }, { name = "domains", backend = "domains" }]

[[exhibit.rows]]
name = "E_4_9.b3i3"
boards = "edges-4-b3i3-[12]"
nodes = { rows = 1_234_567 }
seconds = { rows = 12, domains = 0.5 }
'''
TWELVE_BOARDS = SUITE.replace("{1..3}", "{1..12}")

HP = """\
[[run]]
name = "HP-{number}"
puzzles = ["pentominoes-5x6-FLNPUY"]
backends = ["dlx"]
config.dlx = {{ stages = {stages} }}
trials = {{ count = 50, remaining = 3 }}
published = {{ {published} }}
"""
RATES = f"""\
name = "rates"

{HP.format(number=1, stages=["x"], published="solutions = 10, seconds = 10")}
{HP.format(number=2, stages=["x", "s@2"], published="rate = 2.0")}
{HP.format(number=3, stages=["x", "s@4"], published="rate = 4.0, seconds = 10, fits = 8_000_000")}
[[run]]
name = "P-1"
puzzles = ["pentominoes-5x6-FLNPUY"]
backends = ["dlx"]
published = {{ rate = 3.0 }}

[[exhibit]]
name = "figure-9"
title = "Figure 9"
kind = "rates"
axis = "pieces left"
about = "What it shows."
points = [
  {{ x = 4, run = "HP-3" }},
  {{ x = 0, run = "HP-1" }},
  {{ x = 2.5, run = "HP-2" }},
]
"""

LEVELS = """\
name = "levels"

[[run]]
name = "P"
puzzles = ["pentominoes-5x6-FLNPUY"]
backends = ["dlx"]
published = { fits = 13, no_fits = 18 }

[[exhibit]]
name = "table-2"
title = "Table 2"
kind = "levels"
run = "P"
levels = [
  { left = 2, attempts = 9, fits = 7 },
  { left = 1, no_fits_per_target = 2.5 },
]
"""


def written(folder: Path, text: str = SUITE) -> Path:
    """A suite file."""
    return suite_written(folder, text)


def records(plan: SuitePlan, figures: Figures) -> list[Record]:
    """A record of each run of `plan`: finished, unless `figures` by puzzle and series differ.

    A series is named by its backend, and by its config where it has one.
    """
    return [
        made(
            planned.job.puzzle.name,
            planned.job.backend,
            **{
                "job": digest,
                "digest": planned.job.puzzle.digest,
                "config": dict(planned.job.config),
                "symmetry": str(planned.job.request.symmetry),
                "count": 1,
                "nodes": 100,
                "attempts": None,
                "native": {"revisions": 7},
                "peak_bytes": None,
                **figures.get((planned.job.puzzle.name, _series(planned.job)), {}),
            },
        )
        for digest, planned in plan.jobs.items()
    ]


def _series(job: Any) -> str:
    values = [str(value) for value in job.config.values()]
    return " ".join([job.backend, *values])


def rate_records(plan: SuitePlan, rates: Mapping[str, Mapping[str, Any]]) -> list[Record]:
    """A record of each run of `plan` that `rates` names, with what it says differs.

    `interval` is that of the rate.
    """
    figures = {
        name: {
            "status": "remaining-limit",
            "searched": searched(**rate),
            **rate.get("record", {}),
        }
        for name, rate in rates.items()
    }
    return named_records(plan, figures)


def named_records(plan: SuitePlan, figures: Mapping[str, Mapping[str, Any]]) -> list[Record]:
    """A record of each run of `plan` that `figures` names, with what it says differs."""
    return [
        made(
            planned.job.puzzle.name,
            **{
                "job": digest,
                "digest": planned.job.puzzle.digest,
                "config": dict(planned.job.config),
                **figures[name],
            },
        )
        for digest, planned in plan.jobs.items()
        for name in figures
        if planned.name == name
    ]


def searched(
    rate: float, interval: tuple[float, float] | None = None, record: object = None
) -> dict[str, Any]:
    """The totals of trials with this rate."""
    ends = None if interval is None else {"low": interval[0], "high": interval[1]}
    return {
        "begun": 50,
        "with_solutions": 12,
        "found": 30 if rate else 0,
        "with_trigger": {},
        "cpu_s": 30 / (rate or 1.0),
        "rate_interval": ends,
    }
