"""Facts about a puzzle: sizes, symmetries, facts for its kind, and totals of its assemblies."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dovetail.backends.registry import backends, not_installed
from dovetail.harness.parameters import open_runs
from dovetail.harness.planning import AUTO
from dovetail.harness.records.record import grouped
from dovetail.harness.run.result import Disassembled
from dovetail.harness.workers.runs import accepted, finish
from dovetail.models.boards.edges import (
    EdgePuzzle,
    Hint,
    Place,
    TileClass,
    cells_by_class,
    edges_by_place,
    sides_facing,
    tiles_by_class,
    turned,
)
from dovetail.models.boards.expected_boards import expected_boards
from dovetail.models.boards.orders import cells_in_order, shortest_order
from dovetail.models.cover import CoverProblem
from dovetail.models.impossibility import edges as impossible_edges
from dovetail.models.impossibility import packing as impossible_packing
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.packings.placements import Placements, Shape
from dovetail.models.reductions.pipeline import filtered
from dovetail.models.reductions.redundancy import break_symmetry
from dovetail.models.request import Reduction, ReductionName, Request, Symmetry
from dovetail.models.sub_problem import Part, region_parts
from dovetail.models.sums import shape_parities
from dovetail.models.task import Puzzle, Task, build_task

FILTERS = ("parity", "volume", "fit", "fit=fixed-point")
# Maximum number of placements for which the fit filter is tried. The filter takes about 3 s for
# 450,000 placements, and its time grows faster than linearly.
MAX_FOR_FIT = 1_000_000
# Largest factor that is reported. Some JSON parsers round larger numbers.
MAX_EXACT = 2**53


@dataclass(frozen=True)
class PieceClass:
    """Pieces of the same parity or volume."""

    # Absolute value of the parity, or the volume. None for the parity of a piece that has no
    # placements.
    value: int | None
    # Name of the first piece of each shape.
    names: tuple[str, ...]
    # Bounds of the total number of copies in a solution.
    min_count: int
    max_count: int


@dataclass(frozen=True)
class RestrictedPiece:
    """The piece that the redundancy filter restricts to break symmetry."""

    piece: str
    # Numbers of placements before and after the restriction.
    before: int
    after: int
    # Whether the restriction excludes all symmetric duplicates of solutions.
    complete: bool


@dataclass(frozen=True)
class Effect:
    """Number of placements that a reduction drops if it is used without other reductions."""

    reduction: str
    # None if there are too many placements to try the reduction.
    dropped: int | None


@dataclass(frozen=True)
class PieceComplexity:
    """Numbers of orientations and placements of a piece."""

    piece: str
    # Maximum number of copies.
    count: int
    cells: int
    orientations: int
    # Number of placements that cover a given cell far from the border: cells times orientations
    # (Busche 2011, table 1).
    complexity: int
    placements: int


@dataclass(frozen=True)
class ParityFacts:
    """Parities of the open cells and of the pieces."""

    # Parity of the open cells. If the cells have no colouring, `parity` is None and `parities` is
    # empty.
    parity: int | None
    parities: tuple[PieceClass, ...]


@dataclass(frozen=True)
class PackingFacts(ParityFacts):
    """Facts about a packing puzzle."""

    placements: int
    parts: tuple[Part, ...]
    volumes: tuple[PieceClass, ...]
    # The restricted piece for the symmetries `unique` and `mirror`; None if no piece can break the
    # symmetry.
    symmetry_breaking: dict[str, RestrictedPiece | None]
    effects: tuple[Effect, ...]
    impossible: str | None
    complexities: tuple[PieceComplexity, ...]


def packing_facts(options: PackingOptions) -> PackingFacts:
    """Return the facts about a packing puzzle."""
    placements = options.placements
    symmetry_breaking = {
        str(symmetry): _restricted(options, symmetry)
        for symmetry in (Symmetry.UNIQUE, Symmetry.MIRROR)
    }
    sizes = {piece.name: len(piece.cells) for piece in options.puzzle.pieces}
    return PackingFacts(
        **vars(parity_facts(placements)),
        placements=len(placements),
        parts=tuple(region_parts(placements)),
        volumes=_classes(placements.shapes, [sizes[shape.name] for shape in placements.shapes]),
        symmetry_breaking=symmetry_breaking,
        effects=tuple(_effects(placements, symmetry_breaking[Symmetry.UNIQUE])),
        impossible=impossible_packing.why_impossible(placements),
        complexities=tuple(_complexities(options)),
    )


def parity_facts(placements: Placements) -> ParityFacts:
    """Return the parities of the puzzle that has these placements."""
    if placements.colours is None:
        return ParityFacts(None, ())
    shown = [max(map(abs, values), default=None) for values in shape_parities(placements)]
    return ParityFacts(int(placements.colours.sum()), _classes(placements.shapes, shown))


def sequence_count(complexities: Sequence[PieceComplexity]) -> int:
    """Return n! times the product of the complexities of n pieces.

    This is the number of ways to place n pieces in any order, each on a cell that is given in
    advance. Pieces may overlap and extend beyond the region. The number is the size of the search
    that backtracking avoids (Busche 2011, "Puzzle Complexity").
    """
    sequences = math.factorial(sum(piece.count for piece in complexities))
    for piece in complexities:
        sequences *= piece.complexity**piece.count
    return sequences


def sequence_log10(complexities: Sequence[PieceComplexity]) -> float:
    """Return the decimal logarithm of `sequence_count`, without computing this large number."""
    pieces = sum(piece.count for piece in complexities)
    logs = (piece.count * math.log10(piece.complexity) for piece in complexities)
    return math.lgamma(pieces + 1) / math.log(10) + sum(logs)


def _complexities(options: PackingOptions) -> Iterator[PieceComplexity]:
    """Yield the complexity of each shape, in the order of the shapes."""
    puzzle, placements = options.puzzle, options.placements
    pieces = {piece.name: piece for piece in puzzle.pieces}
    numbers = np.bincount(placements.shape, minlength=len(placements.shapes)).tolist()
    for shape, number in zip(placements.shapes, numbers, strict=True):
        piece = pieces[shape.name]
        orientations = len(piece.motions.orientations(puzzle.lattice, piece.cells))
        cells = len(piece.cells)
        yield PieceComplexity(
            shape.name, shape.max_count, cells, orientations, cells * orientations, number
        )


def _classes(shapes: Sequence[Shape], values: Sequence[int | None]) -> tuple[PieceClass, ...]:
    """Group shapes by value; the largest value comes first, and None last."""
    pairs = grouped(zip(shapes, values, strict=True), lambda pair: pair[1])
    classes = {value: [shape for shape, _ in same] for value, same in pairs.items()}
    largest_first = sorted(classes, key=lambda v: -1 if v is None else v, reverse=True)
    return tuple(
        PieceClass(
            value,
            tuple(shape.name for shape in classes[value]),
            sum(shape.min_count for shape in classes[value]),
            sum(shape.max_count for shape in classes[value]),
        )
        for value in largest_first
    )


def _restricted(options: PackingOptions, symmetry: Symmetry) -> RestrictedPiece | None:
    placements = options.placements
    symmetry_breaking = break_symmetry(options.option_groups, options.symmetries(symmetry))
    if symmetry_breaking is None:
        return None
    before = int(np.count_nonzero(placements.shape == symmetry_breaking.option_group))
    piece = placements.shapes[symmetry_breaking.option_group].name
    return RestrictedPiece(piece, before, symmetry_breaking.places, symmetry_breaking.complete)


def _effects(placements: Placements, symmetry_breaking: RestrictedPiece | None) -> Iterator[Effect]:
    dropped = 0 if symmetry_breaking is None else symmetry_breaking.before - symmetry_breaking.after
    yield Effect(str(ReductionName.REDUNDANCY), dropped)
    for reduction in map(Reduction.parse, FILTERS):
        if reduction.name == ReductionName.PARITY and placements.colours is None:
            continue
        if reduction.name == ReductionName.FIT and len(placements) > MAX_FOR_FIT:
            yield Effect(str(reduction), None)
        else:
            kept = filtered(placements, reduction)
            yield Effect(str(reduction), int(np.count_nonzero(~kept)))


@dataclass(frozen=True)
class TileClassNumbers:
    """How many tiles and cells of a class a board has."""

    kind: str  # a `TileClass`; "tiles" for a board with variants, which has a single class
    tiles: int
    cells: int


@dataclass(frozen=True)
class PlaceColours:
    """The edges at a place of the board, and the colours of the sides that can face them."""

    place: str
    # Number of edges.
    edges: int
    # Pairs of a colour and the number of tile sides that have this colour and can face the edges.
    colours: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class IdenticalTiles:
    """Two or more identical tiles."""

    tiles: tuple[int, ...]
    # Number of these tiles that have hints.
    hinted: int


@dataclass(frozen=True)
class ExpectedSearch:
    """Figures that B. Owen's model expects; see `models.boards.expected_boards`."""

    # Number of labelled solutions, including all rotations of the board.
    solutions: float
    order: str
    # Number of nodes of `rows` with this order if identical tiles are tried only once.
    nodes: float


