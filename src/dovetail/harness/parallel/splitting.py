"""When a search is split into more sub-problems, and how.

First until there are many for each worker: node by node, the shallowest sub-problem first. Later a
sub-problem is cut where it stands if workers would have nothing to do. Source: J.-C. Régin,
M. Rezgui, A. Malapert, "Embarrassingly parallel search", CP 2013.
"""

from __future__ import annotations

from dovetail.harness.parallel.branches import branches_of, single_branches
from dovetail.harness.parallel.division import Division
from dovetail.harness.parallel.journal import StoredPart
from dovetail.harness.parallel.keys import WHOLE, part_key
from dovetail.harness.parallel.workers import Workers
from dovetail.harness.run.result import Result
from dovetail.models.sub_problem import SubProblem

PARTS_PER_WORKER = 30
# No more nodes than this are made one by one for each sub-problem wanted: a tree may hardly branch.
MAX_SINGLE_NODES = 4
# A tree that takes less is not worth dividing. Where nodes depend on the cuts, a number of nodes
# says so, so that they are the same each time.
SMALL_TREE_S, SMALL_TREE_NODES = 0.05, 2_000
# Sub-problems that should wait for each worker later.
RESERVE = 2
# How long workers search that cannot be asked for a cut: not long if fewer sub-problems than so
# many for each worker wait, for soon others will have nothing to do.
LONG_S, SHORT_S, ENOUGH_PARTS = 5.0, 0.5, 4
# Many workers search longer, so that no more than so many results come in a second.
MAX_RESULTS_PER_S = 100


class Splitter:
    """Decides for the sub-problems of one run on `workers`.

    The backend `learns` if its nodes depend on the cuts.
    """

    def __init__(self, workers: Workers, division: Division, *, learns: bool) -> None:
        self._workers, self._learns = workers, learns
        self._cuts = division == Division.CUT
        self._single_nodes = 0

    def splits_first(self, waiting: int, running: int, done: int) -> bool:
        """Return whether there are still too few sub-problems to search any in full."""
        wanted = PARTS_PER_WORKER * self._workers.count
        return (
            self._cuts
            and self._workers.count > 1
            and waiting + running < wanted
            and done < wanted
            and self._single_nodes < MAX_SINGLE_NODES * wanted
        )

    def next_limits(self, stored: StoredPart) -> tuple[int | None, float | None]:
        """Count one more single node, and return the nodes and seconds that show its branches.

        The whole search has more of them at first: it may be a small one.
        """
        self._single_nodes += 1
        if stored.key == WHOLE:
            return (SMALL_TREE_NODES, None) if self._learns else (None, SMALL_TREE_S)
        return 0 if stored.part.untried is None else 1, None

    def seconds(self, waiting: int) -> float | None:
        """Return how long a worker that cannot be asked for a cut may search before it cuts."""
        if self._workers.can_cut or not self._cuts:
            return None
        count = self._workers.count
        few = count > 1 and waiting < ENOUGH_PARTS * count
        return max(SHORT_S if few else LONG_S, count / MAX_RESULTS_PER_S)

    def children(self, stored: StoredPart, result: Result, wanted: int) -> list[StoredPart]:
        """Return the parts that a result has left, about `wanted` if their branches suffice.

        Those that branch first are divided first: they are the largest.
        """
        remaining = result.remaining or ()
        wanted -= len(remaining)
        divided: list[list[SubProblem]] = [[part] for part in remaining]
        for place in range(len(remaining) - 1, -1, -1):
            more = branches_of(remaining[place]) - 1
            if wanted > 0 and more:
                divided[place] = single_branches(remaining[place])
                wanted -= more
        children = (part for parts in divided for part in parts)
        return [
            StoredPart(part_key(stored.key, number), part) for number, part in enumerate(children)
        ]

    def parts_wanted(self, *, first: bool) -> int:
        """Return how many sub-problems should wait; `first`: before any is searched in full."""
        if self._workers.count == 1:
            return 0
        return (PARTS_PER_WORKER if first else RESERVE) * self._workers.count
