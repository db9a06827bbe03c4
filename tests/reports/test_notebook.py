"""What IPython shows of puzzles, solutions and results."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import dovetail
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
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


def test_results(shell: Any) -> None:
    """Are small tables, also in notebooks of other programs."""
    html = shown(shell, dovetail.count("queens-6", "dlx", symmetry="all"))
    assert "<tr><th>status</th><td>exhausted</td></tr><tr><th>count</th><td>4</td></tr>" in html
    html = shown(shell, dovetail.estimate("queens-6", "dlx", symmetry="all"))
    assert "<tr><th>solutions found</th><td>4</td></tr>" in html


def test_a_result_prints_the_lines_of_the_command() -> None:
    """Of a count, of trials and of an improvement; another result is shown by its fields."""
    counted = dovetail.count("queens-6", "dlx", symmetry="all")
    assert str(counted).startswith("queens-6: 4 solutions\n  dlx, ")
    trials = dovetail.trials("pentominoes-3x20", dovetail.Trials(count=2, remaining=8))
    assert "\n  2 of 2 trials, " in str(trials)
    improved = dovetail.improve("edges-4-b3i3-1", time_limit=2)
    assert str(improved).startswith("edges-4-b3i3-1: 24 of 24 edges match: a solution (solved)\n")
    assert str(replace(counted, view=None)).startswith("Result(status=")
    assert "<th>count</th><td>4</td>" in (counted._repr_html_() or "")


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


def test_an_improvement(shell: Any) -> None:
    """Shows its board and the score."""
    result = dovetail.improve("edges-4-b3i3-1", time_limit=2)
    assert f"{result.score} of 24 edges match" in shown(shell, result)
