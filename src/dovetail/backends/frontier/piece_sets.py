"""The sets of pieces that some number of moves uses, and the moves between them."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.kernels.layout import (
    AboutSets,
    ClassUses,
    Links,
    MadeSets,
    ShapeBits,
)
from dovetail.backends.frontier.problem import SweepProblem
from dovetail.backends.shared.memory_budget import MemoryBudget

MAX_PACKED_BITS = 26
SET_BYTES = 8 + 1 + 8 + 8
PLACE_BYTES = 4
FIRST_CAPACITY = 1024


def packed_bits(max_count: NDArray[np.int64]) -> int:
    """How many bits a set takes, of shapes that are used so often at most."""
    return sum(int(times).bit_length() for times in max_count)


class PieceSets:
    """All sets of a problem by layers: `layers[k]` holds those that k moves use, packed, uint64.

    They are `made` at once, or by `make`, which yields after each layer.
    """

    def __init__(self, problem: SweepProblem, *, made: bool = True) -> None:
        from dovetail.backends.frontier.kernels import sets

        self._kernels: Any = sets
        widths = np.array([int(times).bit_length() for times in problem.max_count], dtype=np.int64)
        shift = (np.cumsum(widths) - widths).astype(np.uint64)
        classes, shapes = np.nonzero(problem.move_classes.uses)
        packed = problem.move_classes.uses.astype(np.uint64) << shift[None, :]
        once = problem.max_count == 1
        self._class_uses = problem.move_classes.uses > 0
        self._classes = ClassUses(
            first=np.searchsorted(classes, np.arange(len(packed) + 1)).astype(np.int64),
            shape=shapes.astype(np.int64),
            times=problem.move_classes.uses[classes, shapes].astype(np.uint64),
            packed=packed.sum(axis=1, dtype=np.uint64),
            bars=packed[:, once].sum(axis=1, dtype=np.uint64),
            many=self._any_use(~once),
            volume=_class_volumes(problem),
        )
        self._shapes = ShapeBits(
            shift=shift,
            digit=(2**widths - 1).astype(np.uint64),
            min_count=problem.min_count.astype(np.uint64),
            max_count=problem.max_count.astype(np.uint64),
        )
        self._about: dict[int, AboutSets] = {}
        self._place = np.full(2 ** int(widths.sum()), sets.NOWHERE, dtype=np.int32)
        self._cells = problem.cell_count
        self._shape_volumes = np.zeros(len(problem.max_count), dtype=np.int64)
        uses = problem.move_classes.uses[classes].sum(axis=1)
        self._shape_volumes[shapes] = self._classes.volume[classes] // uses
        self.layers = [np.zeros(1, dtype=np.uint64)]
        if made:
            self.layers = list(self._layers(np.uint64(0)))

    def make(self, memory_budget: MemoryBudget) -> Iterator[None]:
        """Make all sets, layer by layer, where they were not made at once."""
        self.layers = []
        for layer in self._layers(np.uint64(0)):
            self.layers.append(layer)
            memory_budget.check(self.held_bytes, f"more than {self.count:,} sets of pieces")
            yield

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(map(len, self.layers))

    @property
    def class_count(self) -> int:
        """How many classes of moves there are."""
        return len(self._classes.many)

    @property
    def held_bytes(self) -> int:
        """What the sets take, and what is said about them."""
        return self._place.nbytes + self.count * SET_BYTES

    def below(self, packed: np.uint64) -> PieceSets:
        """The sets within a set, the empty one first."""
        within = copy(self)
        max_count = self._used(packed)
        fewer = self._any_use(max_count < self._shapes.max_count)
        within._shapes = self._shapes._replace(max_count=max_count)
        within._classes = self._classes._replace(many=self._classes.many | fewer)
        within._about = {}
        within.layers = list(within._layers(np.uint64(0)))
        return within

    def above(self, packed: np.uint64) -> PieceSets:
        """The sets that contain a set, which comes first."""
        beyond = copy(self)
        beyond._about = {}
        beyond.layers = list(self._layers(packed))
        return beyond

    def about(self, layer: int) -> AboutSets:
        """What the sets of a layer are."""
        if layer in self._about:
            return self._about[layer]
        packed = self.layers[layer]
        self._about[layer] = AboutSets(
            complete=np.zeros(len(packed), dtype=np.uint8),
            lacking=np.zeros_like(packed),
            present=np.zeros_like(packed),
        )
        self._kernels.about(packed, self._shapes, self._about[layer])
        return self._about[layer]

    def links(self, layer: int, *, by_end: bool) -> Links:
        """The moves from a layer to the next, grouped by the set they lead from, or to."""
        packed, after = self.layers[layer], self.layers[layer + 1]
        own, others = (after, packed) if by_end else (packed, after)
        capacity = len(own) * self.class_count
        links = Links(
            first=np.zeros(len(own) + 1, dtype=np.int64),
            end=np.empty(capacity + 1, dtype=np.int32),
            move_class=np.empty(capacity + 1, dtype=np.int32),
        )
        self._kernels.enter(others, self._place)
        count = self._kernels.link(own, self._classes, self._shapes, self._place, by_end, links)
        self._kernels.forget(others, self._place)
        return links._replace(end=links.end[:count], move_class=links.move_class[:count])

    def _used(self, packed: np.uint64) -> NDArray[np.uint64]:
        """How often a set uses each shape."""
        return (packed >> self._shapes.shift) & self._shapes.digit

    def _any_use(self, shapes: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """Whether moves of each kind use any of some shapes."""
        return np.asarray(self._class_uses[:, shapes].any(axis=1), dtype=np.uint8)

    def _layers(self, first: np.uint64) -> Iterator[NDArray[np.uint64]]:
        """The sets that moves make of one, layer by layer."""
        made = np.array([first], dtype=np.uint64)
        used = self._used(first).astype(np.int64)
        volume = np.array([int(used @ self._shape_volumes)], dtype=np.int64)
        while len(made):
            yield made
            made, volume = self._next(made, volume)
            self._kernels.forget(made, self._place)

    def _next(
        self, packed: NDArray[np.uint64], volume: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """The sets that one more move makes, and their volumes; they have places then."""
        capacity = max(FIRST_CAPACITY, 2 * len(packed)) + self.class_count
        made = MadeSets(
            packed=np.empty(capacity, dtype=np.uint64),
            volume=np.empty(capacity, dtype=np.int64),
            progress=np.zeros(2, dtype=np.int64),
        )
        while not self._kernels.next_sets(
            packed, volume, self._cells, self._classes, self._shapes, self._place, made
        ):
            capacity *= 2
            made = made._replace(
                packed=np.resize(made.packed, capacity), volume=np.resize(made.volume, capacity)
            )
        sets = made.progress[self._kernels.MADE]
        return made.packed[:sets].copy(), made.volume[:sets].copy()


def _class_volumes(problem: SweepProblem) -> NDArray[np.int64]:
    """How many cells a move of each kind fills, at least."""
    volumes = np.full(len(problem.move_classes.weight), problem.cell_count + 1, dtype=np.int64)
    np.minimum.at(volumes, problem.move_class, np.bitwise_count(problem.mask).astype(np.int64))
    return volumes
