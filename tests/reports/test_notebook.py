"""What IPython shows of puzzles, solutions and results."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest

import dovetail
from cli.command import dovetail as command
from dovetail.harness.suite.suite_file import load_suite
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.packings.packing import AssemblyCount
from dovetail.models.solution import PackingSolution
from dovetail.printable import ShownList
from reports.results.test_improvements import improved

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


def test_imported_in_a_notebook() -> None:
    """Dovetail tells IPython by itself, and loads nothing that draws before it must."""
    script = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "import sys, dovetail\n"
        "models = 'dovetail.models.packings.packing'\n"
        "print([name for name in ('numba', models) if name in sys.modules])\n"
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


def test_scores_in_a_list_are_of_all_seeds() -> None:
    """A list is cut off by rows, not by the runs that a row sums up."""
    seeds = ShownList([improved("one", "beam", seed, 1 if seed < 12 else 4) for seed in range(40)])
    _, row = str(seeds).splitlines()
    assert row.split()[4:6] == ["40", "4"]  # runs, median


def test_a_result_of_any_name_is_displayed(shell: Any) -> None:
    """The line about the work is left out by its words, which a name may have, too."""
    puzzle = replace(dovetail.load("queens-4"), name="cut, prepare and glue")
    assert "cut, prepare and glue: 1 solution" in shown(shell, dovetail.count(puzzle, "dlx"))
