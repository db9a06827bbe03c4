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
from xml.etree import ElementTree

import pytest

import dovetail
from cli.command import dovetail as command
from dovetail.harness.suite.suite_file import load_suite
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import AssemblyCount, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution

interactiveshell = pytest.importorskip(
    "IPython.core.interactiveshell", reason="IPython is not installed"
)


@pytest.fixture
def shell() -> Iterator[Any]:
    """A running IPython."""
    yield interactiveshell.InteractiveShell.instance()
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
    assert shown(shell, PackingSolution(())) == "<pre>PackingSolution(placed=())</pre>"
    assert shown(shell, dovetail.PartialBoard((((0, 1), None),))).count('class="turned"') == 1


def test_results_print_the_lines_of_their_command() -> None:
    """Notebooks show the same lines as a list, and the figures of a search as a table."""
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
        lines = str(result).partition("\n\n")[0].splitlines()
        assert all(line.strip() in html for line in lines if ", prepare " not in line)
    table = "solverstatussolutionsnodespreparesolveverifieddlxexhausted4110"
    assert table in _html_text(results["count queens-6 -b dlx --symmetry all"])
    assert "<table" in (levels._repr_html_() or "")


def _without_times(text: str) -> str:
    return re.sub(r"[\d.,]+ (s|ms|µs|[kMG] nodes)\b", "", text)


def _html_text(result: Any) -> str:
    return unescape(re.sub("<style>.*?</style>|<[^>]*>", "", result._repr_html_()))


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
    assert "Verification(total=1, distinct=1)" in _html_text(dovetail.Verification(1, 1))


def test_probable_counts_and_trials_in_notebooks() -> None:
    """With the noun of the puzzle, its name, the solver and the rates."""
    cube: Any = dovetail.load("soma-cube")
    puzzle = replace(cube, assembled=AssemblyCount())
    trials = dovetail.trials(puzzle, 2, remaining=3)
    assert re.search(
        "^soma-cube: .* assembl.* up to rotation.*dlx.*2 of 2 trials, .* per second of solve",
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


@pytest.fixture(scope="module")
def public_objects() -> list[Any]:
    """An object of each kind that the API takes or returns, also large ones."""
    packing: Any = dovetail.load("pentominoes-6x10")
    board: Any = dovetail.load("edges-4-b3i3-1")
    improved = dovetail.improve(board, time_limit=5)
    listed = [*dovetail.solve("pentominoes-3x20", "dlx")]
    counted = dovetail.count("queens-6", "dlx")
    estimate = dovetail.estimate("queens-6", "dlx")
    records = dovetail.bench(["queens-5"], ["dlx", "bitset"])
    many = dovetail.Piece("P", ((0, 0),), placements=tuple(((x, 0),) for x in range(500)))
    return [
        *(packing, board, dovetail.load("queens-20"), dovetail.load("edges-16-b5i17-1"), many),
        *(packing.pieces[0], dovetail.FixedPiece("A", ((0, 0),)), dovetail.Hint(0, 0, 1, 2)),
        *(packing.lattice, lattice_named("spheres"), improved, improved.board, listed[0]),
        *(next(dovetail.solve("edges-3-2-1")), next(dovetail.solve("queens-6")), counted),
        *(counted.job, counted.counters, replace(counted, job=None), estimate, estimate.nodes),
        *(dovetail.verify("pentominoes-3x20", listed), dovetail.picture("soma-cube")),
        *(dovetail.picture(board, improved.board), dovetail.picture("pentominoes-3x20", listed)),
        dovetail.Limits(time_s=3),
        *(dovetail.catalogue(), dovetail.catalogue()[0], records, records[0], load_suite("quick")),
        replace(dovetail.packing("..\n.*\n..", {"I": {"shape": "#", "count": 5}}), name="a\x1bb"),
    ]


def test_public_objects_are_short_everywhere(public_objects: list[Any]) -> None:
    """As text, as `repr` in a single line, and as HTML without scripts."""
    for thing in public_objects:
        text, bounded, html = str(thing), repr(thing), thing._repr_html_()
        assert len(text) < 1_400, text
        widest = 500 if text.startswith("Result(") else 180  # a result without its job
        assert max(map(len, text.splitlines())) <= widest, text
        assert text.count("\n") < 20, text
        assert len(bounded) < 1_500, bounded
        assert bounded.isprintable(), bounded
        assert len(html) > 12
        assert "<script" not in html
        document = html.replace("<br>", "").replace("<wbr>", "")
        ElementTree.fromstring(f"<div>{document}</div>")


def test_public_objects_say_what_they_are(public_objects: list[Any]) -> None:
    """In the words of the commands."""
    texts = "\n".join(map(str, public_objects))
    for line in (
        "pentominoes-6x10: packing, 12 kinds of piece, 60 open cells in 2 dimensions",
        "edges-4-b3i3-1: edge matching, 4 wide, 4 high, 7 colours including the frame's, 0 hints",
        "queens-20: exact cover, 40 primary and 78 secondary items, 400 options, 8 symmetries",
        "P: 1 cell, free, only in 500 listed places: (0, 0)",
        "F: 5 cells, free: (0, 1), (1, 0), (1, 1), (1, 2), (2, 2)",
        "square-2: squares, a cell is (x, y)",
        "picture of soma-cube",
        "picture of a board of edges-4-b3i3-1",
        "picture of 2 solutions of pentominoes-3x20",
        "Limits(time_s=3.0)",
        "pentominoes-HxW: the 12 free pentominoes in a rectangle of 60 cells (pentominoes-6x10, ",
        "quick: 67 runs of 10 puzzles by dlx, fila, ",
        ": packing, 1 kind of piece, 5 open cells in 2 dimensions",
        ". .\n. *\n. .",
    ):
        assert line in texts
    assert re.search(
        r"puzzle +solver +solutions +nodes +prepare +solve\n +queens-5 .unique. +dlx +2 ", texts
    )
    assert f"… and {len(dovetail.catalogue()) - 12} more" in texts
    assert "\x1b" not in texts


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
        "print(dovetail.Hint(0, 0, 1, 2), 'dovetail.reports' in sys.modules)\n"
        "formats, _ = shell.display_formatter.format(dovetail.load('soma-cube'))\n"
        "print(sorted(formats))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert (
        done.stdout == "[]\nHint(x=0, y=0, tile=1, rotation=2) False\n['text/html', 'text/plain']\n"
    )


def test_improvements_print_their_lines_and_show_their_boards(shell: Any) -> None:
    improved = dovetail.improve("edges-4-b3i3-1", time_limit=2)
    assert str(improved).startswith("edges-4-b3i3-1: 24 of 24 edges match: a solution (solved)\n")
    assert "24 of 24 edges match" in shown(shell, improved)
