"""Pages as Markdown, without charts and drawings, and the tables of pages as LaTeX."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from dovetail.printable import printable
from dovetail.reports.page import Page, Section
from dovetail.reports.table import Column, Table, narrowed

# Within a document, `\@nodocument` is `\relax`, so that LaTeX skips the part up to `\fi`.
LATEX_BEGIN = r"""% Tables of a report of dovetail. To include them, write in the preamble:
% \usepackage{array,booktabs,longtable}
\expandafter\ifx\csname @nodocument\endcsname\relax\else
\documentclass{article}
\usepackage{array,booktabs,longtable}
\def\enddovetail{\end{document}}
\begin{document}
\fi
"""
LATEX_END = "\\csname enddovetail\\endcsname\n"
# Size of the text, space beside a column, and width of captions.
LATEX_STYLE = r"\footnotesize\setlength\tabcolsep{4pt}\setlength\LTcapwidth\linewidth"
# Widths in digits of the font of tables: a line of an article, and the space between columns.
LINE, SPACE = 80, 2
# Longest figure that is not wrapped, and longest part of a word that is not broken.
LONGEST_FIGURE, LONGEST_PART = 24, 20
# A line can be broken after a space, and between the parts of settings, names and paths.
PART = re.compile(r"(?<= )|(?<=[,:;=_/.|])(?=[^\W\d])")
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
    """Return a text on a single line, escaped for Markdown and HTML."""
    return re.sub(r"([\\`*_~\[\]<>|#]|&(?=\w+;))", r"\\\1", _one_line(text))


def page_latex(page: Page) -> str:
    """Return the tables of a page as LaTeX, as a document that another document can include.

    The tables have rules of `booktabs`. They are `longtable`s, which can continue on the next page,
    because LaTeX fails for dozens of floats without text between them. A table that is too wide for
    a line becomes several tables. Equal captions are numbered.
    """
    tables = [captioned for section in page.titled for captioned in _latex_tables(section, ())]
    total, shown = Counter(caption for caption, _ in tables), Counter[str]()
    texts = [LATEX_BEGIN]
    for caption, table in tables:
        shown[caption] += 1
        number = f" ({shown[caption]} of {total[caption]})" if total[caption] > 1 else ""
        texts.append(table_latex(table, f"{caption}{number}"))
    return "\n".join([*texts, LATEX_END])


def _latex_tables(section: Section, titles: tuple[str, ...]) -> Iterator[tuple[str, Table]]:
    """Yield the tables of a section with their captions, in parts that fit in a line."""
    titles = (*titles, section.title)
    for table in section.tables:
        for part in _parts(table):
            yield ": ".join([*titles, *filter(None, [table.caption])]), part
    for inner in section.sections:
        yield from _latex_tables(inner, titles)


def _parts(table: Table) -> Iterator[Table]:
    """Yield parts of a table: columns that identify rows, and other columns that fit in a line."""
    least = [narrowest for narrowest, _ in _widths(table)]
    keys = range(_number_of_keys(table, least))
    part = [*keys]
    for number in range(len(keys), len(least)):
        if len(part) > len(keys) and sum(least[n] for n in [*part, number]) > LINE:
            yield replace(table, columns=[table.columns[n] for n in part])
            part = [*keys]
        part.append(number)
    yield replace(table, columns=[table.columns[n] for n in part])


def _number_of_keys(table: Table, least: Sequence[int]) -> int:
    """Return the number of leading columns that every part of a table repeats.

    The number is the least with which the columns identify the rows. If no such number leaves room
    for a figure, the number is the largest that leaves room, but at least 1.
    """
    room = LINE - LONGEST_FIGURE - SPACE
    fit = [n for n in range(1, len(least) + 1) if n == 1 or sum(least[:n]) <= room]
    rows = len(table.rows)
    return next((n for n in fit if len({row[:n] for row in table.rows}) == rows), fit[-1])


def _widths(table: Table) -> Iterator[tuple[int, int]]:
    """Yield the least and the natural width of each column, including the space beside it.

    Titles, words and long figures can be wrapped.
    """
    for column, title, *cells in zip(table.columns, table.titles, *table.rows, strict=True):
        texts = list(map(_in_latin, cells))
        longest = max(map(len, texts), default=0)
        wrapped = [_in_latin(title)]
        if column.words or longest > LONGEST_FIGURE:
            wrapped, longest = [*wrapped, *texts], 0
        parts = (len(part) for text in wrapped for part in _unbroken(text))
        natural = max(map(len, [_in_latin(title), *texts]))
        yield min(max([longest + 1, *parts]), natural) + SPACE, natural + SPACE


def table_latex(table: Table, caption: str) -> str:
    """Return a table as LaTeX, with the rules of `booktabs`."""
    limits = list(_widths(table))
    widths = narrowed(limits, LINE)
    wraps = [width < natural for width, (_, natural) in zip(widths, limits, strict=True)]
    types = "".join(map(_column_type, table.columns, widths, wraps))
    head = f"{_latex_line(table.titles, wraps)}\n\\midrule\n" if any(table.titles) else ""
    body = "\n".join(_latex_line(row, wraps) for row in table.rows)
    return (
        f"{{{LATEX_STYLE}\n\\begin{{longtable}}{{{types}}}\n"
        f"\\caption{{{latex_text(caption, wraps=True)}}}\\\\\n"
        f"\\toprule\n{head}\\endhead\n\\bottomrule\n\\endfoot\n{body}\n\\end{{longtable}}}}\n"
    )


def _column_type(column: Column[Any], width: int, wraps: bool) -> str:
    if not wraps:
        return "l" if column.words else "r"
    side = "right" if column.words else "left"
    share = (width - SPACE) / LINE
    return f">{{\\ragged{side}\\arraybackslash}}p{{{share:.3f}\\linewidth}}"


def _latex_line(cells: Sequence[str], wraps: Sequence[bool]) -> str:
    texts = (latex_text(cell, wraps=wrap) for cell, wrap in zip(cells, wraps, strict=True))
    return f"{' & '.join(texts)} \\\\"


def latex_text(text: str, *, wraps: bool = False) -> str:
    """Return a text on a single line, escaped for LaTeX; with `wraps`, long words can be broken."""
    parts = _unbroken(_in_latin(text)) if wraps else [_in_latin(text)]
    return r"\allowbreak{}".join(map(_escaped, parts)).replace(r" \allowbreak{}", " ")


def _in_latin(text: str) -> str:
    """Return a text on a single line, with `U+4E2D` in place of a letter unknown to pdflatex."""
    return "".join(
        character if character.isascii() or character in LATEX else f"U+{ord(character):04X}"
        for character in _one_line(text)
    )


def _unbroken(text: str) -> list[str]:
    """Return the parts of a text between which a line can be broken."""
    parts = PART.split(text)
    return [
        part[at : at + LONGEST_PART] for part in parts for at in range(0, len(part), LONGEST_PART)
    ]


def _escaped(text: str) -> str:
    escaped = "".join(LATEX.get(character, character) for character in text)
    return re.sub("-(?=-)", "-{}", escaped)  # LaTeX would print two hyphens as a dash


def _one_line(text: str) -> str:
    return " ".join(printable(text, keep="\n").split())
