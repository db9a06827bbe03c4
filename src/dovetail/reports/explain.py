"""A puzzle explained, in text that fits 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import TextWrapper

from dovetail.harness.explanation import (
    MOST_FOR_FIT,
    Confined,
    Explanation,
    PackingFacts,
    PieceClass,
    Stand,
)
from dovetail.models.parts import Part
from dovetail.models.request import Symmetry
from dovetail.reports.numbers import show_whole

WIDTH, INDENT = 80, 18


def explain_puzzle(explained: Explanation) -> str:
    """What there is to say of a puzzle, aspect by aspect."""
    facts = explained.packing
    sizes = ", ".join(f"{show_whole(count)} {what}" for what, count in explained.sizes.items())
    lines = [f"{explained.puzzle}: {sizes}", *_row("digest", explained.digest)]
    if facts is not None:
        verdict = "not ruled out by parity or volumes"
        lines += _row("solvable", f"no: {facts.impossible}" if facts.impossible else verdict)
        lines += _sums(facts)
    numbers = (f"{name} {number}" for name, number in explained.symmetries.items())
    lines += _row("symmetries", ", ".join(numbers))
    if facts is not None:
        lines += _confinements(facts.confined)
        lines += ["what each reduction drops by itself", *_effects(facts)]
    lines += ["backends, with their defaults"]
    for stand in explained.backends:
        lines += _row(f"  {stand.backend}", _said(stand))
    return "\n".join(lines)


def _sums(facts: PackingFacts) -> Iterator[str]:
    yield from _row("parity", "of the region " + f"{facts.parity}".replace("-", "−"))
    for one in facts.parities:
        shown = "no placement" if one.value is None else f"±{one.value}" if one.value else "0"
        yield from _row(f"  {shown}", _pieces(one, alone=len(facts.parities) == 1))
    yield from _row("volume", _parts(facts.parts))
    for one in facts.volumes:
        yield from _row(f"  {_cells(one.value or 0)}", _pieces(one, alone=len(facts.volumes) == 1))


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
    cells = _cells(sum(part.volume for part in parts))
    said = f"{cells} in one part" if len(parts) == 1 else f"{len(parts)} parts, {volumes} cells"
    empty = sum(part.empty for part in parts)
    return f"{said}, of which {show_whole(empty)} may stay empty" if empty else said


def _confinements(confined: dict[str, Confined | None]) -> Iterator[str]:
    """What redundancy confines; once where it is the same for every symmetry."""
    same = len(set(confined.values())) == 1
    for name, one in confined.items():
        if not (same and name == Symmetry.MIRROR):
            yield from _row("  redundancy" if same else f"  for {name}", _confinement(one))


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
        yield from _row(f"  {effect.reduction}", said)


def _said(stand: Stand) -> str:
    if stand.missing is not None:
        return f"not installed: {stand.missing}"
    return "takes it" if stand.refusal is None else f"refuses: {stand.refusal}"


def _cells(count: int) -> str:
    return f"{show_whole(count)} cell{'' if count == 1 else 's'}"


def _row(label: str, text: str) -> list[str]:
    """A label and what is said beside it, wrapped."""
    wrapper = TextWrapper(
        width=WIDTH,
        initial_indent=f"{label:{INDENT}}",
        subsequent_indent=" " * INDENT,
        drop_whitespace=True,
        break_on_hyphens=False,
    )
    return wrapper.wrap(text)
