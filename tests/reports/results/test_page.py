"""The report of a comparison, whole."""

from __future__ import annotations

import io
import json
import math
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from dovetail.errors import DovetailError
from dovetail.harness.records.record import Record
from dovetail.harness.records.record_files import read_records
from dovetail.harness.records.summary import judged
from dovetail.harness.suite.suite_file import read_suite
from dovetail.models.outcome import Status
from dovetail.reports.columns import results_csv
from dovetail.reports.page import Page, Section
from dovetail.reports.rendering.html import page_html
from dovetail.reports.rendering.markup import page_markdown
from dovetail.reports.rendering.terminal import print_page
from dovetail.reports.results.page import (
    disagreements_section,
    overview_section,
    reasons_section,
    report_page,
    report_results,
)
from harness.exhibits.suites import records as exhibit_records
from harness.exhibits.suites import written
from harness.records.made import changed, fields, made, results
from reports.results.synthetic import marked_rows

HOSTILE = "<script>alert('1')</script> \"q\" & \n\0\ud800"


def part(page: Page, identity: str) -> Section:
    """The part of a page with an identity."""
    (found,) = (one for one in page.sections if one.identity == identity)
    return found


def test_what_is_in_it() -> None:
    """In this order; the published only where something is."""
    page = report_page([made(), made(backend="rows")])
    own = ["disagreements", "reasons", "questions", "profiles", "overview", "provenance"]
    assert [one.identity for one in page.sections if one.identity in own] == own
    assert [one.identity for one in page.sections[:2]] == ["verdict", "disagreements"]
    assert (page.title, page.warnings) == ("made", ())
    published = {"P1": {"fits": 900, "attempts": None, "no_fits": None, "seconds": 2.5}}
    page = report_page([made(published=published)])
    (row,) = part(page, "published").tables[0].rows
    assert row[:5] == ("P1", "exhausted", "8", "900", "1,000")
    assert row[5:] == ("–", "2,000", "fits +11.1 %", "2.5 s", "1.25 s", "0.50")


def open_tables(sections: Iterable[Section]) -> int:
    """The number of tables that a reader of a page sees without opening anything."""
    return sum(
        sum(not table.folded for table in section.tables)
        + open_tables(section.sections)
        + open_tables(() if section.beside is None else (section.beside,))
        for section in sections
        if not section.folded
    )


def test_the_verdict_and_at_most_three_tables_are_open() -> None:
    """Everything else is folded, except disagreements."""
    page = report_page([made(p, s, solve_s=n) for p in "abc" for n, s in enumerate("xyz", 1)])
    assert [section.identity for section in page.sections if not section.folded] == ["verdict"]
    assert open_tables(page.sections) == 3
    assert page_html(page).count('<details id="') > len(page.sections) - 1
    page = report_page([made(), made(backend="b", count=9)])
    shown = [section.identity for section in page.sections if not section.folded]
    assert shown == ["results", "disagreements"]


@pytest.mark.parametrize(
    ("runs", "sentence", "opened"),
    [
        (
            [made(), made("b")],
            "There is only one solver, so there is nothing to rank.",
            ["results"],
        ),
        (
            [made(b, backend=s, status="time-limit") for b in "ab" for s in "xy"],
            "No two solvers answered the same puzzles, so none is ranked.",
            ["results"],
        ),
    ],
    ids=["one solver", "all stopped"],
)
def test_results_are_shown_first_if_nothing_is_ranked(
    runs: list[Record], sentence: str, opened: list[str]
) -> None:
    """In HTML and in a terminal, with the reasons of refusals and failures."""
    page = report_page(runs)
    assert page.headline == sentence
    assert [section.identity for section in page.sections if not section.folded] == opened
    assert len(part(page, "results").tables[0].rows) == len(runs)
    file = io.StringIO()
    print_page(page, Console(file=file, width=200))
    text = file.getvalue()
    assert sentence in text
    assert all(run.result.reason in text for run in runs if run.result.reason)
    assert "Disagreements" not in text


def test_with_a_suite(tmp_path: Path) -> None:
    """Its exhibits come behind the disagreements, and it says what is expected and planned."""
    plan = read_suite(written(tmp_path))
    runs = exhibit_records(plan, {("edges-4-b3i3-1", "rows"): {"count": 2}})
    page = report_page([*runs, made()], plan)
    assert (page.title, page.about) == ("exhibits", "three kinds")
    own = ["disagreements", "figure", "choices", "boards", "cactus"]
    assert [one.identity for one in page.sections if one.identity in own] == own
    assert [row[2][:20] for row in part(page, "disagreements").tables[0].rows] == [
        "backends disagree: r",
    ] * 4
    rows = dict(row for row in part(page, "provenance").tables[0].rows if len(row) == 2)
    assert rows["runs"] == "13 records of 13 planned runs"


def test_hostile_names_are_text() -> None:
    """In the page, in Markdown and in CSV, also where they are very long."""
    for name in (HOSTILE, HOSTILE * 500):
        texts: dict[str, Any] = {"reason": name, "suite": name, "digest": name}
        texts |= {"reductions": [name], "triggers": [name], "commit": name, "begun": name}
        texts |= {"machine": {"processor": name, "system": name}, "versions": {name: name}}
        texts |= {"size": {name: 1}, "tags": [name], "published": {name: {"fits": 1}}}
        texts |= {"config": {name: name}}
        record = made(name, name, status="failed", **texts)
        finished = changed(record, status=Status.EXHAUSTED)
        runs = [record, finished, made(name, status="wrong")]
        page = report_page(runs, warnings=[name])
        text = page_html(page)
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert" in text
        assert text.encode()
        assert "<script" not in re.sub(r"\\<", "", page_markdown(page))
        assert results_csv(report_results(runs)).encode()


