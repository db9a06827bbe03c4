"""Parts within a part of a page."""

from __future__ import annotations

from dovetail.reports.html import page_html
from dovetail.reports.markup import page_markdown
from dovetail.reports.page import Page, Section
from dovetail.reports.table import text_table

TABLE = text_table(("name", "n"), (("a", "1"),))
PAGE = Page(
    "page",
    "",
    (),
    (
        Section("first", "First"),
        Section(
            "outer",
            "Outer",
            ("Said.",),
            sections=(
                Section("open", "Open <b>", ("In.",)),
                Section("shut", "Shut", (), (), (TABLE,), folded=True),
            ),
        ),
    ),
)


def test_they_are_behind_their_titles() -> None:
    """Open unless they are folded, and not in the contents."""
    text = page_html(PAGE)
    assert (
        '<details id="open" open=""><summary><h3 id="open-heading">Open &lt;b&gt;</h3></summary>'
        in text
    )
    assert '<details id="shut"><summary><h3 id="shut-heading">Shut</h3></summary><div ' in text
    assert text.count("<li>") == 2


def test_in_markdown_they_have_smaller_headings() -> None:
    """With all that is in them."""
    text = page_markdown(PAGE)
    assert "## Outer\n\nSaid.\n\n### Open \\<b\\>\n\nIn.\n\n### Shut\n\n| name | n |" in text
