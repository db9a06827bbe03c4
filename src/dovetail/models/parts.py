"""The connected parts of a region, without a compiled kernel: for looking at a puzzle once."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.models.placements import Placements


@dataclass(frozen=True)
class Part:
    """Open cells that hang together by their neighbours; `empty` of them may stay empty."""

    volume: int
    empty: int


def region_parts(placements: Placements) -> list[Part]:
    """The parts of the open cells, ordered by their first cell."""
    neighbours, optional = placements.neighbours.tolist(), placements.optional.tolist()
    unseen = set(range(placements.cell_count))
    parts = []
    for seed in range(placements.cell_count):
        if seed not in unseen:
            continue
        unseen.discard(seed)
        found = [seed]
        for cell in found:  # grows while it is walked
            near = unseen.intersection(neighbours[cell])
            unseen -= near
            found += near
        parts.append(Part(len(found), sum(optional[cell] for cell in found)))
    return parts
