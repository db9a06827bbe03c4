"""Changes as people and programs read them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from dovetail.harness.records.record import Record
from dovetail.harness.records.run_diff import diff_runs
from dovetail.reports.diff import FileDiff, diff_fields, diff_page
from dovetail.reports.page import Page
from dovetail.reports.rendering.markup import page_markdown
from dovetail.reports.rendering.terminal import print_page
from harness.records.made import compared as record
from harness.records.made import repeats


def file_diff(old: list[Record], new: list[Record], *passed_over: str) -> FileDiff:
    """The comparison of two files that are called so."""
    return FileDiff(Path("old.jsonl"), Path("new.jsonl"), passed_over, diff_runs(old, new))


def rows(page: Page, identity: str) -> list[tuple[str, ...]]:
    """The rows of a part of a page, none where there is no such part."""
    parts = [part for part in page.sections if part.identity == identity]
    return [row for part in parts for table in part.tables for row in table.rows]


def printed(page: Page, width: int = 120) -> str:
    """What a terminal of so many columns shows, without colours."""
    file = io.StringIO()
    print_page(page, Console(file=file, width=width))
    return file.getvalue()


def test_no_change() -> None:
    """One line says so; the ratios stand below it."""
    page = diff_page(file_diff([record()], [record()]))
    assert (page.about, page.warnings) == ("no change: 1 job in both files", ())
    assert [part.identity for part in page.sections] == ["costs", "ratios"]
    assert rows(page, "costs") == []
    assert rows(page, "ratios") == [("all", "1", "1 → 1", *["1.00"] * 4)]
    assert printed(page).startswith("old.jsonl → new.jsonl\nno change: 1 job in both files\n")


def test_everything_that_may_change() -> None:
    """Each thing in its part, and what is not comparable first."""
    old = [
        record("a"),
        *repeats("solve_s", [1.0, 1.1, 1.2], "b", symmetry="unique"),
        record("c"),
        record("d"),
    ]
    new = [
        record("a", count=5),
        *repeats("solve_s", [2.0, 2.2, 2.4], "b", symmetry="unique"),
        record("c", nodes=None, native={}),
        record("e", backend="fila", status="time-limit", count=2),
    ]
    page = diff_page(file_diff(old, new, "old.jsonl: 1 line passed over"))
    assert page.about == "3 jobs in both files, 1 unchanged, 1 removed, 1 added"
    assert page.warnings == ("old.jsonl: 1 line passed over",)
    assert rows(page, "error") == [("queens-6", "dlx", "the count", "4", "5")]
    slower = ("solve", "1.1 s (1 s to 1.2 s)", "2.2 s (2 s to 2.4 s)")
    assert rows(page, "warning") == [("queens-6 (unique)", "dlx", *slower)]
    assert rows(page, "note") == []
    assert rows(page, "costs")[1] == (
        "queens-6 (unique)",
        "dlx",
        "3 → 3",
        *("500 ms → 500 ms", "1.00"),
        *("1.1 s → 2.2 s", "2.00 more"),
        *("–", "–"),
        *("128 MiB → 128 MiB", "1.00"),
    )
    assert rows(page, "removed") == [("queens-6", "dlx", "4")]
    assert rows(page, "added") == [("queens-6", "fila", "time-limit ≥ 2")]


def test_costs_of_every_job() -> None:
    """Where they are asked for; why they are not judged is reported in any case."""
    diff = file_diff([record("a"), record("b")], [record("a"), record("b", nodes=1)])
    assert len(rows(diff_page(diff), "costs")) == 1
    assert len(rows(diff_page(diff, every_job=True), "costs")) == 2
    (costs,) = (part for part in diff_page(diff).sections if part.identity == "costs")
    reason = "a spread needs at least three runs in each file"
    assert costs.paragraphs == (f"Costs of 2 jobs are not compared: {reason}.",)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>"])
def test_hostile_names_are_text(name: str) -> None:
    """In a terminal, in Markdown, in JSON; of the puzzle and of who has counted."""
    another = record("b", digest="a", puzzle=name, backend=name, count=5)
    for diff, what, place in (
        (file_diff([record(puzzle=name)], [record(puzzle=name, count=5)]), "the count", "findings"),
        (file_diff([record("a")], [another]), "counts disagree", "disagreements"),
    ):
        markdown = page_markdown(diff_page(diff))
        assert markdown.encode().count(b"<") == markdown.count("\\<")
        assert sum(what in line for line in markdown.splitlines()) == 1
        text = printed(diff_page(diff))
        assert text.encode()
        assert {"\x1b", "\0"}.isdisjoint(text)
        line = json.dumps(diff_fields(diff), allow_nan=False)
        assert json.loads(line)[place][0]["puzzle"] == name


def test_as_plain_values() -> None:
    """All that is reported, with the figures as numbers."""
    new = [*repeats("solve_s", [4.0, 4.1, 4.2]), record("b")]
    fields = json.loads(json.dumps(diff_fields(file_diff(repeats("solve_s", [2.0] * 3), new))))
    assert (fields["old"], fields["new"], fields["jobs"]) == ("old.jsonl", "new.jsonl", 1)
    (finding,) = fields["findings"]
    keys = ("job", "puzzle", "backend", "kind", "severity", "what")
    assert [finding[key] for key in keys] == [
        *("a", "queens-6", "dlx"),
        *("slower", "warning", "solve"),
    ]
    assert finding["new"] == {"median": 4.1, "minimum": 4.0, "maximum": 4.2, "runs": 3}
    (job,) = fields["costs"]
    assert [cost["name"] for cost in job["costs"]] == ["prepare", "solve", "solve, cpu", "memory"]
    assert [cost["verdict"] for cost in job["costs"]] == ["same", "more", "not recorded", "same"]
    assert (job["costs"][2]["old"], job["costs"][2]["ratio"]) == (None, None)
    assert (fields["judged"], fields["apart_by_chance"]) == (3, pytest.approx(0.3))
    assert fields["ratios"][0]["solve"] == {"ratio": pytest.approx(2.05), "jobs": 1}
    assert fields["questions"] == 1
    assert job["costs"][1]["ratio"] == 2.05
    assert [job["job"] for job in fields["added"]] == ["b"]
    assert (fields["removed"], fields["unchanged"]) == ([], 0)


def test_counts_that_disagree() -> None:
    """Name the question, the counts, and who has given them in which file."""
    shared: dict[str, Any] = {"digest": "q", "puzzle": "queens-8"}
    old = [record("a", count=92, **shared), record("b", count=92, backend="bitset", **shared)]
    late = record("c", status="time-limit", count=93, backend="fila", **shared)
    new = [record("d", count=91, config={"nof": True}, **shared), late]
    diff = file_diff(old, new)
    page = diff_page(diff)
    both = ("92: dlx, bitset", "91: dlx nof=True; time-limit ≥ 93: fila")
    assert rows(page, "error") == [("queens-8", "–", "counts disagree", *both)]
    nothing = "no job and 1 question in both files, so only the counts are compared"
    assert page.about == f"{nothing}, 2 removed, 2 added"
    (one,) = diff_fields(diff)["disagreements"]
    assert (one["puzzle"], one["digest"], one["labelled"]) == ("queens-8", "q", False)
    assert [(by["backend"], by["count"]) for by in one["old"]] == [("dlx", 92), ("bitset", 92)]
    assert [by["status"] for by in one["new"]] == ["exhausted", "time-limit"]
