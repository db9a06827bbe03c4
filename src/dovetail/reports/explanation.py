"""A puzzle explained as text: rows of a label and what goes with it, within 80 columns."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from textwrap import TextWrapper
from typing import NamedTuple

from dovetail.errors import how_many
from dovetail.harness.explanation import (
    MAX_EXACT,
    MAX_FOR_FIT,
    BackendSupport,
    EdgeFacts,
    Explanation,
    PackingFacts,
    ParityFacts,
    PieceClass,
    PlaceColours,
    RestrictedPiece,
    sequence_count,
    sequence_log10,
)
from dovetail.models.frame import Place
from dovetail.models.parts import Part
from dovetail.models.request import Symmetry
from dovetail.reports.numbers import show_rounded, show_whole

WIDTH, INDENT = 80, 18
TIED = "\N{NO-BREAK SPACE}"
MAX_DIGITS = 45  # of a number in full
MAX_SHOWN = 24  # colours, tiles or hints of one row
MAX_IN_WORDS = 1e12  # of a number expected; beyond, it has an exponent
LABELS = {Place.AT_FRAME: "  along border", Place.AWAY: "  other"}


class Row(NamedTuple):
    """A label and the text beside it; without a text it is the heading of the rows below it.

    A heading has a `key`, which names the section whatever its words are.
    """

    label: str
    text: str = ""
    key: str = ""

    def lines(self) -> list[str]:
        """The row, wrapped; no line ends at a `TIED` blank."""
        if not self.text:
            return [self.label]
        wrapper = TextWrapper(
            width=WIDTH,
            initial_indent=f"{self.label:{INDENT}}",
            subsequent_indent=" " * INDENT,
            drop_whitespace=True,
            break_on_hyphens=False,
        )
        return [line.replace(TIED, " ") for line in wrapper.wrap(self.text)]


def explain_puzzle(explained: Explanation, *, orientations: bool = False) -> str:
    """Return the explanation of a puzzle as text, aspect by aspect.

    With `orientations`, a packing puzzle has a table of its pieces.
    """
    lines = [f"{explained.puzzle}: {sizes_text(explained.sizes)}"]
    lines += _all_lines(content_rows(explained))
    if orientations and explained.packing is not None:
        lines += complexity_lines(explained.packing)
    return "\n".join([*lines, *_all_lines(solving_rows(explained))])


def sizes_text(sizes: Mapping[str, int]) -> str:
    """How many cells and pieces, tiles or items there are."""
    return ", ".join(how_many(count, what.removesuffix("s")) for what, count in sizes.items())


def content_rows(explained: Explanation) -> Iterator[Row]:
    """Yield what the puzzle consists of, and whether that rules a solution out."""
    yield Row("digest", explained.digest)
    if explained.packing is not None:
        yield from packing_rows(explained.packing)
    if explained.edges is not None:
        yield from edge_rows(explained.edges)


def solving_rows(explained: Explanation) -> Iterator[Row]:
    """Yield the symmetries, what reductions remove, and which backends accept the puzzle."""
    numbers = (f"{name} {number}" for name, number in explained.symmetries.items())
    yield Row("symmetries", ", ".join(numbers))
    if explained.packing is not None:
        yield from reduction_rows(explained.packing)
    yield Row("backends, with their defaults", key="backends")
    for support in explained.backends:
        yield Row(f"  {support.backend}", _support_text(support))


def _all_lines(rows: Iterable[Row]) -> Iterator[str]:
    return (line for row in rows for line in row.lines())


def _support_text(support: BackendSupport) -> str:
    if support.missing is not None:
        return f"not installed: {support.missing}"
    return "accepts it" if support.refusal is None else f"refuses: {support.refusal}"


def verdict(impossible: str | None, tests: str) -> Row:
    """Why a puzzle has no solution, or that `tests` do not rule it out."""
    return Row("solvable", f"no: {impossible}" if impossible else f"not ruled out by {tests}")


def packing_rows(facts: PackingFacts) -> Iterator[Row]:
    """Yield the rows before the symmetries."""
    yield verdict(facts.impossible, "parity or volumes")
    yield from parity_rows(facts)
    yield from _volume_rows(facts)


def complexity_lines(facts: PackingFacts) -> Iterator[str]:
    """Yield a table of the pieces, and how many sequences of all of them there are."""
    columns = ("piece", "count", "cells", "orientations", "complexity", "placements")
    figures = attrgetter("count", "cells", "orientations", "complexity", "placements")
    rows = [(one.piece, *map(show_whole, figures(one))) for one in facts.complexities]
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    for cells in (columns, *rows):
        first, *numbers = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        yield "  ".join([f"  {first.strip():{widths[0]}}", *numbers])
    yield from Row("sequences", _sequences(facts)).lines()


def _sequences(facts: PackingFacts) -> str:
    """How many sequences of all pieces there are: exactly, and as a power of ten."""
    digits = sequence_log10(facts.complexities)
    pieces = how_many(sum(one.count for one in facts.complexities), "piece")
    power = math.floor(digits)
    rounded = f"about {10 ** (digits - power):.2f}·10^{power:,}"
    text = rounded
    if digits < MAX_DIGITS:
        exact = show_whole(sequence_count(facts.complexities))
        text = f"{exact} ({rounded})" if power > 5 else exact
    return f"{text} ordered placements of {pieces}, overlaps allowed"


def reduction_rows(facts: PackingFacts) -> Iterator[Row]:
    """Yield the rows after the symmetries."""
    yield from _symmetry_breaking_rows(facts.symmetry_breaking)
    yield Row("placements that each reduction alone removes", key="reductions")
    yield from _effects(facts)


def parity_rows(facts: ParityFacts) -> Iterator[Row]:
    """Yield the parity of the region, and of the pieces."""
    if facts.parity is None:
        yield Row("parity", "none: two colours cannot distinguish all neighbouring cells")
    else:
        yield Row("parity", "of the region " + f"{facts.parity}".replace("-", "−"))
    for one in facts.parities:
        shown = "no placement" if one.value is None else f"±{one.value}" if one.value else "0"
        yield Row(f"  {shown}", _pieces(one, alone=len(facts.parities) == 1))


def _volume_rows(facts: PackingFacts) -> Iterator[Row]:
    yield Row("volume", _parts(facts.parts))
    for one in facts.volumes:
        yield Row(
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


def _symmetry_breaking_rows(symmetry_breaking: dict[str, RestrictedPiece | None]) -> Iterator[Row]:
    """Yield the piece that redundancy restricts; once where it is the same for every symmetry."""
    same = len(set(symmetry_breaking.values())) == 1
    for name, one in symmetry_breaking.items():
        if not (same and name == Symmetry.MIRROR):
            yield Row("  redundancy" if same else f"  for {name}", _symmetry_breaking_text(one))


def _symmetry_breaking_text(symmetry_breaking: RestrictedPiece | None) -> str:
    if symmetry_breaking is None:
        return "no piece is used exactly once, so no piece can break the symmetry"
    text = (
        f"reduces the placements of {symmetry_breaking.piece} from "
        f"{show_whole(symmetry_breaking.before)} to {show_whole(symmetry_breaking.after)}"
    )
    if symmetry_breaking.complete:
        return f"{text}; no symmetric duplicates remain"
    return f"{text}; some symmetric duplicates remain"


def _effects(facts: PackingFacts) -> Iterator[Row]:
    for effect in facts.effects:
        text = f"not tried: more than {MAX_FOR_FIT:,} placements"
        if effect.dropped is not None:
            share = effect.dropped / max(facts.placements, 1)
            text = f"{show_whole(effect.dropped):>7}  {share:6.1%}"
        yield Row(f"  {effect.reduction}", text)


def edge_rows(facts: EdgeFacts) -> Iterator[Row]:
    """Yield the rows on the tiles and on all that is given with them."""
    yield verdict(facts.impossible, "tiles, colours or hints")
    yield Row("tiles", _tile_classes(facts))
    yield Row("  identical", _identical(facts))
    yield Row("  unchanged", _turned_alike(facts))
    yield Row("hints", _hints(facts))
    yield Row("colours", f"of {'signed ' if facts.signed else ''}edges, by position")
    for place in facts.places:
        yield Row(LABELS[Place(place.place)], _colours(place))
    yield Row("expected", _expected(facts))


def _tile_classes(facts: EdgeFacts) -> str:
    """How many tiles there are of each kind, and how many cells where that differs."""
    return ", ".join(
        f"{show_whole(one.tiles)} {one.kind}"
        + ("" if one.tiles == one.cells else f" (for {show_whole(one.cells)} cells)")
        for one in facts.kinds
    )


def _identical(facts: EdgeFacts) -> str:
    """How many types have how many tiles, and what that does to labelled counts."""
    if not facts.identical:
        return "none"
    types = Counter(len(one.tiles) for one in facts.identical)
    texts = ", ".join(
        f"{show_whole(number)} {'type' if number == 1 else 'types'} of {show_whole(copies)} tiles"
        for copies, number in sorted(types.items())
    )
    factor = facts.labelled_factor
    times = f"more than {show_whole(MAX_EXACT)}" if factor is None else show_whole(factor)
    return f"{texts}; labelled solutions per solution: {times}"


def _turned_alike(facts: EdgeFacts) -> str:
    turns = {"by a half turn": facts.half_turns, "by any turn": facts.every_turn}
    texts = [
        f"{show_whole(len(tiles))} {turn} ({_some(list(map(str, tiles)), ', ')})"
        for turn, tiles in turns.items()
        if tiles
    ]
    return "; ".join(texts) or "none"


def _hints(facts: EdgeFacts) -> str:
    texts = [f"tile {h.tile} with rotation {h.rotation} at ({h.x}, {h.y})" for h in facts.hints]
    return _some(texts, "; ") or "none"


def _colours(place: PlaceColours) -> str:
    """The edges, and how many sides show each colour."""
    edges = how_many(place.edges, "edge")
    if not place.colours:
        return edges
    texts = [f"{colour}{TIED}on{TIED}{show_whole(sides)}" for colour, sides in place.colours]
    texts[0] += " side" if place.colours[0][1] == 1 else " sides"
    return f"{edges}: {_some(texts, ', ')}"


def _expected(facts: EdgeFacts) -> str:
    """The solutions and nodes that Owen's model expects."""
    expected = facts.expected
    if facts.impossible is not None:
        return "none: it has no solution"
    if expected is None:
        return "unknown: the model does not describe this board"
    solutions, nodes = (_show_expected(one) for one in (expected.solutions, expected.nodes))
    return (
        f"{solutions} solutions with tiles labelled, in all turns; {nodes} nodes of rows, order "
        f"{expected.order} (Owen's model)"
    )


def _show_expected(number: float) -> str:
    return show_rounded(number) if number < MAX_IN_WORDS else f"{number:.1e}"


def _some(texts: Sequence[str], between: str) -> str:
    """Return the first of several texts, and how many more there are."""
    more = len(texts) - MAX_SHOWN
    return between.join(texts[:MAX_SHOWN]) + (f" and {show_whole(more)} more" if more > 0 else "")
