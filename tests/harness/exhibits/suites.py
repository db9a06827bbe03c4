"""A suite with an exhibit of each kind, and records of its runs that were never made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dovetail.harness.records.record import RunRecord
from dovetail.harness.suite.suite_file import SuitePlan
from harness.records.made import made

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


def written(folder: Path, text: str = SUITE) -> Path:
    """A suite file."""
    path = folder / "suite.toml"
    path.write_text(text)
    return path


def records(plan: SuitePlan, figures: Figures) -> list[RunRecord]:
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
                "config": {**planned.job.config, "labelled": False},
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