VALUES: tuple[Any, ...] = (
    *(None, True, "", HOSTILE, "=1+1", ". .", "x" * 100_000, "time-limit", "failed", "wrong"),
    *(-1, 0, 1, 2**62, 10**400, 1e-320, 1e18, math.nan, math.inf),
    *([], {}, [[[[1]]]], {"a": {"b": {"c": []}}}),
)


def mutations(rounds: int) -> Iterator[dict[str, Any]]:
    """Records with one value, at any depth, gone or another: half of them of the same type."""
    chance = random.Random(7)
    for number in range(rounds):
        published = {"P1": {"fits": 9, "seconds": 2.0, "solutions": 3}}
        searches = {"begun": 3, "with_solutions": 1, "found": 2}
        trials = {"count": 3, "remaining": 2, "seed": 0}
        more = {"published": published, "trials": trials, "searched": searches}
        record = fields(f"box-{number % 7}", f"solver-{number}", **more)
        place, key = chosen_place(record, chance)
        alike = [value for value in VALUES if type(value) is type(place[key])]
        if chance.random() < 0.1:
            del place[key]
        else:
            place[key] = chance.choice(alike if alike and chance.random() < 0.5 else VALUES)
        yield record


def chosen_place(record: dict[str, Any], chance: random.Random) -> tuple[Any, Any]:
    """A table or list within `record`, and one of its keys."""
    place: Any = record
    while True:
        key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
        if not isinstance(place[key], dict | list) or not place[key] or chance.random() < 0.3:
            return place, key
        place = place[key]


def reported(path: Path) -> str:
    """All three formats of the report of a file."""
    records = read_records(path).records
    page = report_page(records)
    return page_html(page) + page_markdown(page) + results_csv(report_results(records))


def mistake(path: Path) -> str:
    """Why there is no report of a file, empty where there is one."""
    try:
        assert reported(path).encode()
    except DovetailError as error:
        return str(error)
    return ""


def test_mutated_records_are_read_or_passed_over(tmp_path: Path) -> None:
    """One by one and all together; never a traceback."""
    path = tmp_path / "runs.jsonl"
    lines = [json.dumps(record) for record in mutations(160)]
    read = 0
    for line in lines:
        path.write_text(line)
        error = mistake(path)
        assert "\n" not in error
        read += not error
    assert 60 < read < 120
    path.write_text("\n".join(lines))
    assert reported(path).encode()


@pytest.mark.parametrize("count", [10**400])
def test_counts_know_no_bound(count: int) -> None:
    """Labelled ones."""
    record = made(count=count, expected=count, native={"x": 1})
    assert f"{count:,}" in page_html(report_page([record]))
    assert str(count) in results_csv(report_results([record]))


def test_all_answers_to_a_disputed_question() -> None:
    """Those that are wrong in red, other questions not at all."""
    records = [
        made(expected=8),
        made(backend="b", count=9, expected=8),
        made(backend="c", count=3, status="time-limit", expected=8),
        made(backend="d", count=None, status="skipped", reason="no", expected=8),
        made("other"),
    ]
    (table,) = disagreements_section(judged(results(*records))).tables
    assert table.rows == (
        ("box", "dlx", "", "8", "8"),
        ("box", "b", "it counted 9; expected 8", "wrong 9", "8"),
        ("box", "c", "", "time-limit ≥ 3", "8"),
        ("box", "d", "", "refused", "8"),
    )
    assert marked_rows(table) == [1]


def test_alike_reasons_stand_together() -> None:
    """Failures first and in red; what is wrong or cut is listed elsewhere."""
    refused = {"status": "skipped", "reason": "too large"}
    records = [
        made(**refused),
        made("other", **refused),
        made(backend="b", count=0, reason="parity rules it out"),
        made(backend="c", status="failed", reason=None),
        made(backend="d", status="wrong", reason="it counted 9"),
        made(backend="e", status="time-limit", reason="killed"),
        made(backend="f"),
    ]
    (table,) = reasons_section(results(*records)).tables
    assert table.rows == (
        ("failed", "c", "no reason recorded", "1", "box"),
        ("refused", "dlx", "too large", "2", "box; other"),
        ("no solution", "b", "parity rules it out", "1", "box"),
    )
    assert marked_rows(table) == [0]
    assert not table.folded


def test_questions_solvers_and_ends() -> None:
    """Repeats are one run; each limit has a row, what did not happen has none.

    Whoever found all that was asked is finished, at a limit on solutions too; a board on which
    every edge matches is solved.
    """
    records = [
        made(),
        made(repeat=1),
        made(symmetry="unique", job="u"),
        made(backend="b", status="time-limit"),
        made(backend="c", status="node-limit"),
        made(backend="d", status="skipped", reductions=["volume"]),
        made(backend="e", status="failed"),
        made(backend="f", status="wrong"),
        made(backend="g", status="solution-limit"),
        made(backend="h", status="solved"),
    ]
    (table,) = overview_section(records, results(*records)).tables
    assert table.rows == (
        ("questions", "2, on 1 puzzle"),
        ("solvers", "8: dlx, b, c, d −volume, e, f, g, h"),
        ("runs", "9, from 10 records"),
        ("finished", "3"),
        ("solved", "1"),
        ("stopped: node-limit", "1"),
        ("stopped: time-limit", "1"),
        ("refused", "1"),
        ("failed", "1"),
        ("wrong", "1"),
    )
