"""Draws the gallery of the page: puzzles of the catalogue with a picture of a solution of each.

`python viewer/gallery.py` writes the pictures, which are a file of the package: drawing them when
the page is opened would take a minute of searching.
"""

from __future__ import annotations

import json
from pathlib import Path

from dovetail.harness.parameters import make_jobs
from dovetail.harness.workers.runs import run, solutions
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.reports.pictures.colours import piece_style, placed_numbers
from dovetail.reports.pictures.drawing import SvgDrawing, fragment, svg_element
from dovetail.reports.pictures.packing import oblique
from dovetail.reports.pictures.picture import solution_figure

PICTURES = Path(__file__).parents[1] / "src/dovetail/ui/static/gallery.json"
# Flat puzzles, solids and boards in turn.
GALLERY = (
    *("pentominoes-6x10", "soma-cube", "edges-7-b6i6-1", "pentominoes-8x8-hole"),
    *("tetris-cube", "hexiamonds-tenyo", "tetrasticks-6x6", "bedlam-cube"),
    *("one-sided-pentominoes-6x15", "tetrahexes-coin", "rhombic-cube-24", "dominoes-8x8"),
    *("diabolical-cube", "tetro-pentominoes-diamond-13", "pentatwigs-trefoil", "edges-8-9-1"),
    *("pentominoes-3x4x5", "polyiamonds-1-5-snowflake-1", "tritrigs-heart-1"),
    *("hexagonal-prisms-flower-3", "half-squares-triangle-16", "polyhexes-1-4-hexagon-ring-1"),
    *("triangular-prisms-hexagon-3", "trominoes-6x6"),
)


def thumbnail(name: str) -> str:
    """Return the first solution of a puzzle as SVG for a page that has the styles of pictures."""
    puzzle = catalogue_puzzle(name)
    (job,) = make_jobs([puzzle], "auto", limit=1)
    found = next(solutions(job.listed(), run(job.listed())))
    return fragment(svg_element(_drawing(puzzle, found)))


def _drawing(puzzle: Puzzle, solution: Solution) -> SvgDrawing:
    """Return a solution, solids as they are seen from outside."""
    if isinstance(puzzle, PackingPuzzle) and puzzle.lattice.dimension == 3:
        assert isinstance(solution, PackingSolution)
        placed = zip(solution.placed, placed_numbers(puzzle, solution), strict=True)
        solids = [(name, cells, piece_style(number)) for (name, cells), number in placed]
        return SvgDrawing(*oblique(puzzle.lattice, solids), f"a solution of {puzzle.name}")
    return solution_figure(puzzle, solution, 1).drawing


def main() -> None:
    """Write the pictures of all puzzles of the gallery."""
    pictures = {name: thumbnail(name) for name in GALLERY}
    PICTURES.write_text(json.dumps(pictures, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
