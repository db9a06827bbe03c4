"""A packing puzzle explained: parity, volume, what reductions confine and drop."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.harness.explanation.packing import (
    MOST_FOR_FIT,
    Confined,
    PackingFacts,
    PieceClass,
)
from dovetail.models.parts import Part
from dovetail.models.request import Symmetry
from dovetail.reports.explain.rows import row, verdict
from dovetail.reports.numbers import how_many, show_whole


def packing_rows(facts: PackingFacts) -> Iterator[str]:
    """What is said before the symmetries."""
    yield from verdict(facts.impossible, "parity or volumes")
    yield from _sums(facts)


def reduction_rows(facts: PackingFacts) -> Iterator[str]:
    """What is said after them."""
    yield from _confinements(facts.confined)
    yield "what each reduction drops by itself"
    yield from _effects(facts)


def _sums(facts: PackingFacts) -> Iterator[str]:
    if facts.parity is None:
        yield from row("parity", "none: neighbouring cells cannot all have different colours")
    else:
        yield from row("parity", "of the region " + f"{facts.parity}".replace("-", "−"))
    for one in facts.parities:
        shown = "no placement" if one.value is None else f"±{one.value}" if one.value else "0"
        yield from row(f"  {shown}", _pieces(one, alone=len(facts.parities) == 1))
    yield from row("volume", _parts(facts.parts))
    for one in facts.volumes:
        yield from row(
            f"  {how_many(one.value or 0, 'cell')}", _pieces(one, alone=len(facts.volumes) == 1)
        )


def _pieces(one: PieceClass, *, alone: bool) -> str:
    """How many, and which unless they are all there are."""
    number = show_whole(one.most)
    if one.least != one.most:
        number = f"{show_whole(one.least)} to {number}"
    noun = "piece" if one.most == 1 else "pieces"
    return f"{number} {noun}" if alone else f"{number} {noun}: {' '.join(one.names)}"


def _parts(parts: tuple[Part, ...]) -> str:
    """How many cells hang together."""
    volumes = " + ".join(show_whole(part.volume) for part in parts)
    cells = how_many(sum(part.volume for part in parts), "cell")
    said = f"{cells} in one part" if len(parts) == 1 else f"{len(parts)} parts, {volumes} cells"
    empty = sum(part.empty for part in parts)
    return f"{said}, of which {show_whole(empty)} may stay empty" if empty else said


def _confinements(confined: dict[str, Confined | None]) -> Iterator[str]:
    """What redundancy confines; once where it is the same for every symmetry."""
    same = len(set(confined.values())) == 1
    for name, one in confined.items():
        if not (same and name == Symmetry.MIRROR):
            yield from row("  redundancy" if same else f"  for {name}", _confinement(one))


def _confinement(confined: Confined | None) -> str:
    if confined is None:
        return "no piece is used exactly once, so that none can be confined"
    said = (
        f"confines {confined.piece} from {show_whole(confined.before)} placements to "
        f"{show_whole(confined.after)}"
    )
    if confined.complete:
        return f"{said}; no symmetric solutions are left"
    return f"{said}; some symmetric solutions are left"


def _effects(facts: PackingFacts) -> Iterator[str]:
    for effect in facts.effects:
        said = f"not tried: more than {MOST_FOR_FIT:,} placements"
        if effect.dropped is not None:
            share = effect.dropped / max(facts.placements, 1)
            said = f"{show_whole(effect.dropped):>7}  {share:6.1%}"
        yield from row(f"  {effect.reduction}", said)
