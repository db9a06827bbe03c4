"""The connected parts of a region, computed without a compiled kernel."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.models.placements import Placements


@dataclass(frozen=True)
class Part:
    """A connected part of the open cells."""

    volume: int
    empty: int
    """Number of its cells that may stay empty."""


def region_parts(placements: Placements) -> list[Part]:
    """Return the connected parts of the open cells, ordered by their first cell."""
    neighbours, optional = placements.neighbours.tolist(), placements.optional.tolist()
    unseen = set(range(placements.cell_count))
    parts = []
    for seed in range(placements.cell_count):
        if seed not in unseen:
            continue
        unseen.discard(seed)
        found = [seed]
        for cell in found:  # grows during the loop
            near = unseen.intersection(neighbours[cell])
            unseen -= near
            found += near
        parts.append(Part(len(found), sum(optional[cell] for cell in found)))
    return parts
