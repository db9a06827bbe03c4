"""What IPython shows of puzzles, solutions and results."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import dovetail
from cli.command import dovetail as command
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import AssemblyCount, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.reports.notebook import register

interactiveshell = pytest.importorskip(
    "IPython.core.interactiveshell", reason="IPython is not installed"
)


@pytest.fixture
def shell() -> Iterator[Any]:
    """An IPython that dovetail is known to."""
    running = interactiveshell.InteractiveShell.instance()
    register()
    yield running
    interactiveshell.InteractiveShell.clear_instance()


def shown(shell: Any, thing: object) -> str:
    """The HTML that a notebook gets."""
    formats, _ = shell.display_formatter.format(thing)
    html: str = formats.get("text/html", "")
    return html


def test_puzzles(shell: Any) -> None:
    """Draw themselves; covers list their options."""
    assert shown(shell, dovetail.load("pentominoes-6x10")).count("<svg") == 13
    assert shown(shell, dovetail.load("edges-3-2-1")).count("<svg") == 10
    assert shown(shell, dovetail.load("queens-6")).count("<li>") == 36


def test_a_puzzle_that_cannot_be_drawn(shell: Any) -> None:
    """Is described."""
    cells = ((0, 0, 0, 0, 0),)
    puzzle = PackingPuzzle("<deep>", SquareLattice(5), cells, (Piece("A", cells),))
    assert shown(shell, puzzle).startswith("<pre>&lt;deep&gt;: 1 kind of piece")


def test_solutions(shell: Any) -> None:
    """Packings show their pieces, boards their numbers and turns."""
    packing = next(dovetail.solve("pentominoes-6x10"))
    board = next(dovetail.solve("edges-3-2-1"))
    assert shown(shell, packing).count('class="letter"') == 12
    assert shown(shell, board).count('class="turned"') == 9
    assert shown(shell, PackingSolution(())) == ""


def test_results_print_the_lines_of_their_command() -> None:
    """Notebooks show the same lines as a list."""
    levels = dovetail.estimate("soma-cube", "dlx", descents=9999)
    results: dict[str, Any] = {
        "count queens-6 -b dlx --symmetry all": dovetail.count("queens-6", "dlx", symmetry="all"),
        "estimate queens-6 -b dlx": dovetail.estimate("queens-6", "dlx"),
        "estimate soma-cube -b dlx --descents 9999": levels,
    }
    for words, result in results.items():
        printed = command(*words.split()).stdout.removesuffix("\n")
        assert _without_times(str(result)) == _without_times(printed)
        html = _html_text(result)
        assert all(line.strip() in html for line in str(result).partition("\n\n")[0].splitlines())
    assert "<table" in (levels._repr_html_() or "")


def _without_times(text: str) -> str:
    return re.sub(r"[\d.,]+ (s|ms|µs|[kMG] nodes)\b", "", text)


def _html_text(result: Any) -> str:
    return unescape(re.sub("<[^>]*>", "", result._repr_html_()))


def test_verifications_print_the_wrong_solutions(tmp_path: Path) -> None:
    """By their lines in a file, otherwise by their numbers."""
    good: Any = next(dovetail.sample("queens-6", symmetry="all"))
    bad = replace(good, options=good.options[1:])
    found = dovetail.verify("queens-6", [good, good, bad])
    assert str(found).startswith("queens-6: 3 solutions, 1 repeated, 1 WRONG\n  solution 3: ")
    assert str(found) in _html_text(found).replace("WRONGsolution", "WRONG\n  solution")
    (file := tmp_path / "s.txt").write_text("0\n")
    assert f"\n  {file}:1: " in str(dovetail.verify("queens-6", file))
    assert str(dovetail.Verification(1, 1)).startswith("Verification(total=1, ")
    assert dovetail.Verification(1, 1)._repr_html_() is None


def test_probable_counts_and_trials_in_notebooks() -> None:
    """With the noun of the puzzle, its name, the solver and the rates."""
    cube: Any = dovetail.load("soma-cube")
    puzzle = replace(cube, assembled=AssemblyCount())
    trials = dovetail.trials(puzzle, 2, remaining=3)
    assert re.search(
        "^soma-cube: .* unique assembl.*dlx, .*2 of 2 trials, .* per second of solve time, ",
        _html_text(trials),
    )
    counted = dovetail.count("queens-6", "dlx", symmetry="all")
    assert counted.job is not None
    probable = replace(counted, job=replace(counted.job, backend="ganak"))
    assert "queens-6: ≈ 4 solutions" in _html_text(probable)
    assert str(replace(counted, job=None)).startswith("Result(status=")


def test_results_replace_control_characters() -> None:
    puzzle = replace(dovetail.load("queens-6"), name="\x1b[31m\nq")
    estimate = dovetail.estimate(puzzle, "dlx")
    results: list[Any] = [dovetail.count(puzzle), estimate, dovetail.verify(puzzle, [])]
    for result in results:
        first, *_ = str(result).splitlines()
        assert first.startswith("\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}q: ")
    board = replace(dovetail.load("edges-4-b3i3-1"), name="a\nb")
    assert str(dovetail.improve(board, time_limit=1)).startswith("a\N{REPLACEMENT CHARACTER}b: ")


def test_pictures(shell: Any) -> None:
    """Are shown as they are."""
    assert shown(shell, dovetail.picture("soma-cube")).count("<figure>") == 7


def test_imported_in_a_notebook() -> None:
    """Dovetail tells IPython by itself, and loads nothing that draws before it must."""
    script = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "import sys, dovetail\n"
        "print([name for name in ('numba', 'dovetail.models.packing') if name in sys.modules])\n"
        "formats, _ = shell.display_formatter.format(dovetail.load('soma-cube'))\n"
        "print(sorted(formats))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n['text/html', 'text/plain']\n"


def test_improvements_print_their_lines_and_show_their_boards(shell: Any) -> None:
    improved = dovetail.improve("edges-4-b3i3-1", time_limit=2)
    assert str(improved).startswith("edges-4-b3i3-1: 24 of 24 edges match: a solution (solved)\n")
    assert "24 of 24 edges match" in shown(shell, improved)