@dataclass(frozen=True)
class EdgeFacts:
    """Facts about an edge-matching puzzle."""

    signed: bool
    kinds: tuple[TileClassNumbers, ...]
    places: tuple[PlaceColours, ...]
    identical: tuple[IdenticalTiles, ...]
    # Number of labelled boards for each unlabelled board; None if it is above 2^53.
    labelled_factor: int | None
    # Tiles that look the same after a half turn, but not after a smaller turn.
    half_turns: tuple[int, ...]
    # Tiles that look the same after every allowed turn; empty if no turn is allowed.
    every_turn: tuple[int, ...]
    hints: tuple[Hint, ...]
    # None if the model does not cover the board.
    expected: ExpectedSearch | None
    impossible: str | None


def edge_facts(puzzle: EdgePuzzle) -> EdgeFacts:
    """Return the facts about an edge-matching puzzle."""
    kinds, places = _kinds_and_places(puzzle)
    identical = _identical(puzzle)
    factor = math.prod(math.factorial(len(same.tiles) - same.hinted) for same in identical)
    orientations = [
        len({turned(tile, r) for r in puzzle.turns if r < len(tile)}) for tile in puzzle.tiles
    ]
    half = puzzle.geometry.side_count / 2
    return EdgeFacts(
        signed=puzzle.signed,
        kinds=kinds,
        places=places,
        identical=identical,
        labelled_factor=factor if factor <= MAX_EXACT else None,
        half_turns=tuple(tile for tile, number in enumerate(orientations) if number == half),
        every_turn=tuple(
            tile for tile, number in enumerate(orientations) if number == 1 < len(puzzle.turns)
        ),
        hints=puzzle.hints,
        expected=_expected(puzzle),
        impossible=impossible_edges.why_impossible(puzzle),
    )


