"""Records whose figures are tiny, huge or zero, through every page, table and file."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from dovetail.errors import show_integer
from dovetail.harness.records.record import Record
from dovetail.harness.records.record_files import RecordFile
from dovetail.harness.records.run_diff import diff_runs
from dovetail.reports.charts.chart import logarithmic_axis
from dovetail.reports.columns import results_csv
from dovetail.reports.diff import FileDiff, diff_fields, diff_page
from dovetail.reports.numbers import (
    show_count,
    show_rate,
    show_ratio,
    show_rounded,
    show_seconds,
    show_span,
    show_whole,
)
from dovetail.reports.rendering.html import page_html
from dovetail.reports.rendering.markup import page_markdown
from dovetail.reports.rendering.terminal import print_page, print_results
from dovetail.reports.results.page import report_page, report_results
from dovetail.reports.site.content import SourceFile, site_of
from dovetail.reports.site.files import site_files
from harness.records.made import made

# Up to the bounds of a record; 1.8e308 is the largest number with a fraction.
SECONDS = st.sampled_from([0.0, 5e-324, 1e-300, 1e-9, 1e-6, 0.5, 1e9, 9.2e18])
COUNTS = st.sampled_from([None, 0, 1, 10**18, 2**63, 18 * 10**307, 10**309, 10**4000])
WHOLES = st.sampled_from([None, 0, 1, 10**9, 2**63 - 1])
SETTINGS = st.sampled_from([0, 1, 10**400, 5e-324, 1.7e308, "x", True])
NUMBERS = st.sampled_from([0, 1, 10**400, 5e-324, 1.7e308])
STATUSES = st.sampled_from(
    ["exhausted", "solution-limit", "time-limit", "memory-limit", "skipped", "failed"]
)
PUBLISHED = st.sampled_from(
    [
        {},
        {"T1": {"seconds": 5e-324, "solutions": 2**63 - 1, "fits": 1}},
        {"T1": {"seconds": 9e18, "solutions": 0, "attempts": 2**62}},
    ]
)


@st.composite
def records(draw: st.DrawFn) -> list[Record]:
    """Two or three solvers on two to four puzzles, some with repeats."""
    solvers = ["dlx", "bitset", "auto"][: draw(st.integers(2, 3))]
    return [
        made(f"p{puzzle}", solver, job=f"{puzzle} {solver}", repeat=repeat, **draw(figures()))
        for puzzle in range(draw(st.integers(2, 4)))
        for solver in solvers
        for repeat in range(draw(st.integers(1, 3)))
    ]


@st.composite
def figures(draw: st.DrawFn) -> dict[str, Any]:
    """The figures of one run."""
    numbers = st.sampled_from([0, 1, 2**63 - 1])
    levels = st.dictionaries(st.sampled_from(["1", "2", "3"]), numbers)
    return {
        "status": draw(STATUSES),
        "count": draw(COUNTS),
        "expected": draw(COUNTS),
        "nodes": draw(WHOLES),
        "attempts": draw(WHOLES),
        "warm_up_s": draw(SECONDS) or 0.0,
        "prepare_s": draw(SECONDS),
        "solve_s": draw(SECONDS),
        "solve_cpu_s": draw(SECONDS),
        "check_s": draw(SECONDS) or 0.0,
        "peak_bytes": draw(WHOLES),
        "baseline_bytes": draw(WHOLES),
        "verified": draw(st.sampled_from([0, 1, 2**63 - 1])),
        "native": {"branches": draw(NUMBERS), "own": draw(NUMBERS)},
        "attempts_by_remaining": draw(st.none() | levels),
        "fits_by_remaining": draw(st.none() | levels),
        "published": draw(PUBLISHED),
        "limits": {"time_s": draw(st.sampled_from([None, 5e-324, 9.2e18]))},
        "cold_start": draw(st.booleans()),
        "config": {"x": draw(SETTINGS)},
    }


@settings(max_examples=15)
@given(records())
def test_every_page_is_made(found: list[Record]) -> None:
    """None of the figures is more than a page or a file can hold, and each axis has ends."""
    page = report_page(found)
    for text in (page_html(page), page_markdown(page)):
        assert "nan" not in _words(text)
    results = report_results(found)
    results_csv(results)
    print_results(results, _console())


@settings(max_examples=10)
@given(st.lists(st.tuples(SECONDS, WHOLES, WHOLES), min_size=1, max_size=4))
def test_improvements_of_any_score(runs: list[tuple[float, int | None, int | None]]) -> None:
    """Of no edge, too, and after no time."""
    found = [
        made(
            "board",
            "beam",
            job=f"{seed}",
            seed=seed,
            improves=True,
            status="time-limit",
            count=None,
            score=score or 0,
            bound=bound or 0,
            nodes=2**63 - 1,
            solve_s=seconds,
            trace=[{"seconds": seconds, "nodes": 0, "score": score or 0}],
        )
        for seed, (seconds, score, bound) in enumerate(runs)
    ]
    page_html(report_page(found))
    print_results(report_results(found), _console())


@settings(max_examples=15)
@given(records(), records())
def test_every_comparison_is_made(old: list[Record], new: list[Record]) -> None:
    diff = FileDiff(Path("old.jsonl"), Path("new.jsonl"), (), diff_runs(old, new, 0.05))
    page = diff_page(diff, every_job=True)
    print_page(page, _console())
    page_markdown(page)
    json.dumps(diff_fields(diff))


@settings(max_examples=8)
@given(records())
def test_every_page_of_a_site_is_made(found: list[Record]) -> None:
    lines = [json.dumps(one.json_fields()) for one in found]
    path = Path("runs.jsonl")
    file = SourceFile(path.name, "\n".join(lines).encode(), RecordFile(path, tuple(found)))
    for name, data in site_files(site_of([file], "Extremes")):
        assert not name.endswith(".html") or "nan" not in _words(data.decode())


def _words(text: str) -> Sequence[str]:
    return text.replace(">", " ").replace("<", " ").replace('"', " ").replace(",", " ").split()


def _console() -> Console:
    return Console(file=StringIO(), width=200)


TIMES = st.floats(0, allow_nan=False, allow_infinity=False)
INTEGERS = st.one_of(st.integers(0, 2**70), st.integers(0, 20_000).map(lambda power: 10**power))


@given(TIMES, TIMES, INTEGERS)
def test_any_number_is_shown(value: float, other: float, count: int) -> None:
    """In few characters, save for counts, which are exact as long as Python writes them."""
    texts = [
        show_seconds(value),
        show_span(value),
        show_ratio(value, other),
        show_rate(count, value),
        show_rounded(value),
        show_rounded(count),
    ]
    assert all(len(text) < 20 and "inf" not in text for text in texts[:1] + texts[2:]), texts
    assert len(show_whole(count)) < 6_000
    if count < 10**1000:
        assert show_whole(count) == show_count(count, True) == f"{count:,}"


def test_a_rate_that_rounds_to_the_next_unit_has_that_unit() -> None:
    counts = (9_990, 9_997, 9_994_990, 9_997_000, 10**10)
    assert [show_rate(count, 10) for count in counts] == ["999", "1 k", "999 k", "1 M", "1e+03 M"]


@given(st.integers(4, 30_000), st.integers(100, 999))
def test_long_counts_have_an_exponent(power: int, first: int) -> None:
    shown = show_integer(first * 10 ** (power - 2), 3)
    assert shown == f"{first // 100}.{first % 100:02}e{power}"
    assert show_integer(-first * 10 ** (power - 2), 3) == f"-{shown}"


@given(st.lists(st.one_of(TIMES, INTEGERS), max_size=5))
def test_any_logarithmic_axis_has_ends_and_marks(values: list[float]) -> None:
    for is_fitted in (False, True):
        axis = logarithmic_axis("time", values, show_seconds, is_fitted=is_fitted)
        assert 0 < axis.low < axis.high < math.inf
        assert all(0 <= axis.share(value) <= 1 for value in values)
        assert len(axis.ticks()) >= 2
