"""Estimates of the tree of a search, by samples of its levels or by random probes.

Levels are visited whole as long as they have at most a given number of nodes. Below, an estimate
either samples this number of nodes of each level (R. Rubinstein, "Stochastic enumeration method for
counting NP-hard problems", Methodology and Computing in Applied Probability 15, 2013), or makes a
random probe from each node of the last of these levels (D. E. Knuth, "Estimating the efficiency of
backtrack programs", Mathematics of Computation 29, 1975). Both methods are unbiased.

In a hybrid search, the next segment is sampled from the positions that its predecessor has reached.
The weight of a position follows from the numbers of branches on the way to it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from sys import float_info

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import TreeEstimator
from dovetail.backends.shared.kernel_search import KernelSearch
from dovetail.backends.shared.kernels.guide import END, RANDOM, Guide, descents
from dovetail.backends.shared.segments import (
    End,
    EngineSegment,
    KnownEnds,
    Position,
    SegmentEstimate,
    SegmentFactory,
    remaining_width,
    segment_at,
)
from dovetail.kernels.layout import MASK, STEP
from dovetail.models.packings.placements import Placements
from dovetail.models.sums import NOTHING
from dovetail.random_stream import random_words

MAX_BEGUN = 64  # estimators kept for each segment: other descents may end at the same position


class HybridEstimator(TreeEstimator):
    """Estimator of the tree of a search in segments; see `hybrid.HybridSearch`."""

    def __init__(
        self,
        placements: Placements,
        pieces: int,
        factories: Mapping[EngineSegment, SegmentFactory],
        seed: int,
        prefix_width: int,
        population: int = 0,
    ) -> None:
        self._placements, self._pieces, self._factories = placements, pieces, factories
        self._prefix_width, self._population = prefix_width, population
        self._random = random_state(seed)
        self._begun = {
            segment: OrderedDict[bytes, GuidedEstimator | KnownEnds]() for segment in factories
        }

    def levels(self, estimates: int) -> NDArray[np.float64]:
        start = End(np.arange(estimates), np.ones(estimates), NOTHING, None)
        rows = np.zeros((estimates, self._pieces + 1))
        self._probe(start, self._prefix_width, self._population, rows)
        return rows

    def _probe(
        self, start: End, prefix_width: int, population: int, rows: NDArray[np.float64]
    ) -> None:
        """Estimate the tree below `start`; add its nodes by level and its solutions to `rows`."""
        depth = len(start.placed)
        if depth == self._pieces:
            np.add.at(rows[:, -1], start.rows, start.weights)
            return
        segment = segment_at(list(self._factories), self._pieces - depth)
        estimator = self._begin(segment, start)
        visited = estimator.nodes
        probed = estimator.probe(len(start.rows), prefix_width, population)
        self.nodes += estimator.nodes - visited
        weights = start.weights[:, None]
        last = depth + probed.nodes.shape[1]
        np.add.at(rows[:, depth:last], start.rows, weights * probed.nodes)
        if prefix_width > 0:  # else the probes of an earlier segment continue
            self.probes += probed.descents * len(start.rows)
        if segment.ends == 0:
            np.add.at(rows[:, -1], start.rows, start.weights * probed.reached)
        ends = _united(probed.ends)
        shared = remaining_width(population, len(ends))
        for end in ends:
            start_rows, weights_so_far = start.rows[end.rows], start.weights[end.rows]
            placed = np.concatenate([start.placed, end.placed])
            left = start.left if end.left is None else end.left
            following = End(start_rows, weights_so_far * end.weights, placed, left)
            self._probe(following, probed.prefix_width, shared, rows)

    def _begin(self, segment: EngineSegment, start: End) -> GuidedEstimator | KnownEnds:
        """Return the estimator of a segment below `start`, from the cache if it has one."""
        begun, key = self._begun[segment], start.key
        if key not in begun:
            if len(begun) == MAX_BEGUN:
                begun.popitem(last=False)
            make = self._factories[segment]
            search = make(self._placements, start.placed, start.left)
            begun[key] = search.estimator(self._random)
        begun.move_to_end(key)
        return begun[key]


class GuidedEstimator:
    """Estimator of a search's tree by descents of its kernel, below levels visited whole.

    `end` is given if another segment follows. For a row that the search finds, `end` returns the
    position at which the next segment begins.
    """

    def __init__(
        self,
        search: KernelSearch,
        random: NDArray[np.uint64],
        end: Callable[[NDArray[np.int32]], Position] | None = None,
    ) -> None:
        self._search, self._random, self._end = search, random, end
        self._prefixes: dict[int, _Prefix] = {}
        self.nodes = 0  # number of nodes visited

    def probe(self, estimates: int, prefix_width: int, population: int = 0) -> SegmentEstimate:
        """Return estimates, with at most `prefix_width` nodes in the last level visited whole.

        If `prefix_width` is 1, the probes begin at the root of this search's tree. If it is 0, they
        also begin there, as continuations of probes of earlier segments. With a `population`,
        levels are visited whole as long as they have at most this many nodes, and at most this many
        nodes of each later level are sampled.
        """
        width = population or prefix_width
        if width not in self._prefixes:
            self._prefixes[width] = self._prefix(width)
        prefix = self._prefixes[width]
        every_node = np.tile(prefix.nodes, (estimates, 1))
        # Later columns are 0: after the last placement, the search only closes items.
        nodes = every_node[:, : self._search.size]
        reached = np.full(estimates, float(prefix.reached))
        every = np.arange(estimates)
        found = [End(every, np.ones(estimates), *end) for end in prefix.ends]
        begun = len(prefix.paths)
        if begun == 0:
            left = remaining_width(prefix_width, len(found))
            return SegmentEstimate(nodes, reached, found, 0, left)
        if population:
            for number in range(estimates):
                found += self._grow(prefix.paths, population, number, every_node, reached)
            return SegmentEstimate(nodes, reached, found, population, 0)
        depth = prefix.paths.shape[1]
        paths = np.full((begun * estimates, self._search.levels), RANDOM)
        paths[:, :depth] = np.repeat(prefix.paths, estimates, axis=0)
        guide, rows = self._descend(paths)
        row, level = np.nonzero(guide.widths > guide.closing)
        row, level = row[level >= depth], level[level >= depth]
        widths = guide.widths.copy()
        widths[:, :depth] = 1
        weights = np.hstack([np.ones((len(widths), 1)), widths.cumprod(axis=1)])
        placements = weights[row, level] * (widths[row, level] - guide.closing[row, level])
        np.add.at(every_node, (row % estimates, guide.placed[row, level]), placements)
        solved = np.flatnonzero(guide.solved)
        weight = weights[solved, np.count_nonzero(widths[solved], axis=1)]
        weight *= guide.solved[solved]
        np.add.at(reached, solved % estimates, weight)
        of_row = (solved % estimates).reshape(-1, 1)
        for own_row, counts, end in zip(of_row, weight, rows, strict=bool(self._end)):
            found.append(End(own_row, np.array([counts]), *end))
        return SegmentEstimate(nodes, reached, found, begun, 0)

    def _grow(
        self,
        paths: NDArray[np.uint64],
        population: int,
        row: int,
        nodes: NDArray[np.float64],
        reached: NDArray[np.float64],
    ) -> Iterator[End]:
        """Sample the levels below some paths, add the estimates to row `row`, and yield the ends.

        `nodes` and `reached` get the estimates. The sample of a level has at most `population`
        nodes. If the sample of the level before has n > `population` children, the new sample has
        every (n / `population`)-th child in the order of the tree, from a random child on. Thus all
        children are equally likely. Sources: R. Rubinstein, "Stochastic enumeration method for
        counting NP-hard problems", Methodology and Computing in Applied Probability 15, 2013; W. G.
        Cochran, "Sampling Techniques", 1977, chapter 8, for systematic samples.
        """
        weight = 1.0
        while len(paths):
            guide, placed = self._descend(_with_end(paths))
            width = guide.widths[:, -1].astype(np.int64)
            np.add.at(nodes[row], guide.placed[:, -1], weight * (width - guide.closing[:, -1]))
            reached[row] += weight * guide.solved.sum()
            for end in placed:
                yield End(np.array([row]), np.array([weight]), *end)
            children = np.arange(width.sum())
            if len(children) > population:
                first = int(random_words(int(self._random[0]), 0, 1)[0]) * len(children) >> 64
                self._random[0] = int(self._random[0]) + STEP & MASK
                weight = min(weight * len(children) / population, float_info.max)
                children = (first + len(children) * np.arange(population)) // population
            paths = _children(paths, width, children)

    def _prefix(self, max_nodes: int) -> _Prefix:
        """Visit and return the first levels, as long as a level has at most `max_nodes` nodes.

        If `max_nodes` is 0 or 1, no level is visited.
        """
        levels = self._search.levels
        prefix = _Prefix(np.empty((1, 0), dtype=np.uint64), np.zeros(levels), 0, [])
        while max_nodes > 1 and len(prefix.paths) and prefix.paths.shape[1] < levels + 1:
            guide, rows = self._descend(_with_end(prefix.paths))
            width = guide.widths[:, -1].astype(np.int64)
            if width.sum() > max_nodes:
                break
            nodes = prefix.nodes.copy()
            np.add.at(nodes, guide.placed[:, -1], width - guide.closing[:, -1])
            paths = _children(prefix.paths, width, np.arange(width.sum()))
            prefix = _Prefix(
                paths, nodes, prefix.reached + int(guide.solved.sum()), [*prefix.ends, *rows]
            )
        return prefix

    def _descend(self, paths: NDArray[np.uint64]) -> tuple[Guide, list[Position]]:
        """Make descents; return their guide, and the positions at the ends of the segment."""
        guide, placed = descents(paths, self._random), list[Position]()
        for rows in self._search.descend(guide):
            if self._end is not None:
                placed += [self._end(row[row >= 0]) for row in rows]
        self.nodes += int(np.count_nonzero(guide.widths))
        return guide, placed


def _with_end(paths: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the paths with `END` appended to each."""
    return np.hstack([paths, np.full((len(paths), 1), END)])


