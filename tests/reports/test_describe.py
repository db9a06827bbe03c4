"""Puzzles in text pictures."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from dovetail.harness.confidence import exactly
from dovetail.harness.estimating import Estimate
from dovetail.harness.explanation import PieceComplexity
from dovetail.harness.planning.tree_size import EstimateSource
from dovetail.harness.progress import RunProgress
from dovetail.harness.run.job import Job, Trials
from dovetail.harness.run.result import Result, Searched
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.registry import OWN, lattice_named
from dovetail.models.outcome import Counters, Status
from dovetail.models.packings.packing import AssemblyCount, Motions, PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.loading import load
from dovetail.reports.describe.explanation import _piece_lines
from dovetail.reports.describe.puzzle import describe_puzzle
from dovetail.reports.describe.result import describe_result
from dovetail.reports.describe.search import describe_estimate
from dovetail.reports.pictures.picture import picture_writer
from dovetail.reports.progress import progress_lines
from dovetail.reports.viewer.viewer import viewer_page
from reports.viewer.shapes import cube_solutions, small_cube

FLAT = """\
? . ?
. W *
"""
SOLID = """\
? .,. ?
. *,* W
"""
PIECE = """
[[piece]]
name = "V"
shape = '''
V V
V .
'''
"""


def puzzle_of(drawing: str, folder: Path) -> PackingPuzzle:
    """Return a puzzle whose region is drawn so in TOML."""
    path = folder / "puzzle.toml"
    path.write_text(f'name = "one"\nregion = """\n{drawing}"""\n{PIECE}')
    puzzle = load(str(path))
    assert isinstance(puzzle, PackingPuzzle)
    return puzzle


@pytest.mark.parametrize("drawing", [FLAT, SOLID])
def test_a_region_is_drawn_as_in_toml(drawing: str, tmp_path: Path) -> None:
    """With the same marks: what is shown can be written into a file."""
    puzzle = puzzle_of(drawing, tmp_path)
    assert len(puzzle.optional) == 2
    _, marks, _, *shown = describe_puzzle(puzzle).splitlines()
    assert marks == "2 cells may stay empty (marked ?)"
    assert shown[:2] == drawing.splitlines()


def test_colours_of_any_name() -> None:
    """A name with the mark of places outside, and a name that a terminal would interpret."""
    cells = (0, 0), (1, 0), (0, 1)
    colours = ("b*c", cells[:2]), ("\x1b[31mX", cells[2:])
    pieces = (Piece("L", cells, colours=colours),)
    puzzle = PackingPuzzle("coloured", SquareLattice(2), cells, pieces, colours=colours)
    *_, top, bottom, _, _, piece_top, piece_bottom = describe_puzzle(puzzle).splitlines()
    assert (top, bottom) == ("\ufffd[31mX      *", "   b*c    b*c")
    assert (piece_top.rstrip(), piece_bottom) == (top.rstrip(" *"), bottom)


@pytest.mark.parametrize("name", [name for name in OWN if not name.startswith("square-")])
def test_pieces_and_regions_of_other_lattices_are_read_again(name: str, tmp_path: Path) -> None:
    """As they were: also a single cell of any class, which cannot be turned."""
    lattice, random = lattice_named(name), Random(1)
    cells = [*lattice.fundamental_cells]
    while len(cells) < 30:
        cells += sorted({*lattice.neighbours(random.choice(cells))} - {*cells})
    shapes: list[Cells] = [(cell,) for cell in lattice.fundamental_cells[:6]]
    shapes += [(cells[0], cell) for cell in cells[1:4]]
    pieces = [Piece(f"P{n}", shape, 0, 9, Motions.FIXED) for n, shape in enumerate(shapes)]
    puzzle = PackingPuzzle("one", lattice, tuple(cells), tuple(pieces))
    _, region, *drawn = describe_puzzle(puzzle).split("\n\n")
    text = f'name = "one"\nlattice = "{name}"\nregion = """\n{region}\n"""\n'
    for one in drawn:
        title, _, drawing = one.partition("\n")
        text += f'[[piece]]\nname = "{title.partition(":")[0]}"\nmotions = "fixed"\n'
        text += f'count = [0, 9]\nshape = """\n{drawing}\n"""\n'
    path = tmp_path / "puzzle.toml"
    path.write_text(text)
    again = load(str(path))
    assert isinstance(again, PackingPuzzle)
    assert [piece.cells for piece in again.pieces] == [*map(lattice.normalise, shapes)]
    assert lattice.normalise(again.region) == lattice.normalise(puzzle.region)


ASSEMBLED = replace(small_cube(), assembled=AssemblyCount())


def test_a_power_of_ten_has_a_factor_below_ten() -> None:
    pieces = [PieceComplexity("A", 1, 1, 1, 9_999_999, 9_999_999)]
    assert "9,999,999 (about 1.00·10^7) ordered" in "\n".join(_piece_lines(pieces))


def test_no_text_about_assemblies_calls_them_solutions() -> None:
    """Results, trials, estimates, progress, the viewer's page and galleries."""
    job, two = Job(ASSEMBLED, Request(), "dlx"), cube_solutions()
    searched = Searched(4, 1, 2)
    finished = Result(Status.EXHAUSTED, 2, Counters(nodes=3), verified=2, searched=searched)
    estimate = Estimate(job, exactly(3), None, exactly(2), 0, 0.1, None, None, EstimateSource.TREE)
    page = viewer_page(ASSEMBLED, two)
    writer = picture_writer(".svg", ASSEMBLED)
    drawn = [writer.one(number, one) for number, one in enumerate(two, start=1)]
    fields = RunProgress(job).fields() | {"count": 2}
    with (console := Console(file=StringIO(), width=120)).capture() as progress:
        console.print(progress_lines(fields, ASSEMBLED))
    texts = [
        describe_result(job, finished),
        describe_result(replace(job, trials=Trials(count=4, remaining=1)), finished),
        describe_estimate(estimate),
        progress.get(),
        re.sub(r"<style>.*?</style>|<script.*?</script>", "", page, flags=re.DOTALL),
        "".join([writer.head, *drawn, writer.tail]),
    ]
    assert [text for text in texts if "olution" in text or "ssembl" not in text] == []
    assert '"noun":"assembly"' in page


@pytest.mark.parametrize(
    ("name", "symmetry", "headline"),
    [
        ("sudoku-25-clues", Symmetry.UNIQUE, "1 solution in all"),
        ("sudoku-25-clues", Symmetry.ALL, "1 solution in all"),
        ("queens-6", Symmetry.UNIQUE, "1 solution up to symmetry"),
    ],
)
def test_a_cover_without_symmetries(name: str, symmetry: Symmetry, headline: str) -> None:
    """All of its solutions are counted: nothing is known that makes two of them one."""
    job = Job(load(name), Request(symmetry), "dlx")
    assert (job.request.symmetry == Symmetry.ALL) == headline.endswith("in all")
    result = Result(Status.EXHAUSTED, 1)
    first, *others = describe_result(job, result).splitlines()
    assert first == f"{name}: {headline}"
    assert any("states no symmetries" in line for line in others) == headline.endswith("in all")
