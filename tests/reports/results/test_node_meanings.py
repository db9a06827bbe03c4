"""What a node is: who has which meaning, and what is said of it."""

from __future__ import annotations

from typing import Any

from dovetail.harness.records.record import Record
from dovetail.reports.charts.scatter import are_alike
from dovetail.reports.html import page_html
from dovetail.reports.markup import page_markdown
from dovetail.reports.page import Page
from dovetail.reports.results.questions import questions_section
from dovetail.reports.results.solvers import node_meanings_text, scatter_section, solver_meanings
from harness.records.made import changed
from reports.present import present
from reports.results.synthetic import result

HOSTILE = "<script>alert('1')</script> \"q\" {both} \n\0\ud800" + "x" * 200


def tried(puzzle: str, backend: str, **figures: Any) -> Record:
    """A finished run in which a node was something else."""
    return result(puzzle, backend, node_meaning="a try", **figures)


def old(puzzle: str, backend: str) -> Record:
    """A record that was written before records held it."""
    return result(puzzle, backend, node_meaning=None)


RESULTS = [
    result("a", "dlx"),
    result("a", "cpsat", nodes=None, node_meaning=None),
    tried("a", "domains"),
    result("a", "fila", status="skipped", nodes=None),
    result("a", "auto"),
    tried("b", "auto"),
    result("b", "auto", status="time-limit", nodes=None, node_meaning=None),
    result("b", "dlx", config={"stages": "s"}),
    old("a", "ours"),
]


def test_solvers_have_meanings() -> None:
    """In the order of solvers; `auto` those of whom it chose, who counts none has none."""
    assert solver_meanings(RESULTS) == [
        ("a placement made",),
        (),
        ("a try",),
        (),
        ("a placement made", "a try"),
        ("a placement made",),
        ("not recorded for ours",),
    ]


def test_unrecorded_meanings_compare_with_none() -> None:
    """Those of two backends may be anything; those of one are the same with other settings."""
    other = changed(old("a", "ours"), config={"x": 1})
    ours, again, yours = solver_meanings([old("a", "ours"), other, old("a", "yours")])
    assert are_alike(ours, again)
    assert not are_alike(ours, yours)


def test_the_meanings_in_a_sentence() -> None:
    """Backends by meaning, once each; those without nodes are not among them."""
    assert node_meanings_text(RESULTS) == (
        "A node is a placement made (dlx, auto) or a try (domains, auto). Node counts are "
        "comparable only if the definitions are the same. No definition is recorded for ours."
    )
    assert node_meanings_text(RESULTS[:2]) == "A node is a placement made (dlx)."
    assert node_meanings_text([old("a", "ours")]) == "No definition is recorded for ours."
    assert node_meanings_text(RESULTS[1:2]) == ""


def test_hostile_words_are_text() -> None:
    """In one line, cut, and never markup or a place to fill in."""
    results = [result("a", "dlx"), result("a", HOSTILE, node_meaning=HOSTILE)]
    cut = " ".join(HOSTILE.split())[:99] + "…"
    assert node_meanings_text(results).startswith(
        f"A node is a placement made (dlx) or {cut} ({cut}). "
    )
    part = present(scatter_section(results))
    page = Page("page", "", (), (part,))
    text = page_html(page)
    assert text.encode()
    assert "<script>alert" not in text
    assert text.count("&lt;script&gt;alert('1')&lt;/script&gt; \"q\" {both}") >= 3
    tables = page_markdown(Page("page", "", (), (questions_section(results),)))
    assert "\\<script\\>alert" in tables
    assert "<script>alert" not in tables
