"""What can be said of a packing puzzle before any search: sums, parts, reductions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dovetail.models.impossibility.packing import why_impossible
from dovetail.models.options.packing import PackingOptions
from dovetail.models.parity import shape_parities
from dovetail.models.parts import Part, region_parts
from dovetail.models.placements import Placements, Shape
from dovetail.models.reductions.pipeline import filtered
from dovetail.models.reductions.redundancy import confine
from dovetail.models.request import Reduction, ReductionName, Symmetry

FILTERS = ("parity", "volume", "fit", "fit=fixed-point")
# A pass of the fit filter over 450,000 takes about 3 s, and its time grows faster than they do.
MOST_FOR_FIT = 1_000_000


@dataclass(frozen=True)
class PieceClass:
    """Pieces of the same `value`, used `least` to `most` times together; each shape's first name.

    The value is a parity without its sign, None for a piece without any placement, or a volume.
    """

    value: int | None
    names: tuple[str, ...]
    least: int
    most: int


@dataclass(frozen=True)
class Confined:
    """The piece that redundancy would confine, and how many placements it has and keeps.

    `complete`: no solution is then found that is another one turned.
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
class PackingFacts:
    """What is there to say of a packing puzzle alone.

    `parity` is that of the open cells, None where they have no colouring for it; then there are
    no `parities` either. `confined` is by the symmetry counted up to.
    """

    placements: int
    parity: int | None
    parities: tuple[PieceClass, ...]
    parts: tuple[Part, ...]
    volumes: tuple[PieceClass, ...]
    confined: dict[str, Confined | None]
    effects: tuple[Effect, ...]
    impossible: str | None


def packing_facts(options: PackingOptions) -> PackingFacts:
    """Look at a packing puzzle from all sides."""
    placements = options.placements
    parity, parities = None, tuple[PieceClass, ...]()
    if placements.colours is not None:
        parity = int(placements.colours.sum())
        shown = [max(map(abs, values), default=None) for values in shape_parities(placements)]
        parities = _classes(placements.shapes, shown)
    confined = {str(one): _confined(options, one) for one in (Symmetry.UNIQUE, Symmetry.MIRROR)}
    sizes = {piece.name: len(piece.cells) for piece in options.puzzle.pieces}
    return PackingFacts(
        placements=len(placements),
        parity=parity,
        parities=parities,
        parts=tuple(region_parts(placements)),
        volumes=_classes(placements.shapes, [sizes[shape.name] for shape in placements.shapes]),
        confined=confined,
        effects=tuple(_effects(placements, confined[Symmetry.UNIQUE])),
        impossible=why_impossible(placements),
    )


def _classes(shapes: Sequence[Shape], values: Sequence[int | None]) -> tuple[PieceClass, ...]:
    """The shapes by value, the largest first."""
    found = []
    for value in sorted(set(values), key=lambda value: -1 if value is None else value)[::-1]:
        members = [shape for shape, its in zip(shapes, values, strict=True) if its == value]
        names = tuple(shape.name for shape in members)
        least, most = sum(one.least for one in members), sum(one.most for one in members)
        found.append(PieceClass(value, names, least, most))
    return tuple(found)


def _confined(options: PackingOptions, symmetry: Symmetry) -> Confined | None:
    placements = options.placements
    confinement = confine(options.kinds, options.symmetries(symmetry))
    if confinement is None:
        return None
    before = int(np.count_nonzero(placements.shape == confinement.kind))
    piece = placements.shapes[confinement.kind].name
    return Confined(piece, before, confinement.places, confinement.complete)


def _effects(placements: Placements, confined: Confined | None) -> Iterator[Effect]:
    dropped = 0 if confined is None else confined.before - confined.after
    yield Effect(str(ReductionName.REDUNDANCY), dropped)
    for reduction in map(Reduction.parse, FILTERS):
        if reduction.name == ReductionName.PARITY and placements.colours is None:
            continue
        if reduction.name == ReductionName.FIT and len(placements) > MOST_FOR_FIT:
            yield Effect(str(reduction), None)
        else:
            kept = filtered(placements, reduction)
            yield Effect(str(reduction), int(np.count_nonzero(~kept)))
