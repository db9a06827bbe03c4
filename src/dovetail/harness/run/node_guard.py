"""When a search is given up because it needs more nodes than were expected."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NodeGuard:
    """A search is given up after `max_nodes` for a rival that takes as long as `rival_nodes` of it.

    It goes on while its progress says that fewer nodes than these are left.
    """

    max_nodes: int
    rival_nodes: int

    def next_limit(self, nodes: int, share: float | None) -> int | None:
        """Return how many nodes it may make that has made so many and a share; None: no more."""
        if not share or nodes * (1 - share) > self.rival_nodes * share:
            return None
        return nodes + max(1, self.rival_nodes)
