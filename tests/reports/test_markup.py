"""Pages as Markdown and LaTeX."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from dovetail.reports.markup import LATEX, latex_text, page_latex, page_markdown
from dovetail.reports.page import Page, Section
from dovetail.reports.table import text_table

HOSTILE = "\\end{tabular} {$&#%_^~<>|\"'`[*] --- ?`\n中\0" + "".join(LATEX)
ROWS = ((HOSTILE, "1"), ("[a]", "> 1.60"), ("*", "≥ 3"))
PAGE = Page(
    HOSTILE,
    HOSTILE,
    (HOSTILE,),
    (
        Section("first", "First", (HOSTILE,), tables=(text_table((HOSTILE, "n"), ROWS, HOSTILE),)),
        Section(
            "outer",
            "Outer",
            sections=(
                Section(
                    "inner",
                    HOSTILE,
                    tables=(text_table(("", ""), ROWS * 40, words=2),),
                    folded=True,
                ),
            ),
        ),
    ),
)


def test_latex_has_the_tables_with_rules() -> None:
    """Long texts are wrapped; columns without titles have no head."""
    table = text_table(("solver", "× best", "95 %"), (("dlx", "> 2", "1.00–1.32"),), "by_time")
    page = Page("p", "", (), (Section("a", "A & B", ("text",), tables=(table,)),))
    assert page_latex(page).splitlines()[3:] == [
        r"\begin{longtable}{lrr}",
        r"\caption{A \& B: by\_time}\\",
        r"\toprule",
        r"solver & $\times$ best & 95 \% \\",
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        r"dlx & \textgreater{} 2 & 1.00\textendash{}1.32 \\",
        r"\end{longtable}",
    ]
    text = page_latex(PAGE)
    assert text.count(r"\begin{longtable}{p{6cm}r}") == 1
    without_head = text[text.index(r"\begin{longtable}{p{6cm}l}") :]
    assert (without_head.count(r"\midrule"), without_head.count(r"\endhead")) == (0, 1)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a_b 5 % #1 $x & {y}", r"a\_b 5 \% \#1 \$x \& \{y\}"),
        ("\\^~", r"\textbackslash{}\textasciicircum{}\textasciitilde{}"),
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("[1] *", "{[}1] {*}"),
        ("−volume ×1.5 ≥ 3 µs", r"$-$volume $\times$1.5 $\geq$ 3 \textmu{}s"),
        ("中\n\0", "U+4E2D U+FFFD"),
    ],
)
def test_latex_escapes_all_texts(text: str, escaped: str) -> None:
    assert latex_text(text) == escaped


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles(tmp_path: Path) -> None:
    """With hostile texts wherever there are texts."""
    (tmp_path / "table.tex").write_text(page_latex(PAGE), encoding="utf-8")
    (tmp_path / "document.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs,longtable}\n"
        "\\begin{document}\n\\input{table}\n\\end{document}\n"
    )
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "document.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:].decode(errors="replace")


def test_markdown_has_smaller_headings_within_sections() -> None:
    """With all texts and tables in one line each, and nothing that is markup."""
    table = text_table(("name", "n"), (("a", "1"),))
    inner = (
        Section("open", "Open <b>", ("In.",)),
        Section("shut", "Shut", tables=(table,), folded=True),
    )
    page = Page("page", "", (), (Section("outer", "Outer", ("Said.",), sections=inner),))
    text = page_markdown(page)
    assert "## Outer\n\nSaid.\n\n### Open \\<b\\>\n\nIn.\n\n### Shut\n\n| name | n |" in text
