"""Random descents in stretches: what `relay` is to searches, for estimates of their trees.

A stretch dives from the positions that its predecessor has reached, each of which counts as
often as the branches before it say. The sum over the positions of one level is one estimate
more exactly than a descent from the root: the first levels, as many as have few enough nodes
(the *fan*), are gone through whole, and descents begin below each node of the last of them.
Stratified sampling, unbiased as Knuth's own estimator is.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import TreeEstimator
from dovetail.models.placements import Placements
from dovetail.models.sub_problem import NOTHING

MOST_BEGUN = 64  # of a stretch: sub-problems kept, since descents may meet again


@dataclass(frozen=True, eq=False)
class End:
    """Placements made, of the whole puzzle, where some descents have ended a stretch.

    `rows` are the estimates that the descents belong to, one each, and `weights` how often
    each counts. `left` is as of a `relay.StretchSearch`.
    """

    rows: NDArray[np.int64]
    weights: NDArray[np.float64]
    placed: NDArray[np.int64]
    left: NDArray[np.int32] | None

    @property
    def key(self) -> bytes:
        """The same for ends where the next stretch has the same tree."""
        left = b"" if self.left is None else self.left.tobytes()
        return np.sort(self.placed).tobytes() + b"|" + left


@dataclass(frozen=True, eq=False)
class Dived:
    """What descents through a stretch have met.

    `nodes` has a row per estimate and a column per placement of the stretch, the first first;
    `reached` is the number of ways to end the stretch by each estimate, and `ends` are those
    met, where the stretch is to be followed by another. `descents` is how many an estimate
    took, 0 for none, since all levels are in the fan, and `fan` what is left of it for an end: 0
    where it is below a descent.
    """

    nodes: NDArray[np.float64]
    reached: NDArray[np.float64]
    ends: Sequence[End]
    descents: int
    fan: int


class StretchDives(Protocol):
    """The descents of a stretch below some placements."""

    def dive(self, estimates: int, fan: int) -> Dived:
        """Make so many estimates, with at most `fan` nodes in the last level of the fan.

        With one node descents begin at the root; with 0 they have begun above, and go on there.
        """
        ...


@dataclass(frozen=True, eq=False)
class _Begun:
    """The dives of a sub-problem, and the placements among which its own are (None: all)."""

    dives: StretchDives
    left: NDArray[np.int32] | None


# As `relay.Begin`, with the state of the random stream behind.
BeginDives = Callable[
    [Placements, NDArray[np.int64], NDArray[np.int32] | None, NDArray[np.uint64]], StretchDives
]


class RelayDives(TreeEstimator):
    """Descents through stretches that hand over to one another; see `relay.RelaySearch`."""

    def __init__(
        self,
        placements: Placements,
        pieces: int,
        begins: Sequence[BeginDives],
        seed: int,
        fan: int,
    ) -> None:
        self._placements, self._pieces, self._begins = placements, pieces, begins
        self._fan = fan
        self._random = random_state(seed)
        self._begun: list[OrderedDict[bytes, _Begun]] = [OrderedDict() for _ in begins]
        self.probes = 0

    def levels(self, estimates: int) -> NDArray[np.float64]:
        start = End(np.arange(estimates), np.ones(estimates), NOTHING, None)
        rows = np.zeros((estimates, self._pieces + 1))
        if self._begins:
            self._dive(0, start, self._fan, rows)
        else:  # no piece, no cell: the one way to fill it
            rows[:, -1] = 1
        return rows

    def _dive(self, stretch: int, start: End, fan: int, rows: NDArray[np.float64]) -> None:
        """Dive from `start` on, and add what is met to `rows`."""
        begun = self._begin(stretch, start)
        dived = begun.dives.dive(len(start.rows), fan)
        made = len(start.placed)
        weights = start.weights[:, None]
        last = made + dived.nodes.shape[1]
        np.add.at(rows[:, made:last], start.rows, weights * dived.nodes)
        if fan > 0:  # else they are those of the stretches before
            self.probes += dived.descents * len(start.rows)
        if stretch + 1 == len(self._begins):
            np.add.at(rows[:, -1], start.rows, start.weights * dived.reached)
        for end in _united(dived.ends):
            own, weights_so_far = start.rows[end.rows], start.weights[end.rows]
            placed = np.concatenate([start.placed, end.placed])
            left = begun.left if end.left is None else end.left
            following = End(own, weights_so_far * end.weights, placed, left)
            self._dive(stretch + 1, following, dived.fan, rows)

    def _begin(self, stretch: int, start: End) -> _Begun:
        """The dives of a stretch from `start` on, begun or kept."""
        begun, key = self._begun[stretch], start.key
        if key not in begun:
            left = start.left
            if len(begun) == MOST_BEGUN:
                begun.popitem(last=False)
            begin = self._begins[stretch]
            dives = begin(self._placements, start.placed, left, self._random)
            begun[key] = _Begun(dives, left)
        begun.move_to_end(key)
        return begun[key]


def left_of_fan(fan: int, ends: int) -> int:
    """What is left of a fan for each of the ends of a stretch all of which is within it."""
    return max(1, fan // max(1, ends)) if fan > 0 else 0


def random_state(seed: int) -> NDArray[np.uint64]:
    """The state of a random stream as kernels take it."""
    return np.array([seed % 2**64], dtype=np.uint64)


def _united(ends: Sequence[End]) -> list[End]:
    """The same ends, those that the next stretch cannot tell apart as one."""
    alike: dict[bytes, list[End]] = {}
    for end in ends:
        alike.setdefault(end.key, []).append(end)
    return [
        End(
            np.concatenate([end.rows for end in group]),
            np.concatenate([end.weights for end in group]),
            group[0].placed,
            group[0].left,
        )
        for group in alike.values()
    ]
