"""A packing puzzle explained: parity, volume, symmetry breaking and other reductions."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.harness.explanation.packing import (
    MAX_FOR_FIT,
    PackingFacts,
    PieceClass,
    RestrictedPiece,
)
from dovetail.models.parts import Part
from dovetail.models.request import Symmetry
from dovetail.reports.explain.rows import row, verdict
from dovetail.reports.numbers import how_many, show_whole


def packing_rows(facts: PackingFacts) -> Iterator[str]:
    """Yield the rows before the symmetries."""
    yield from verdict(facts.impossible, "parity or volumes")
    yield from _sums(facts)


def reduction_rows(facts: PackingFacts) -> Iterator[str]:
    """Yield the rows after the symmetries."""
    yield from _symmetry_breaking_rows(facts.symmetry_breaking)
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
    number = show_whole(one.max_count)
    if one.min_count != one.max_count:
        number = f"{show_whole(one.min_count)} to {number}"
    noun = "piece" if one.max_count == 1 else "pieces"
    return f"{number} {noun}" if alone else f"{number} {noun}: {' '.join(one.names)}"


def _parts(parts: tuple[Part, ...]) -> str:
    """How many cells hang together."""
    volumes = " + ".join(show_whole(part.volume) for part in parts)
    cells = how_many(sum(part.volume for part in parts), "cell")
    text = f"{cells} in one part" if len(parts) == 1 else f"{len(parts)} parts, {volumes} cells"
    empty = sum(part.empty for part in parts)
    return f"{text}, of which {show_whole(empty)} may stay empty" if empty else text


def _symmetry_breaking_rows(symmetry_breaking: dict[str, RestrictedPiece | None]) -> Iterator[str]:
    """Yield the piece that redundancy restricts; once where it is the same for every symmetry."""
    same = len(set(symmetry_breaking.values())) == 1
    for name, one in symmetry_breaking.items():
        if not (same and name == Symmetry.MIRROR):
            yield from row(
                "  redundancy" if same else f"  for {name}", _symmetry_breaking_text(one)
            )


def _symmetry_breaking_text(symmetry_breaking: RestrictedPiece | None) -> str:
    if symmetry_breaking is None:
        return "no piece is used exactly once, so none can break the symmetry"
    text = (
        f"restricts {symmetry_breaking.piece} from {show_whole(symmetry_breaking.before)} "
        f"placements to {show_whole(symmetry_breaking.after)}"
    )
    if symmetry_breaking.complete:
        return f"{text}; no symmetric solutions are left"
    return f"{text}; some symmetric solutions are left"


def _effects(facts: PackingFacts) -> Iterator[str]:
    for effect in facts.effects:
        text = f"not tried: more than {MAX_FOR_FIT:,} placements"
        if effect.dropped is not None:
            share = effect.dropped / max(facts.placements, 1)
            text = f"{show_whole(effect.dropped):>7}  {share:6.1%}"
        yield from row(f"  {effect.reduction}", text)
