"""A page as one HTML file: whole, offline, and what is hostile in it is text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from dovetail.reports.charts.chart import Bar, BarChart
from dovetail.reports.html import page_html
from dovetail.reports.markdown import page_markdown
from dovetail.reports.page import Page, Part, Table

HOSTILE = "<script>alert('1')</script> \"quoted\" & \x00\ud800 `code` [a](b) |"
VOID = ("meta", "br", "img", "link", "input", "hr")


def hostile_page() -> Page:
    """Hostile text wherever there is text."""
    table = Table((HOSTILE, "n"), ((HOSTILE, "1"),), HOSTILE)
    folded = Table((HOSTILE,), ((HOSTILE,),), HOSTILE, folded=True)
    chart = BarChart(HOSTILE, HOSTILE, (Bar(HOSTILE, 1, HOSTILE),))
    part = Part("one", HOSTILE, (HOSTILE,), (chart,), (table, folded))
    return Page(HOSTILE, HOSTILE, (HOSTILE,), (part, Part("two", HOSTILE)))


class Outline(HTMLParser):
    """Tags that are open, all that there were, and the texts between them."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_hostile_text_is_text() -> None:
    """No tag comes of it, and it can be written as UTF-8."""
    text = page_html(hostile_page())
    outline = Outline()
    outline.feed(text)
    assert outline.open == []
    assert "script" not in outline.tags
    assert sum("<script>alert('1')</script> \"quoted\" & ��" in t for t in outline.texts) == 20
    assert text.encode()


def test_nothing_is_asked_of_any_host() -> None:
    """No address, no source, no import."""
    text = page_html(hostile_page())
    assert not re.search(r"https?:|src=|@import|url\(", text)
    assert set(re.findall(r'href="(.)', text)) == {"#"}


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
