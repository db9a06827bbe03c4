"""A page as one HTML file: whole, offline, and what is hostile in it is text."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from dovetail.reports.charts.chart import Axis, Chart, Point, Series
from dovetail.reports.charts.kinds import LINES, STEPS, bar_chart
from dovetail.reports.charts.scatter import ScatterPair, scatter_chart
from dovetail.reports.elements import data_block, html_text, policy, script
from dovetail.reports.page import Page, Section
from dovetail.reports.rendering.html import page_html
from dovetail.reports.rendering.markup import page_markdown
from dovetail.reports.table import Column, Link, Table, Topic, text_table

HOSTILE = "<script>alert('1')</script> \"quoted\" & \x00\ud800 `code` [a](b) |"
VOID = ("meta", "br", "img", "link", "input", "hr")


AXIS = Axis(HOSTILE, 1, 10, True, lambda _: HOSTILE, column=HOSTILE)


def hostile_charts() -> tuple[Chart, ...]:
    """Charts of the kinds that differ in the places of texts."""
    series = Series(HOSTILE, 0, (Point(1, 1, HOSTILE, HOSTILE),))
    scattered = Series(HOSTILE, 0, (Point(0, 1, HOSTILE),))
    pair = ScatterPair((scattered, scattered), AXIS, (HOSTILE,), 0, 1, meanings=((), ()))
    return (
        bar_chart(HOSTILE, HOSTILE, series.points),
        Chart(HOSTILE, HOSTILE, AXIS, AXIS, (series,), LINES),
        Chart(HOSTILE, HOSTILE, AXIS, AXIS, (series,), STEPS),
        scatter_chart(HOSTILE, HOSTILE, pair),
    )


def hostile_page() -> Page:
    """Hostile text wherever there is text."""
    table = text_table((HOSTILE, "n"), ((HOSTILE, "1"),), HOSTILE)
    folded = text_table((HOSTILE,), ((HOSTILE,),), HOSTILE, folded=True)
    within = Section("within", HOSTILE, [HOSTILE], folded=True)
    part = Section("one", HOSTILE, [HOSTILE, *hostile_charts(), table, folded, within])
    return Page(HOSTILE, [part, Section("two", HOSTILE)], HOSTILE, (HOSTILE,))


class Outline(HTMLParser):
    """Tags that are open, all that there were, and the texts between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.texts: list[tuple[str, str]] = []  # each with the element that it is in
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))


def test_hostile_text_is_text() -> None:
    """No tag comes of it, and it can be written as UTF-8."""
    text = page_html(hostile_page())
    outline = Outline(text)
    assert outline.open == []
    assert outline.tags.count("script") == 5
    assert text.count("<script") == text.count("</script>") == 5
    shown = sum("<script>alert('1')</script> \"quoted\" & ��" in one for _, one in outline.texts)
    assert shown == 63  # the name beside a bar is cut
    assert text.encode()


def test_nothing_is_asked_of_any_host() -> None:
    """No address, no source, no import; links lead into the page or hold their file."""
    text = page_html(hostile_page())
    assert not re.search(r"https?:|[^-]src=|@import|url\(", text)
    assert set(re.findall(r'href="(.{5})', text)) == {'#one"', '#two"', "data:"}


def scripts_of(text: str) -> tuple[list[str], list[str]]:
    """The scripts of a page that run, and the hashes that its policy lets run."""
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:; ")
    return re.findall(r"<script>(.*?)</script>", text, re.DOTALL), re.findall(
        r"'sha256-([^']*)'", policy
    )


def test_a_page_runs_its_own_scripts_alone() -> None:
    """Those of tables and charts once and where there are any; by their hashes, in their order."""
    run, allowed = scripts_of(page_html(hostile_page()))
    beginnings = [one.splitlines()[0].split(":")[0] for one in run]
    assert beginnings == [
        "// Tables",
        "// Folded sections",
        "// Charts of series",
        "// Scatter charts",
    ]
    assert allowed == [b64encode(sha256(one.encode()).digest()).decode() for one in run]
    bare = page_html(Page("title", [Section("one", "One")]))
    assert scripts_of(bare) == ([], [])
    assert "script-src 'none'" in bare


def table_html(table: Table) -> str:
    """The table as it stands in a part called Section."""
    text = page_html(Page("title", [Section("one", "Section", [table])]))
    (found,) = re.findall(r"</h2>(.*)</section>", text, re.DOTALL)
    return str(found)


def test_a_table_has_one_name() -> None:
    """Its caption, which stands above it or is the title of what it is folded into."""
    shown, folded = (
        table_html(text_table(("a",), (("b",),), "C", folded=f)) for f in (False, True)
    )
    name = 'aria-labelledby="one-table-1"'
    scroller = f'<div class="wide" tabindex="0" role="region" {name}>'
    assert shown.startswith(f'{scroller}<table class="words"><caption id="one-table-1">C</caption>')
    assert folded.startswith(
        f'<details><summary id="one-table-1">C</summary>{scroller}<table class="words" {name}>'
    )


def test_markdown_has_the_same_words() -> None:
    """Markup escaped, tables in columns, no picture."""
    text = page_markdown(hostile_page())
    assert text.startswith(
        "# \\<script\\>alert('1')\\</script\\> \"quoted\" & �� \\`code\\` \\[a\\](b) \\|\n"
    )
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [3, 3, 3, 2, 2, 2]
    assert rows[1] == "| :-- | --: |"
    assert text.encode()


def test_links_of_a_site() -> None:
    """A cell leads to the page of its subject; no text is taken for the name of a subject."""
    named = Column[str]("puzzle", str.upper, words=True, link=lambda name: (Topic.PUZZLE, name))
    columns = (named, Column[str]("machine", str, words=True))
    section = Section("one", "Section", [Table(columns, ("x", "y"))])
    addresses: dict[Link, str] = {
        (Topic.PUZZLE, "x"): "x.html",
        (Topic.COMPUTER, "x"): "wrong.html",
    }
    text = page_html(Page("title", [section]), addresses.get)
    assert re.findall(r"<a [^>]*>.*?</a>", text) == ['<a href="x.html">X</a>']
    assert "<a " not in page_html(Page("title", [section]))


@pytest.mark.parametrize("text", ["'</SCRIPT>'", "'<script>'", "\0"])
def test_a_script_that_is_refused(text: str) -> None:
    """What would end the element, or be read otherwise than it was hashed."""
    with pytest.raises(ValueError, match="may not hold </script"):
        script(text)


def test_data_come_out_as_they_went_in() -> None:
    """Whatever texts there are."""
    value = {"names": ["</script><!--", "\0\ud800\n\"'&", "ä"], "places": [1.5, None]}
    text = html_text(data_block(value))
    begin, end = '<!DOCTYPE html>\n<script type="application/json">', "</script>"
    assert text.startswith(begin)
    assert text.index("<", len(begin)) == len(text) - len(end)
    assert json.loads(text[len(begin) : -len(end)]) == value


def test_the_policy_of_a_page() -> None:
    """By the hash of each script; the first one was computed elsewhere."""
    content = policy(["alert('Hello, world.');"]).get("content")
    assert content == (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        "script-src 'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='; "
        "base-uri 'none'; form-action 'none'"
    )
