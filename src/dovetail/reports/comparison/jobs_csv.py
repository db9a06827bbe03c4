"""All figures of a comparison as CSV, a line for each job: for spreadsheets and data frames."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from dovetail.harness.questions import by_question
from dovetail.harness.record import Record
from dovetail.reports.csv_text import csv_lines
from dovetail.reports.result_cells import ratios_to_best, show_settings

PLAIN = (
    "status",
    "count",
    "expected",
    "nodes",
    "attempts",
    "node_meaning",
    "warm_up_s",
    "prepare_s",
    "solve_s",
    "solve_cpu_s",
    "check_s",
    "total_s",
    "peak_bytes",
    "baseline_bytes",
    "verified",
    "completion",
    "suite",
    "begun",
    "commit",
    "seed",
    "job",
    "reason",
)
OBJECTS = (
    "config",
    "reductions",
    "triggers",
    "trials",
    "tags",
    "limits",
    "placements",
    "native",
    "by_remaining",
    "published",
    "machine",
    "versions",
    "load",
)
COLUMNS = (
    "puzzle",
    "digest",
    "symmetry",
    "labelled",
    "backend",
    "settings",
    *PLAIN,
    "solve_ratio",
    "total_ratio",
    "runs",
    "solve_least_s",
    "solve_most_s",
    *OBJECTS,
)


def jobs_csv(results: Sequence[Record]) -> str:
    """The text of the file: a header, and a line for each of `results`.

    A cell is empty where nothing is known; objects and lists are JSON. Ratios are those to the
    fastest finished run of the same question. Figures of repeated runs are those of the median
    run by time to solve. Names are texts that are no formula, see `csv_text`.
    """
    lines = []
    for answers in by_question(results).values():
        for answer, ratios in zip(answers, ratios_to_best(answers), strict=True):
            line = _line(answer) | dict(zip(("solve_ratio", "total_ratio"), ratios, strict=True))
            lines.append([line.get(column) for column in COLUMNS])
    return csv_lines([COLUMNS, *lines])


def _line(result: Record) -> dict[str, object]:
    times = [run["solve_s"] for run in result["repeats"]]
    return {
        **{key: result[key] for key in ("puzzle", "digest", "symmetry", "backend")},
        "labelled": int(result["config"]["labelled"]),
        "settings": show_settings(result).strip(),
        **{key: result.get(key) for key in PLAIN},
        "runs": len(times),
        "solve_least_s": min(times),
        "solve_most_s": max(times),
        **dict(_objects(result)),
    }


def _objects(result: Record) -> Iterator[tuple[str, str]]:
    for key in OBJECTS:
        value = result.get(key)
        if value:
            own = value if key != "config" else _without_labelled(value)
            yield key, json.dumps(own, ensure_ascii=False, separators=(",", ":"))


def _without_labelled(config: Mapping[str, object]) -> dict[str, object]:
    """It has a column of its own."""
    return {key: value for key, value in config.items() if key != "labelled"}
