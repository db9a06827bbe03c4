"""Pages as Markdown and LaTeX."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dovetail.harness.records.record_files import read_records
from dovetail.reports.page import Page, Section
from dovetail.reports.rendering.markup import LATEX, latex_text, page_latex, page_markdown
from dovetail.reports.results.page import report_page
from dovetail.reports.table import text_table

QUICK = Path(__file__).parents[1] / "browser" / "records" / "quick.jsonl"

HOSTILE = "\\end{tabular} {$&#%_^~<>|\"'`[*] --- ?`\n中\0" + "".join(LATEX)
ROWS = ((HOSTILE, "1"), ("[a]", "> 1.60"), ("*", "≥ 3"))
PAGE = Page(
    HOSTILE,
    [
        Section("first", "First", [HOSTILE, text_table((HOSTILE, "n"), ROWS, HOSTILE)]),
        Section(
            "outer",
            "Outer",
            [
                Section(
                    "inner",
                    HOSTILE,
                    [text_table(("", "", ""), [(*row, "") for row in ROWS] * 40, words=3)],
                    folded=True,
                )
            ],
        ),
    ],
    HOSTILE,
    (HOSTILE,),
)


def test_markdown_shows_entities_and_tildes_as_they_are() -> None:
    """Markdown would read a name such as a&lt;b as a<b, and strike out what is between tildes."""
    assert page_markdown(Page("a&lt;b ~~c~~", [])) == "# a\\&lt;b \\~\\~c\\~\\~\n"


def test_latex_has_the_tables_with_rules() -> None:
    """Equal captions are numbered; columns without titles have no head."""
    table = text_table(("solver", "× best", "95 %"), (("dlx", "> 2", "1.00–1.32"),), "by_time")
    page = Page("p", [Section("a", "A & B", ["text", table, table])])
    _, first, second, _ = page_latex(page).split("\n\n")
    assert first.splitlines() == [
        r"{\footnotesize\setlength\tabcolsep{4pt}\setlength\LTcapwidth\linewidth",
        r"\begin{longtable}{lrr}",
        r"\caption{A \& B: by\_\allowbreak{}time (1 of 2)}\\",
        r"\toprule",
        r"solver & $\times$ best & 95 \% \\",
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        r"dlx & \textgreater{} 2 & 1.00\textendash{}1.32 \\",
        r"\end{longtable}}",
    ]
    assert r"time (2 of 2)}" in second
    text = page_latex(PAGE)
    without_head = text[text.index(r"\begin{longtable}", text.index("Outer: ") - 300) :]
    assert (without_head.count(r"\midrule"), without_head.count(r"\endhead")) == (0, 1)


def test_wide_tables_are_wrapped_and_divided() -> None:
    """A table of more columns than fit becomes several, each with the column that names rows."""
    table = text_table(
        ("solver", *"abcdefgh"),
        ((f"dlx (one{',two=three' * 20})", *["1,234,567.89 s"] * 7, "words " * 9),),
    )
    text = page_latex(Page("p", [Section("a", "A", [table])]))
    heads = [line for line in text.splitlines() if line.startswith("solver & ")]
    assert heads == [r"solver & a & b & c & d \\", r"solver & e & f & g & h \\"]
    assert text.count(r"}p{0.") == 3
    assert r",\allowbreak{}two=\allowbreak{}three" in text
    assert r"\caption{A (2 of 2)}" in text


@pytest.mark.parametrize(
    ("names", "repeated"),
    [
        ([("a", "x"), ("a", "y"), ("b", "x")], ["puzzle", "solver"]),
        ([("a", "x"), ("b", "x"), ("c", "x")], ["puzzle"]),
    ],
    ids=["two columns", "one column"],
)
def test_each_part_of_a_table_has_the_columns_that_tell_rows_apart(
    names: list[tuple[str, str]], repeated: list[str]
) -> None:
    rows = [(*name, *["1,234,567.89 s"] * 8) for name in names]
    table = text_table(("puzzle", "solver", *"01234567"), rows, words=2)
    text = page_latex(Page("p", [Section("a", "A", [table])]))
    heads = [line for line in text.splitlines() if line.startswith("puzzle & ")]
    shown = [head.removesuffix(r" \\").split(" & ") for head in heads]
    assert shown == [["puzzle", "solver", *"0123"], [*repeated, *"4567"]]


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a_b 5 % #1 $x & {y}", r"a\_b 5 \% \#1 \$x \& \{y\}"),
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("−volume ×1.5 ≥ 3 µs", r"$-$volume $\times$1.5 $\geq$ 3 \textmu{}s"),
    ],
)
def test_latex_escapes_all_texts(text: str, escaped: str) -> None:
    assert latex_text(text) == escaped


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize(
    "page",
    [PAGE, report_page(read_records(QUICK).records)],
    ids=["hostile texts", "quick"],
)
def test_latex_compiles_and_fits_the_page(page: Page, tmp_path: Path) -> None:
    (tmp_path / "table.tex").write_text(page_latex(page), encoding="utf-8")
    (tmp_path / "document.tex").write_text(
        "\\documentclass{article}\n\\usepackage{array,booktabs,longtable}\n"
        "\\begin{document}\n\\input{table}\n\\end{document}\n"
    )
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "document.tex"]
    alone = [*command[:-1], "table.tex"]
    for words in (command, command, command, alone):  # widths come from the run before
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:].decode(errors="replace")
    assert (tmp_path / "table.pdf").exists()
    log = (tmp_path / "document.log").read_text(encoding="latin-1")
    assert [
        width for width in re.findall(r"Overfull .*\((.*)pt too", log) if float(width) >= 10
    ] == []
