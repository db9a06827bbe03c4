"""Pages as Markdown and as LaTeX, without charts and drawings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dovetail.printable import printable
from dovetail.reports.page import Page, Section
from dovetail.reports.table import Table

# Characters of the longest text in a LaTeX table that is not wrapped.
LONGEST_LINE = 50
LATEX_PREAMBLE = (
    "% Tables of a report of dovetail. In the preamble of your document:\n"
    "% \\usepackage{booktabs,longtable}\n"
)
# Characters that pdflatex does not print as they are.
LATEX = {
    "\\": r"\textbackslash{}",
    **{character: f"\\{character}" for character in "{}$&#%_"},
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': "''",
    "[": "{[}",
    "*": "{*}",
    "–": r"\textendash{}",
    "−": "$-$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "±": r"$\pm$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "≈": r"$\approx$",
    "∞": r"$\infty$",
    "→": r"$\rightarrow$",
    "µ": r"\textmu{}",
    "…": r"\ldots{}",
}


def page_markdown(page: Page) -> str:
    """Return a page as Markdown."""
    blocks = [f"# {_inline(page.title)}"]
    blocks += [f"**{_inline(page.headline)}**"] if page.headline else []
    blocks.append(_inline(page.about))
    blocks += [f"**{_inline(warning)}**" for warning in page.warnings]
    for section in page.titled:
        blocks += _blocks(section, "##")
    return "\n\n".join(block for block in blocks if block) + "\n"


def _blocks(section: Section, heading: str) -> Iterator[str]:
    if not section.has_text:
        return
    yield f"{heading} {_inline(section.title)}"
    yield from map(_inline, (*section.paragraphs, *section.definitions))
    for table in section.tables:
        yield _inline(table.caption)
        yield "\n".join(_lines(table))
    for inner in section.sections:
        yield from _blocks(inner, f"{heading}#")


def _lines(table: Table) -> Iterator[str]:
    yield _line(table.titles)
    yield f"| {' | '.join(':--' if column.words else '--:' for column in table.columns)} |"
    yield from map(_line, table.rows)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_inline, cells))} |"


def _inline(text: str) -> str:
    """Return a text in one line, with everything escaped that Markdown or HTML would interpret."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", _one_line(text))


def page_latex(page: Page) -> str:
    """Return the tables of a page as LaTeX, to be included in a document.

    The tables have rules of `booktabs` and are `longtable`s, which can continue on the next page.
    Dozens of floats without text between them would stop LaTeX.
    """
    tables = [LATEX_PREAMBLE]
    for section in page.titled:
        tables += _latex_tables(section, ())
    return "\n".join(tables)


def _latex_tables(section: Section, titles: tuple[str, ...]) -> Iterator[str]:
    titles = (*titles, section.title)
    for table in section.tables:
        yield table_latex(table, ": ".join([*titles, *filter(None, [table.caption])]))
    for inner in section.sections:
        yield from _latex_tables(inner, titles)


def table_latex(table: Table, caption: str) -> str:
    """Return a table as LaTeX, with the rules of `booktabs`."""
    alignment = "".join(_latex_alignment(table, n) for n in range(len(table.columns)))
    head = f"{_latex_line(table.titles)}\n\\midrule\n" if any(table.titles) else ""
    body = "\n".join(map(_latex_line, table.rows))
    return (
        f"\\begin{{longtable}}{{{alignment}}}\n\\caption{{{latex_text(caption)}}}\\\\\n"
        f"\\toprule\n{head}\\endhead\n\\bottomrule\n\\endfoot\n{body}\n\\end{{longtable}}\n"
    )


def _latex_alignment(table: Table, number: int) -> str:
    """Return the type of a column: figures, words in one line, or words that are wrapped."""
    if not table.columns[number].words:
        return "r"
    longest = max((len(row[number]) for row in table.rows), default=0)
    return "l" if longest <= LONGEST_LINE else "p{6cm}"


def _latex_line(cells: Sequence[str]) -> str:
    return f"{' & '.join(map(latex_text, cells))} \\\\"


def latex_text(text: str) -> str:
    """Return a text in one line, escaped for LaTeX.

    Characters outside of ASCII that have no command in `LATEX` become their code point, such as
    `U+4E2D`, because pdflatex would stop at them.
    """
    escaped = "".join(map(_latex_character, _one_line(text)))
    return re.sub("-(?=-)", "-{}", escaped)  # two hyphens would become a dash


def _latex_character(character: str) -> str:
    if character in LATEX:
        return LATEX[character]
    return character if character.isascii() else f"U+{ord(character):04X}"


def _one_line(text: str) -> str:
    return " ".join(printable(text, keep="\n").split())
