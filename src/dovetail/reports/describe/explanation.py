"""A puzzle explained as text: rows of a label and a text, within 80 columns."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from textwrap import TextWrapper
from typing import NamedTuple

from dovetail.errors import how_many, list_first
from dovetail.harness.explanation import (
    MAX_EXACT,
    MAX_FOR_FIT,
    EdgeFacts,
    Explanation,
    PackingFacts,
    ParityFacts,
    PieceClass,
    PieceComplexity,
    RestrictedPiece,
    sequence_count,
    sequence_log10,
)
from dovetail.harness.run.result import Disassembled
from dovetail.models.boards.edges import Place
from dovetail.models.outcome import Status
from dovetail.models.request import Symmetry
from dovetail.models.sub_problem import Part
from dovetail.reports.describe.disassembly import totals_rows
from dovetail.reports.numbers import show_rounded, show_whole
from dovetail.reports.table import Column, Table, table_lines

WIDTH, INDENT = 80, 18
TIED = "\N{NO-BREAK SPACE}"
# Maximum number of digits of a number that is shown in full.
MAX_DIGITS = 45
# Maximum number of colours, tiles or hints in a row.
MAX_SHOWN = 24
# Smallest expected number that is shown with an exponent.
MAX_IN_WORDS = 1e12
PLACES = {Place.AT_FRAME: "  along border", Place.AWAY: "  other"}
PIECE_COLUMNS = [
    Column[PieceComplexity](name, attrgetter(name), words=name == "piece")
    for name in ("piece", "count", "cells", "orientations", "complexity", "placements")
]


class Row(NamedTuple):
    """A label and its text, or the heading of a section."""

    label: str
    # Empty for a heading.
    text: str = ""
    # Name of the section below a heading; empty for other rows.
    key: str = ""

    def lines(self) -> list[str]:
        """Return the row as wrapped lines that do not break at `TIED` spaces."""
        if not self.text:
            return [self.label]
        wrapper = TextWrapper(WIDTH, f"{self.label:{INDENT}}", " " * INDENT)
        wrapper.break_on_hyphens = False
        return [line.replace(TIED, " ") for line in wrapper.wrap(self.text)]


def explain_puzzle(explained: Explanation, *, orientations: bool = False) -> str:
    """Return the explanation of a puzzle as text.

    With `orientations`, the text for a packing puzzle has a table of the pieces and the number of
    ordered placements of all pieces.
    """
    lines = [f"{explained.puzzle}: {sizes_text(explained.sizes)}"]
    lines += [line for row in content_rows(explained) for line in row.lines()]
    if orientations and explained.packing is not None:
        lines += _piece_lines(explained.packing.complexities)
    lines += [line for row in solving_rows(explained) for line in row.lines()]
    return "\n".join(lines)


def sizes_text(sizes: Mapping[str, int]) -> str:
    """Return the sizes of a puzzle as text, such as `60 cells, 12 pieces`."""
    return ", ".join(how_many(count, what.removesuffix("s")) for what, count in sizes.items())


def content_rows(explained: Explanation) -> Iterator[Row]:
    """Yield the digest and the contents of the puzzle, and whether these exclude a solution."""
    yield Row("digest", explained.digest)
    if explained.packing is not None:
        yield from packing_rows(explained.packing)
    if explained.disassembled is not None:
        yield from _taken_apart(explained.disassembled, str(explained.searched))
    if explained.edges is not None:
        yield from _edge_rows(explained.edges)


def solving_rows(explained: Explanation) -> Iterator[Row]:
    """Yield the symmetries, the placements that reductions remove, and the support of backends."""
    numbers = (f"{name} {number}" for name, number in explained.symmetries.items())
    yield Row("symmetries", ", ".join(numbers))
    if explained.packing is not None:
        yield from _reduction_rows(explained.packing)
    yield Row("backends, with their defaults", key="backends")
    for support in explained.backends:
        text = "accepts it" if support.refusal is None else f"refuses: {support.refusal}"
        text = text if support.missing is None else f"not installed: {support.missing}"
        yield Row(f"  {support.backend}", text)


def packing_rows(facts: PackingFacts) -> Iterator[Row]:
    """Yield the parities and volumes of a packing puzzle, and whether they exclude a solution."""
    yield _solvable(facts.impossible, "parity or volumes")
    yield from parity_rows(facts)
    yield Row("volume", _region_parts(facts.parts))
    for pieces in facts.volumes:
        label = f"  {how_many(pieces.value or 0, 'cell')}"
        yield Row(label, _pieces(pieces, facts.volumes))


def _taken_apart(found: Disassembled, searched: str) -> Iterator[Row]:
    (_, summary), *rows = totals_rows(found)
    more = "" if searched == Status.EXHAUSTED else f"; there may be more ({searched})"
    yield Row("assemblies", summary + more)
    yield Row("  holes", show_whole(found.holes))
    yield from (Row(f"  {label}", text) for label, text in rows)


def parity_rows(facts: ParityFacts) -> Iterator[Row]:
    """Yield the parity of the region and of the pieces."""
    text = "none: two colours cannot distinguish all neighbouring cells"
    if facts.parity is not None:
        text = f"of the region {facts.parity}".replace("-", "−")
    yield Row("parity", text)
    for pieces in facts.parities:
        value = f"±{pieces.value}" if pieces.value else "0"
        label = "no placement" if pieces.value is None else value
        yield Row(f"  {label}", _pieces(pieces, facts.parities))


def _solvable(impossible: str | None, tests: str) -> Row:
    return Row("solvable", f"no: {impossible}" if impossible else f"not ruled out by {tests}")


def _pieces(pieces: PieceClass, classes: Sequence[PieceClass]) -> str:
    """Return the number of pieces of a class, with their names if there are other classes."""
    number = show_whole(pieces.max_count)
    if pieces.min_count != pieces.max_count:
        number = f"{show_whole(pieces.min_count)} to {number}"
    names = f": {' '.join(pieces.names)}" if len(classes) > 1 else ""
    return f"{number} {'piece' if pieces.max_count == 1 else 'pieces'}{names}"


def _region_parts(parts: Sequence[Part]) -> str:
    cells = how_many(sum(part.volume for part in parts), "cell")
    text = f"{cells} in one part"
    if len(parts) != 1:
        volumes = " + ".join(show_whole(part.volume) for part in parts)
        text = f"{len(parts)} parts, {volumes} cells"
    empty = sum(part.empty for part in parts)
    return f"{text}, of which {show_whole(empty)} may stay empty" if empty else text


def _piece_lines(pieces: Sequence[PieceComplexity]) -> Iterator[str]:
    """Yield a table of the pieces, and the number of ordered placements of all pieces."""
    yield from table_lines(Table(PIECE_COLUMNS, pieces))
    digits = sequence_log10(pieces)
    power = math.floor(digits - math.log10(0.9995))  # 9.995 would be shown as 10.00
    text = f"about {10 ** (digits - power):.2f}·10^{power:,}"
    if digits < MAX_DIGITS:
        exact = show_whole(sequence_count(pieces))
        text = f"{exact} ({text})" if power > 5 else exact
    number = how_many(sum(piece.count for piece in pieces), "piece")
    yield from Row("sequences", f"{text} ordered placements of {number}, overlaps allowed").lines()


def _reduction_rows(facts: PackingFacts) -> Iterator[Row]:
    """Yield the piece that redundancy restricts, and the placements that reductions remove."""
    same = len(set(facts.symmetry_breaking.values())) == 1
    for name, piece in facts.symmetry_breaking.items():
        if not (same and name == Symmetry.MIRROR):
            yield Row("  redundancy" if same else f"  for {name}", _restriction(piece))
    yield Row("placements that each reduction alone removes", key="reductions")
    for effect in facts.effects:
        text = f"not tried: more than {MAX_FOR_FIT:,} placements"
        if effect.dropped is not None:
            share = effect.dropped / max(facts.placements, 1)
            text = f"{show_whole(effect.dropped):>7}  {share:6.1%}"
        yield Row(f"  {effect.reduction}", text)


def _restriction(piece: RestrictedPiece | None) -> str:
    if piece is None:
        return "no piece is used exactly once, so images of solutions are compared"
    return (
        f"reduces the placements of {piece.piece} from {show_whole(piece.before)} to "
        f"{show_whole(piece.after)}; {'no' if piece.complete else 'some'} symmetric duplicates "
        "remain"
    )


def _edge_rows(facts: EdgeFacts) -> Iterator[Row]:
    """Yield whether a solution is excluded, then the tiles, hints, colours and expected figures."""
    yield _solvable(facts.impossible, "tiles, colours or hints")
    kinds = []
    for kind in facts.kinds:
        cells = "" if kind.tiles == kind.cells else f" (for {show_whole(kind.cells)} cells)"
        kinds.append(f"{show_whole(kind.tiles)} {kind.kind}{cells}")
    yield Row("tiles", ", ".join(kinds))
    yield Row("  identical", _identical(facts))
    turns = {"by a half turn": facts.half_turns, "by any turn": facts.every_turn}
    unchanged = [
        f"{show_whole(len(tiles))} {turn} ({list_first(list(map(str, tiles)), MAX_SHOWN)})"
        for turn, tiles in turns.items()
        if tiles
    ]
    yield Row("  unchanged", "; ".join(unchanged) or "none")
    hints = [f"tile {h.tile} with rotation {h.rotation} at ({h.x}, {h.y})" for h in facts.hints]
    yield Row("hints", list_first(hints, MAX_SHOWN, "; ") or "none")
    if facts.places:
        yield Row("colours", f"of {'signed ' if facts.signed else ''}edges, by position")
    for place in facts.places:
        sides = [f"{colour}{TIED}on{TIED}{show_whole(number)}" for colour, number in place.colours]
        if sides:
            sides[0] += " side" if place.colours[0][1] == 1 else " sides"
        colours = f": {list_first(sides, MAX_SHOWN)}" if sides else ""
        yield Row(PLACES[Place(place.place)], f"{how_many(place.edges, 'edge')}{colours}")
    yield Row("expected", _expected(facts))


def _identical(facts: EdgeFacts) -> str:
    """Return the number of types of identical tiles, and the factor of labelled counts."""
    if not facts.identical:
        return "none"
    types = Counter(len(tiles.tiles) for tiles in facts.identical)
    texts = ", ".join(
        f"{show_whole(number)} {'type' if number == 1 else 'types'} of {show_whole(copies)} tiles"
        for copies, number in sorted(types.items())
    )
    factor = facts.labelled_factor
    times = f"more than {show_whole(MAX_EXACT)}" if factor is None else show_whole(factor)
    return f"{texts}; labelled solutions per solution: {times}"


def _expected(facts: EdgeFacts) -> str:
    """Return the solutions and nodes that Owen's model expects, or why there are no figures."""
    expected = facts.expected
    if facts.impossible is not None:
        return "none: it has no solution"
    if expected is None:
        return "unknown: the model does not describe this board"
    solutions, nodes = (
        show_rounded(number) if number < MAX_IN_WORDS else f"{number:.1e}"
        for number in (expected.solutions, expected.nodes)
    )
    return (
        f"{solutions} solutions with tiles labelled, in all turns; {nodes} nodes of rows, order "
        f"{expected.order} (Owen's model)"
    )
