"""Records in the JSON file of pytest-benchmark: each timed search has its own in `extra_info`.

The plugin puts it there (`pytest_plugin.timing`). A benchmark has a time for each of its rounds,
so it becomes as many records, the repeats of one job.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from dovetail.errors import shorten

RECORD = "record"  # the key in `extra_info`


def benchmarks_in(data: bytes) -> list[Any] | None:
    """Return the benchmarks in the content of a file; None if pytest-benchmark did not write it."""
    if not data.lstrip().startswith(b"{"):
        return None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    benchmarks = found.get("benchmarks") if isinstance(found, dict) else None
    return benchmarks if isinstance(benchmarks, list) else None


def records_in(benchmark: Any) -> Iterator[dict[str, Any]]:
    """Yield the fields of a record for each round of a benchmark.

    Raises `LookupError` or `TypeError` for a benchmark that has no record, or no list of times.
    """
    record = benchmark["extra_info"][RECORD]
    if not benchmark["stats"]["data"]:
        raise LookupError("no rounds")
    for repeat, seconds in enumerate(benchmark["stats"]["data"]):
        yield {**record, "repeat": repeat, "solve_s": seconds, "solve_cpu_s": None}


def benchmark_name(benchmark: Any) -> str:
    """Return how messages name a benchmark."""
    name = benchmark.get("fullname") if isinstance(benchmark, dict) else None
    return f"benchmark {shorten(name)}" if isinstance(name, str) else "a benchmark"
