"""Features of puzzles that may tell which solver is fastest, as records have them."""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.harness.records.families import family_of
from dovetail.harness.records.summary import JobResult

CELLS, PIECES, OPTIONS_PER_ITEM, SOLUTIONS = "cells", "pieces", "options per item", "solutions"
LARGEST = 1e38  # trees compare numbers of 32 bits
Features = dict[str, float]


def features(answers: Sequence[JobResult]) -> Features:
    """What is known of a puzzle from the `answers` to one question, at least one.

    A tile of a board is a piece, and has a cell. The items are those of an exact cover: pieces and
    cells. Options are those before any reduction. The number of solutions is known where a search
    was finished. A family of puzzles is a feature that is 1 for its puzzles and missing for others.
    """
    size = {what: number for answer in answers for what, number in answer.size.items()}
    tiles = size.get("tiles")
    pieces, cells = size.get("pieces", tiles), size.get("cells", tiles)
    items = size.get("items") if pieces is None or cells is None else pieces + cells
    options = next((a.placements["before"] for a in answers if "before" in a.placements), None)
    solutions = next((a.exact_count for a in answers if a.exact_count is not None), None)
    known = {
        CELLS: cells,
        PIECES: pieces,
        OPTIONS_PER_ITEM: options / items if options is not None and items else None,
        SOLUTIONS: solutions,
    }
    found = {name: float(min(value, LARGEST)) for name, value in known.items() if value is not None}
    return {**found, family_of(answers): 1.0}
