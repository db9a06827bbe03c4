"""Random probes of hybrid searches: estimates of their trees (Knuth 1975), stratified.

A segment is probed from the positions that its predecessor has reached, each of which counts as
often as the branches before it say. The sum over the positions of one level is one estimate more
exactly than a descent from the root: the first levels, as many as have few enough nodes (the
*exhaustive prefix*), are searched whole, and descents begin below each node of the last of them.
Stratified sampling, unbiased as Knuth's own estimator is.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import TreeEstimator
from dovetail.backends.shared.hybrid import EngineSegment, segment_at
from dovetail.models.placements import Placements
from dovetail.models.remainder import NOTHING

MAX_BEGUN = 64  # of a segment: sub-problems kept, since descents may meet again


@dataclass(frozen=True, eq=False)
class End:
    """Placements made, of the whole puzzle, where some descents have ended a segment.

    `rows` are the estimates that the descents belong to, one each, and `weights` how often
    each counts. `left` is as of a `hybrid.SegmentSearch`.
    """

    rows: NDArray[np.int64]
    weights: NDArray[np.float64]
    placed: NDArray[np.int64]
    left: NDArray[np.int32] | None

    @property
    def key(self) -> bytes:
        """The same for ends where the next segment has the same tree."""
        left = b"" if self.left is None else self.left.tobytes()
        return np.sort(self.placed).tobytes() + b"|" + left


@dataclass(frozen=True, eq=False)
class SegmentEstimate:
    """What descents through a segment have met.

    `nodes` has a row per estimate and a column per placement that the segment may make, the first
    first;
    `reached` is the number of ways to end the segment by each estimate, and `ends` are those met,
    where the segment is to be followed by another. `descents` is how many an estimate took, 0 for
    none, since all levels are in the prefix, and `prefix_width` what is left of it for an end: 0
    where it is below a descent.
    """

    nodes: NDArray[np.float64]
    reached: NDArray[np.float64]
    ends: Sequence[End]
    descents: int
    prefix_width: int


class SegmentEstimator(Protocol):
    """The estimator of a segment below some placements."""

    def probe(self, estimates: int, prefix_width: int) -> SegmentEstimate:
        """Make so many estimates, with at most `prefix_width` nodes in the last prefix level.

        With one node the probes begin at the root; with 0 they go on from above.
        """
        ...


@dataclass(frozen=True, eq=False)
class _Begun:
    """The estimator of a sub-problem, and the placements among which its own are (None: all)."""

    estimator: SegmentEstimator
    left: NDArray[np.int32] | None


# As `hybrid.SegmentFactory`, with the state of the random stream behind.
EstimatorFactory = Callable[
    [Placements, NDArray[np.int64], NDArray[np.int32] | None, NDArray[np.uint64]], SegmentEstimator
]


class HybridEstimator(TreeEstimator):
    """Descents through segments that hand over to one another; see `hybrid.HybridSearch`."""

    def __init__(
        self,
        placements: Placements,
        pieces: int,
        factories: Mapping[EngineSegment, EstimatorFactory],
        seed: int,
        prefix_width: int,
    ) -> None:
        self._placements, self._pieces, self._factories = placements, pieces, factories
        self._prefix_width = prefix_width
        self._random = random_state(seed)
        self._begun: dict[EngineSegment, OrderedDict[bytes, _Begun]] = {
            segment: OrderedDict() for segment in factories
        }
        self.probes = 0

    def levels(self, estimates: int) -> NDArray[np.float64]:
        start = End(np.arange(estimates), np.ones(estimates), NOTHING, None)
        rows = np.zeros((estimates, self._pieces + 1))
        self._probe(start, self._prefix_width, rows)
        return rows

    def _probe(self, start: End, prefix_width: int, rows: NDArray[np.float64]) -> None:
        """Probe from `start` on, and add what is met to `rows`."""
        made = len(start.placed)
        if made == self._pieces:
            np.add.at(rows[:, -1], start.rows, start.weights)
            return
        segment = segment_at(list(self._factories), self._pieces - made)
        begun = self._begin(segment, start)
        probed = begun.estimator.probe(len(start.rows), prefix_width)
        weights = start.weights[:, None]
        last = made + probed.nodes.shape[1]
        np.add.at(rows[:, made:last], start.rows, weights * probed.nodes)
        if prefix_width > 0:  # else they are those of the segments before
            self.probes += probed.descents * len(start.rows)
        if segment.ends == 0:
            np.add.at(rows[:, -1], start.rows, start.weights * probed.reached)
        for end in _united(probed.ends):
            own, weights_so_far = start.rows[end.rows], start.weights[end.rows]
            placed = np.concatenate([start.placed, end.placed])
            left = begun.left if end.left is None else end.left
            following = End(own, weights_so_far * end.weights, placed, left)
            self._probe(following, probed.prefix_width, rows)

    def _begin(self, segment: EngineSegment, start: End) -> _Begun:
        """The estimator of a segment from `start` on, new or kept."""
        begun, key = self._begun[segment], start.key
        if key not in begun:
            left = start.left
            if len(begun) == MAX_BEGUN:
                begun.popitem(last=False)
            make = self._factories[segment]
            estimator = make(self._placements, start.placed, left, self._random)
            begun[key] = _Begun(estimator, left)
        begun.move_to_end(key)
        return begun[key]


def remaining_width(prefix_width: int, ends: int) -> int:
    """What is left of a prefix for each of the ends of a segment all of which is within it."""
    return max(1, prefix_width // max(1, ends)) if prefix_width > 0 else 0


def random_state(seed: int) -> NDArray[np.uint64]:
    """The state of a random stream as kernels take it."""
    return np.array([seed % 2**64], dtype=np.uint64)


def _united(ends: Sequence[End]) -> list[End]:
    """The same ends, those that the next segment cannot distinguish as one."""
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