def _kinds_and_places(
    puzzle: EdgePuzzle,
) -> tuple[tuple[TileClassNumbers, ...], tuple[PlaceColours, ...]]:
    """Return the numbers of tiles and cells by class, and the colours by place.

    Classes and places are defined by a plain frame. A board with variants has a single class and no
    places.
    """
    if puzzle.variants:
        number = TileClassNumbers("tiles", len(puzzle.tiles), len(puzzle.geometry.positions))
        return (number,), ()
    tiles, cells, edges = tiles_by_class(puzzle), cells_by_class(puzzle), edges_by_place(puzzle)
    kinds = tuple(
        TileClassNumbers(str(kind), tiles[kind], cells[kind])
        for kind in TileClass
        if tiles[kind] or cells[kind]
    )
    places = tuple(
        PlaceColours(str(place), edges[place], tuple(sides_facing(puzzle, place).items()))
        for place in Place
    )
    return kinds, places


def _expected(puzzle: EdgePuzzle) -> ExpectedSearch | None:
    order = shortest_order(puzzle)
    cells = cells_in_order((order,), puzzle.width, puzzle.height)
    labelled = expected_boards(puzzle, cells)
    once = expected_boards(puzzle, cells, identical_once=True)
    if labelled is None or once is None:
        return None
    return ExpectedSearch(labelled[-1], order, sum(once))


