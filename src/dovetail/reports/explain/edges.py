"""An edge-matching puzzle explained: tiles, hints, and the colours of its edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dovetail.harness.explanation.edges import MAX_EXACT, EdgeFacts, PlaceColours
from dovetail.models.frame import Place
from dovetail.reports.explain.rows import TIED, row, verdict
from dovetail.reports.numbers import how_many, show_whole

MAX_SHOWN = 24  # colours, tiles or hints of one row

LABELS = {Place.AT_FRAME: "  at the frame", Place.AWAY: "  away from it"}


def edge_rows(facts: EdgeFacts) -> Iterator[str]:
    """Yield the rows on the tiles and on all that is given with them."""
    yield from verdict(facts.impossible, "tiles, colours or hints")
    yield from row("tiles", _tile_classes(facts))
    yield from row("  identical", _identical(facts))
    yield from row("  turned alike", _turned_alike(facts))
    yield from row("hints", _hints(facts))
    yield from row("colours", f"of {'signed ' if facts.signed else ''}edges, by where they end")
    for place in facts.places:
        yield from row(LABELS[Place(place.place)], _colours(place))


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
    return f"{texts}; each board is {times} labelled {'one' if factor == 1 else 'ones'}"


def _turned_alike(facts: EdgeFacts) -> str:
    turns = {"a half turn": facts.half_turns, "every turn": facts.every_turn}
    texts = [
        f"{show_whole(len(tiles))} after {turn} ({_some(list(map(str, tiles)), ', ')})"
        for turn, tiles in turns.items()
        if tiles
    ]
    return "; ".join(texts) or "none"


def _hints(facts: EdgeFacts) -> str:
    texts = [f"tile {h.tile} turned {h.rotation} at ({h.x}, {h.y})" for h in facts.hints]
    return _some(texts, "; ") or "none"


def _colours(place: PlaceColours) -> str:
    """The edges, and how many sides show each colour."""
    edges = how_many(place.edges, "edge")
    if not place.colours:
        return edges
    texts = [f"{colour}{TIED}on{TIED}{show_whole(sides)}" for colour, sides in place.colours]
    texts[0] += " side" if place.colours[0][1] == 1 else " sides"
    return f"{edges}: {_some(texts, ', ')}"


def _some(texts: Sequence[str], between: str) -> str:
    """Return the first of several texts, and how many more there are."""
    more = len(texts) - MAX_SHOWN
    return between.join(texts[:MAX_SHOWN]) + (f" and {show_whole(more)} more" if more > 0 else "")
