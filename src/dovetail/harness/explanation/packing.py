"""Facts of a packing puzzle that need no search: sums, parts, reductions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dovetail.models.impossibility.packing import why_impossible
from dovetail.models.options.packing import PackingOptions
from dovetail.models.parity import shape_parities
from dovetail.models.parts import Part, region_parts
from dovetail.models.placements import Placements, Shape
from dovetail.models.reductions.pipeline import filtered
from dovetail.models.reductions.redundancy import break_symmetry
from dovetail.models.request import Reduction, ReductionName, Symmetry

FILTERS = ("parity", "volume", "fit", "fit=fixed-point")
# A pass of the fit filter over 450,000 takes about 3 s, and its time grows faster than they do.
MAX_FOR_FIT = 1_000_000


@dataclass(frozen=True)
class PieceClass:
    """Pieces of the same `value`, used `min_count` to `max_count` times; each shape's first name.

    The value is a parity without its sign, None for a piece without any placement, or a volume.
    """

    value: int | None
    names: tuple[str, ...]
    min_count: int
    max_count: int


@dataclass(frozen=True)
class RestrictedPiece:
    """The piece whose placements redundancy restricts, and how many it has before and after.

    `complete`: no symmetric duplicates of solutions are found.
    """

    piece: str
    before: int
    after: int
    complete: bool


@dataclass(frozen=True)
class Effect:
    """How many of all placements a reduction would drop by itself; None: not tried, for size."""

    reduction: str
    dropped: int | None


@dataclass(frozen=True)
class PieceComplexity:
    """How many ways a piece can lie: `orientations`, and `placements` of them in the region.

    `complexity` is the number of placements that could cover one cell far from the frame: cells
    times orientations (Busche 2011, table 1).
    """

    piece: str
    count: int
    cells: int
    orientations: int
    complexity: int
    placements: int


@dataclass(frozen=True)
class ParityFacts:
    """The `parity` of the open cells, None where they have no colouring for it, and of the pieces.

    Without a colouring there are no `parities`.
    """

    parity: int | None
    parities: tuple[PieceClass, ...]


@dataclass(frozen=True)
class PackingFacts(ParityFacts):
    """What is there to say of a packing puzzle alone.

    `symmetry_breaking` is by the symmetry counted up to. `complexities` are those of the shapes;
    `count` is the maximum.
    """

    placements: int
    parts: tuple[Part, ...]
    volumes: tuple[PieceClass, ...]
    symmetry_breaking: dict[str, RestrictedPiece | None]
    effects: tuple[Effect, ...]
    impossible: str | None
    complexities: tuple[PieceComplexity, ...]


def packing_facts(options: PackingOptions) -> PackingFacts:
    """Return the facts of a packing puzzle."""
    placements = options.placements
    symmetry_breaking = {
        str(one): _restricted(options, one) for one in (Symmetry.UNIQUE, Symmetry.MIRROR)
    }
    sizes = {piece.name: len(piece.cells) for piece in options.puzzle.pieces}
    return PackingFacts(
        **vars(parity_facts(placements)),
        placements=len(placements),
        parts=tuple(region_parts(placements)),
        volumes=_classes(placements.shapes, [sizes[shape.name] for shape in placements.shapes]),
        symmetry_breaking=symmetry_breaking,
        effects=tuple(_effects(placements, symmetry_breaking[Symmetry.UNIQUE])),
        impossible=why_impossible(placements),
        complexities=tuple(_complexities(options)),
    )


def parity_facts(placements: Placements) -> ParityFacts:
    """Return the parities of a puzzle with these placements."""
    if placements.colours is None:
        return ParityFacts(None, ())
    shown = [max(map(abs, values), default=None) for values in shape_parities(placements)]
    return ParityFacts(int(placements.colours.sum()), _classes(placements.shapes, shown))


def sequence_count(complexities: Sequence[PieceComplexity]) -> int:
    """Return the number of sequences in which all pieces could each cover some cell.

    Pieces may overlap and lie outside the region: n! times the product of the complexities, for n
    pieces. It is the size of the search that backtracking avoids (Busche 2011, "Puzzle
    Complexity").
    """
    sequences = math.factorial(sum(one.count for one in complexities))
    for one in complexities:
        sequences *= one.complexity**one.count
    return sequences


def sequence_log10(complexities: Sequence[PieceComplexity]) -> float:
    """Return the decimal logarithm of `sequence_count`, which may have millions of digits."""
    pieces = sum(one.count for one in complexities)
    logs = (one.count * math.log10(one.complexity) for one in complexities)
    return math.lgamma(pieces + 1) / math.log(10) + sum(logs)


def _complexities(options: PackingOptions) -> Iterator[PieceComplexity]:
    """Yield one for each shape, in their order."""
    puzzle, placements = options.puzzle, options.placements
    pieces = {piece.name: piece for piece in puzzle.pieces}
    places = np.bincount(placements.shape, minlength=len(placements.shapes)).tolist()
    for shape, number in zip(placements.shapes, places, strict=True):
        piece = pieces[shape.name]
        orientations = len(piece.motions.orientations(puzzle.lattice, piece.cells))
        cells = len(piece.cells)
        yield PieceComplexity(
            shape.name, shape.max_count, cells, orientations, cells * orientations, number
        )


def _classes(shapes: Sequence[Shape], values: Sequence[int | None]) -> tuple[PieceClass, ...]:
    """The shapes by value, the largest first."""
    found = []
    for value in sorted(set(values), key=lambda value: -1 if value is None else value)[::-1]:
        members = [shape for shape, its in zip(shapes, values, strict=True) if its == value]
        names = tuple(shape.name for shape in members)
        min_count, max_count = (
            sum(one.min_count for one in members),
            sum(one.max_count for one in members),
        )
        found.append(PieceClass(value, names, min_count, max_count))
    return tuple(found)


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
