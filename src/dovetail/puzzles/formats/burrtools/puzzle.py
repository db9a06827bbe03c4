"""Makes a puzzle of a problem: cells, placements that colours leave, how assemblies count."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.puzzles.formats.burrtools.colours import Allowance, Colouring, Places
from dovetail.puzzles.formats.burrtools.counting import assembly_count, markings
from dovetail.puzzles.formats.burrtools.grids import Grid
from dovetail.puzzles.formats.burrtools.problem import Part, Problem


def as_puzzle(file: TextFile, problem: Problem, name: str, allowance: Allowance) -> PackingPuzzle:
    """The puzzle that a problem is; `FormatError` where it is none or the allowance is spent."""
    grid, result = problem.grid, problem.result
    colouring = Colouring(grid, result.colours, problem.allowed, allowance)
    try:
        places = [
            colouring.places(part.shape.colours, part.shape.hotspot) for part in problem.parts
        ]
        puzzle = PackingPuzzle(
            name=name,
            lattice=grid.lattice,
            region=grid.cells(result.filled + result.variable),
            pieces=tuple(map(partial(_piece, grid), problem.parts, places)),
            optional=grid.cells(result.variable),
            markings=markings(problem),
            assembled=assembly_count(
                problem,
                [part.name for part, its in zip(problem.parts, places, strict=True) if its.several],
            ),
        )
    except PuzzleError as error:
        raise file.error(str(error), problem.element.line) from None
    if len(set(puzzle.equal_pieces)) < len(puzzle.pieces):
        puzzle = replace(puzzle, interchangeable=False)
    return puzzle


def _piece(grid: Grid, part: Part, places: Places) -> Piece:
    return Piece(
        part.name,
        grid.lattice.normalise(grid.cells(part.shape.filled)),
        part.min_count,
        part.max_count,
        placements=places.listed,
    )