def _identical(puzzle: EdgePuzzle) -> tuple[IdenticalTiles, ...]:
    if puzzle.counts:  # copies of a tile are not distinguished
        return ()
    named = {hint.tile for hint in puzzle.hints}
    alike = grouped(range(len(puzzle.tiles)), lambda number: puzzle.look(puzzle.tiles[number]))
    return tuple(
        IdenticalTiles(tuple(tiles), len(named.intersection(tiles)))
        for tiles in alike.values()
        if len(tiles) > 1
    )


@dataclass(frozen=True)
class BackendSupport:
    """Whether a backend with its default config supports a puzzle."""

    backend: str
    # Reason why the backend cannot run in this environment, or None.
    missing: str | None
    # Reason why the backend refuses the puzzle; None if the backend cannot run or supports the
    # puzzle.
    refusal: str | None


@dataclass(frozen=True)
class Explanation:
    """Facts about a puzzle of any kind."""

    puzzle: str
    digest: str
    # Numbers of cells, pieces, placements and other parts; see `puzzle_sizes`.
    sizes: dict[str, int]
    # Order of the symmetry group for each value of `Symmetry`.
    symmetries: dict[str, int]
    # None unless the puzzle is a packing puzzle.
    packing: PackingFacts | None
    # None unless the puzzle is an edge-matching puzzle.
    edges: EdgeFacts | None
    backends: tuple[BackendSupport, ...]
    # Totals over the puzzle's assemblies; None unless disassembly was requested.
    disassembled: Disassembled | None = None
    # Status of the search for the assemblies; None unless disassembly was requested.
    searched: str | None = None


def explain(
    puzzle: Puzzle, *, disassemble: bool = False, time_limit: str | None = None
) -> Explanation:
    """Return facts about a puzzle; with `disassemble`, search for assemblies and take them apart.

    `time_limit` limits the search and the disassembly. With `disassemble`, raises `ConfigError` for
    a puzzle without pieces and for an invalid time limit, `PuzzleError` for a lattice whose pieces
    do not slide, and `BackendError` if no backend supports the puzzle.
    """
    result = None
    if disassemble:
        with open_runs(puzzle, AUTO, disassemble=True, time_limit=time_limit) as runs:
            result = accepted(runs.jobs[0], finish(runs.run(0)))
    task = build_task(puzzle, Request())
    options = task.options
    return Explanation(
        puzzle=puzzle.name,
        digest=puzzle.digest,
        sizes=puzzle_sizes(puzzle, options.option_count),
        symmetries={str(symmetry): len(options.symmetries(symmetry)) for symmetry in Symmetry},
        packing=packing_facts(options) if isinstance(options, PackingOptions) else None,
        edges=edge_facts(puzzle) if isinstance(puzzle, EdgePuzzle) else None,
        backends=backend_supports(task),
        disassembled=None if result is None else result.disassembled,
        searched=None if result is None else str(result.status),
    )


def backend_supports(task: Task) -> tuple[BackendSupport, ...]:
    """Return for each backend whether it supports the puzzle and request of a task."""
    supports = []
    for backend in backends().values():
        missing = not_installed(backend)
        refusal = None if missing else backend.refuses(task, backend.config_type())
        supports.append(BackendSupport(backend.name, missing, refusal))
    return tuple(supports)


def puzzle_sizes(puzzle: Puzzle, options: int) -> dict[str, int]:
    """Return the count of each kind of part, such as cells or pieces, by name.

    `options` is the number of options.
    """
    match puzzle:
        case PackingPuzzle():
            pieces = sum(piece.max_count for piece in puzzle.pieces)
            return {"cells": len(puzzle.open_cells), "pieces": pieces, "placements": options}
        case EdgePuzzle():
            sides = {"columns": puzzle.width, "rows": puzzle.height}
            return {**sides, "tiles": len(puzzle.tiles), "options": options}
        case CoverProblem():
            primary = puzzle.primary_count
            secondary = puzzle.item_count - primary
            return {"primary items": primary, "secondary items": secondary, "options": options}