def _children(
    paths: NDArray[np.uint64], width: NDArray[np.int64], chosen: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Return the paths to the `chosen` children of the last nodes of `paths`.

    `width` has the number of branches of each of these nodes.
    """
    ends = width.cumsum()
    node = np.searchsorted(ends, chosen, side="right")
    branch = (chosen - ends[node] + width[node]).astype(np.uint64)
    return np.hstack([paths[node], branch[:, None]])


@dataclass(frozen=True, eq=False)
class _Prefix:
    """The levels that were visited whole."""

    # Branches on the way to each node of the level below the visited levels.
    paths: NDArray[np.uint64]
    # Number of nodes, by the number of placements before them.
    nodes: NDArray[np.float64]
    # Number of solutions, or of ends of the segment.
    reached: int
    # Positions at the ends of the segment, if another segment follows.
    ends: list[Position]


class GuidedTreeEstimator(TreeEstimator):
    """Estimator of the tree of a single kernel search, by descents of its kernel.

    The estimated number of solutions is the number that the search reports.
    """

    def __init__(
        self, search: KernelSearch, seed: int, prefix_width: int, population: int = 0
    ) -> None:
        self._estimator = GuidedEstimator(search, random_state(seed))
        self._prefix_width, self._population = prefix_width, population
        self._reported = search.reported

    def levels(self, estimates: int) -> NDArray[np.float64]:
        with np.errstate(over="ignore"):  # an estimate for a huge tree may be infinite
            probed = self._estimator.probe(estimates, self._prefix_width, self._population)
        self.probes += probed.descents * estimates
        self.nodes = self._estimator.nodes
        return np.hstack([probed.nodes, probed.reached[:, None] * self._reported])


def random_state(seed: int) -> NDArray[np.uint64]:
    """Return the state of a random stream for kernels."""
    return np.array([seed % 2**64], dtype=np.uint64)


def _united(ends: Sequence[End]) -> list[End]:
    """Merge ends that have the same tree below them in the next segment."""
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
