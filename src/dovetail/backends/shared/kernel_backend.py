"""Base classes of backends that search by kernels, in a single search or in segments."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from dovetail.backends.base import Backend, Budget, ConfigT, TreeEstimator
from dovetail.models.packings.placements import Placements
from dovetail.models.task import Task

if TYPE_CHECKING:
    from dovetail.backends.shared.hybrid import HybridSearch
    from dovetail.backends.shared.kernel_search import KernelSearch
    from dovetail.backends.shared.segments import EngineSegment, SegmentFactory


class KernelBackend(Backend[ConfigT]):
    """A backend with a single kernel search per task, whose kernel also makes descents."""

    cuts = True

    @abstractmethod
    def prepare(self, task: Task, config: ConfigT) -> KernelSearch: ...

    def guided_search(self, task: Task, config: ConfigT) -> KernelSearch:
        """Return a search that makes the descents for estimates."""
        return self.prepare(task, config)

    def warm_up_for(self, task: Task, config: ConfigT) -> None:
        self.prepare(task, config).advance(Budget(work=1))

    def tree_estimator(
        self, task: Task, config: ConfigT, seed: int, max_prefix_nodes: int, population: int = 0
    ) -> TreeEstimator:
        from dovetail.backends.shared.tree_estimator import GuidedTreeEstimator

        search = self.guided_search(task, config)
        return GuidedTreeEstimator(search, seed, max_prefix_nodes, population)


class HybridBackend(Backend[ConfigT]):
    """A backend for packing whose searches consist of segments; see `HybridSearch`."""

    cuts = True
    native: ClassVar[tuple[str, ...]] = ()
    """Names of the solver's own counters, which are summed over the segments."""

    @abstractmethod
    def segments(
        self, task: Task, config: ConfigT, *, estimates: bool = False
    ) -> Mapping[EngineSegment, SegmentFactory]:
        """Return the factory of each segment, for a search or for `estimates` of its tree."""

    def warm_up(self) -> None:
        from dovetail.backends.shared import hybrid  # noqa: F401

    def prepare(self, task: Task, config: ConfigT) -> HybridSearch:
        from dovetail.backends.shared.hybrid import HybridSearch

        segments = self.segments(task, config)
        return HybridSearch(*_packing(task), segments, self.native)

    def tree_estimator(
        self, task: Task, config: ConfigT, seed: int, max_prefix_nodes: int, population: int = 0
    ) -> TreeEstimator:
        from dovetail.backends.shared.tree_estimator import HybridEstimator

        segments = self.segments(task, config, estimates=True)
        return HybridEstimator(*_packing(task), segments, seed, max_prefix_nodes, population)


def _packing(task: Task) -> tuple[Placements, int]:
    """Return the placements of a task, and the number of placements of a solution."""
    pieces = task.options.placements_per_solution
    assert task.placements is not None
    assert pieces is not None
    return task.placements, pieces
