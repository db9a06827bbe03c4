"""Interface between the solvers and the code that runs them.

To add a backend, write a module with a config dataclass, a `Backend` and a `Search`, and list the
backend in `registry.py`. A backend in a single file needs no registration (`-b plain_x.py`).
Another distribution registers a backend by an entry point in the group `dovetail.backends`.
Methods for abilities that only some solvers have are optional; their defaults say "no".
`dovetail check-backend NAME` tests a backend against this interface.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.config import Range, build_config, check_ranges
from dovetail.models.outcome import Counters, Status
from dovetail.models.request import Reduction, Representatives, Trigger
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import Task

if TYPE_CHECKING:
    from dovetail.models.formulations.registry import Supported

# Values of `Backend.node_meaning`. Node counts of backends with the same value can be compared.
PLACEMENT_MADE = "a placement made"
PLACEMENT_TRIED = "a placement tried at a branching"
ValueT = TypeVar("ValueT")


@dataclass(frozen=True)
class Config:
    """Base of every config, a frozen dataclass of plain values with defaults; see `setting`.

    Raises `ConfigError` for a value of a wrong type or outside the range of its setting.
    """

    def __post_init__(self) -> None:
        check_ranges(self)


def setting(
    default: ValueT,
    meaning: str,
    *,
    least: float | None = None,
    most: float | None = None,
    above: float | None = None,
    choices: Iterable[str] | None = None,
) -> ValueT:
    """Define a field of a config: its default, its meaning and its valid values.

    A number must be finite, at least `least`, at most `most` and greater than `above`, as far as
    these limits are given. `choices` are the valid values of a text, or of each part of a list.
    Help, documentation and checks are derived from these arguments.
    """
    allowed = Range(least, most, above, None if choices is None else tuple(choices))
    return field(default=default, metadata={"meaning": meaning, "range": allowed})


ConfigT = TypeVar("ConfigT", bound=Config)


@dataclass(frozen=True)
class Budget:
    """Limits on the work of a call of `advance`; None means no limit.

    * `work`: small steps of the backend, about ten nanoseconds each. The caller adapts their
      number so that a slice takes a few hundredths of a second.
    * `nodes`, `solutions`: the numbers of further nodes and of further solutions that are allowed.
      The search stops exactly at these limits.
    * `seconds`: the time left, for searches that cannot be sliced.
    * `memory_bytes`: limit on the memory of the search; ignored by searches that do not measure it.
    """

    work: int
    nodes: int | None = None
    solutions: int | None = None
    seconds: float | None = None
    memory_bytes: int | None = None


@dataclass(frozen=True)
class Forecast:
    """Expected effort of a search: states visited, largest memory in bytes, seconds of solving."""

    states: int
    memory_bytes: int
    solve_s: float


class Search(ABC):
    """A search for the solutions of a task; each call of `advance` continues the search."""

    @property
    @abstractmethod
    def counters(self) -> Counters:
        """Counters so far."""

    @property
    @abstractmethod
    def count(self) -> int | None:
        """Number of solutions found so far; None while not even a lower bound is known."""

    @abstractmethod
    def advance(self, budget: Budget) -> Status | None:
        """Continue the search; return its status if it has ended or met a limit, else None.

        The search may also return None early, while many solutions wait for `take`.
        """

    @abstractmethod
    def take(self) -> NDArray[np.int32]:
        """Return the options of the solutions found since the last call, shape (n, k).

        Rows with fewer than k options are padded with −1.
        """

    @property
    def tree_nodes(self) -> int:
        """Number of nodes done, including the nodes that the search skips below known states."""
        return self.counters.nodes or 0

    def progress(self) -> float | None:
        """Return the estimated share of the search tree that is done, 0 to 1; None if unknown."""
        return None

    @property
    def work(self) -> int | None:
        """Number of steps of `Budget.work` done; None if each `advance` uses its whole budget."""
        return None

    def take_trace(self) -> NDArray[np.int32] | None:
        """Return the placements made and taken back since the last call, shape (n, 2), int32.

        The first column is the number of a placement made, or ~number of a placement taken back.
        The second column is the number of pieces that remain after this step. The result is None
        if the search records no trace.
        """
        return None

    def begin_within(self, part: SubProblem) -> None:
        """Restrict the search to a part of the tree, before the first `advance`.

        `part` was returned by `remaining` of a search of the same task by this backend. The options
        of `part` are numbered as in the task. The placements `part.taken` do not count as nodes.
        Raises `ConfigError` for a part that no search of the task leaves. The searches of a backend
        that `cuts` have to implement this method.
        """
        raise NotImplementedError

    def remaining(self) -> tuple[SubProblem, ...] | None:
        """Return the unexplored parts of the tree, in the order of the search.

        The solutions found so far and the solutions of the parts are together the solutions of the
        whole search. The same holds for nodes unless the backend `learns`. Options are numbered as
        in the task. The result is None if the search cannot be cut, or not at its current node.
        """
        return None

    @property
    def prepared(self) -> bool:
        """True once all tables are built; the time of `advance` before that is preparation."""
        return True

    @property
    def forecast(self) -> Forecast | None:
        """Expected effort, once the search is prepared; None for a search without a forecast."""
        return None

    @property
    def reason(self) -> str | None:
        """Reason why the search gave up, for instance too much memory; None if it did not."""
        return None

    @property
    def program(self) -> Mapping[str, str]:
        """Facts that identify the external program, such as its version; empty without one."""
        return {}

    @property
    def counts_only(self) -> bool:
        """True if the search counts solutions without listing them.

        Then `total` is the result, and the rows of `take` are a sample for verification.
        """
        return False

    @property
    def total(self) -> int | None:
        """Number of solutions, up to symmetry if requested; None until the number is known.

        Only a search that `counts_only` has a total.
        """
        return None

    @property
    def total_of_all(self) -> int | None:
        """Number of all solutions if `total` is the number up to symmetry; None if unknown."""
        return None


def option_rows(solutions: Sequence[Sequence[int]]) -> NDArray[np.int32]:
    """Return the options of solutions as an array for `Search.take`, padded with −1."""
    width = max(map(len, solutions), default=0)
    rows = [[*chosen, *[-1] * (width - len(chosen))] for chosen in solutions]
    return np.array(rows, dtype=np.int32).reshape(len(rows), width)


class SamplingSearch(Search):
    """A search that, after its end, returns the solution for any number from 0 to `numbers` − 1.

    If a piece breaks symmetry, a solution has a number for each image that it stands for.
    Otherwise each solution has a single number.
    """

    @property
    @abstractmethod
    def numbers(self) -> int:
        """Number of solutions with their images; 0 for a puzzle without solutions."""

    @abstractmethod
    def unrank(self, number: int) -> tuple[NDArray[np.int32], int]:
        """Return the options of the solution with a number, and the index of its image.

        The options are padded with −1.
        """


class TreeEstimator(ABC):
    """Estimator of the tree that a search visits, from samples of its levels or random probes.

    The estimates are independent and unbiased, and all take the same effort. If the backend
    `learns`, a search may visit other nodes than its estimator.
    """

    probes: int = 0
    """Probes, or nodes sampled per level, for all estimates; 0 if all nodes were visited."""
    nodes: int = 0
    """Number of nodes that were visited for the estimates."""

    def totals(self, estimates: int) -> NDArray[np.float64]:
        """Return this many estimates of the number of nodes, shape (estimates,)."""
        totals: NDArray[np.float64] = self.levels(estimates)[:, :-1].sum(axis=1)
        return totals

    @abstractmethod
    def levels(self, estimates: int) -> NDArray[np.float64]:
        """Return this many estimates of the nodes by level, shape (estimates, d + 1).

        Column k, from 0 to d − 1, is the number of nodes with k placements before them. The last
        column is the number of solutions that the search finds.
        """


class Backend(ABC, Generic[ConfigT]):
    """A solver; an object with settings can be passed in place of a name: `PlainX(fewest=False)`.

    The constructor raises `ConfigError` for an unknown setting and for an invalid value.
    """

    name: str
    summary: str
    """A line for lists of backends."""
    config_type: type[ConfigT]
    node_meaning: str | None = None
    """End of the sentence "a node is …", in a few words. Backends whose nodes mean the same use the
    same words. None if the backend counts no nodes."""
    control: Literal["slices", "process"] = "slices"
    """`slices`: a search works in slices, in the process that calls it. `process`: a search is a
    `ThreadedSearch` in a child process, which can be killed."""
    holds_interpreter: bool = False
    """True if a search blocks other threads between solutions, so that only a kill ends it."""
    extra: str | None = None
    """Optional dependency (extra) that installs the backend; None if it needs no extra."""
    by_option_order: bool = False
    """True if searches try options in the order of their numbers. The options of a task may be in
    any order, and each order leads to another search tree."""
    by_item_order: bool = False
    """True if searches try the options of each item in a separate order, `Task.member_order`."""
    cuts: bool = False
    """True if searches can return their unexplored subtrees, and can begin in a subtree."""
    learns: bool = False
    """True if failures guide or shorten a search. Repeated searches of a part make the same nodes,
    but the nodes of all parts do not add up to the nodes of the whole search."""
    threads: bool = False
    """True if the config sets the number of cores. Then a task is not divided into parts."""
    needs_permission: bool = False
    """True if the backend runs a program of the user's choice; without permission it refuses every
    task."""
    estimates_quickly: bool = False
    """True if an estimate of the tree takes milliseconds; trials then use estimates in place of
    short searches."""
    formulations: Supported | None = None
    """Formulations that a solver of constraint models supports; None for other solvers."""
    kernel_list: Path | None = None
    """File with the list of kernels that `warm_up` compiles; see `read_kernel_list`. With a list,
    two processes share the compilation. None if a single process compiles."""

    settings: Mapping[str, object] = MappingProxyType({})
    """Settings for the jobs that the object is passed to."""

    def __init__(self, **settings: object) -> None:
        if settings:
            build_config(self.config_type, settings, f"backend {self.name}")
            self.settings = settings

    @abstractmethod
    def refuses(self, task: Task, config: ConfigT) -> str | None:
        """Return the reason this backend cannot run the task, or None."""

    def stops_at_first(self, config: ConfigT) -> str | None:
        """Return why a search with this config ends at its first solution; None if it finds all.

        Such a search only answers whether there is a solution. Unless the limit on solutions is 1,
        a run is refused with this reason, which names the setting to change.
        """
        return None

    def cuts_task(self, task: Task, config: ConfigT) -> bool:
        """Return whether searches of a task can be cut; called only if the backend `cuts`."""
        return True

    def why_undivided(self, task: Task, config: ConfigT) -> str | None:
        """Return the reason not to divide a task into sub-problems, or None."""
        return None

    @abstractmethod
    def prepare(self, task: Task, config: ConfigT) -> Search:
        """Build the backend's tables for a task that it does not refuse."""

    def preparation_s(self, task: Task, config: ConfigT) -> float:
        """Return an estimate of the seconds that `prepare` takes for a task that is not refused.

        The estimate is computed from the sizes of the tables and a measured rate. The estimate is 0
        for backends that always prepare quickly.
        """
        return 0.0

    def counted_nodes(self, config: ConfigT) -> str | None:
        """Return the meaning of a node with this config; see `node_meaning`."""
        return self.node_meaning

    def label(self, config: ConfigT) -> str:
        """Return the name of a solver with this config, as shown in results."""
        return self.name

    def is_probable(self, config: ConfigT) -> bool:
        """Return whether counts are only probably correct, so that they prove nothing."""
        return False

    def missing(self) -> str | None:
        """Return the name of the package or program that has to be installed first, or None."""
        return None

    def warm_up(self) -> None:
        """Import and compile the code that every search needs, before any time is measured."""
        return

    def warm_up_for(self, task: Task, config: ConfigT) -> None:
        """Compile the code that only this task and config need; the task is not refused."""
        return

    def symmetry_breaking(self, task: Task, config: ConfigT) -> Reduction | None:
        """Return the reduction by which this backend would break symmetry, or None.

        The method is called if the request breaks no symmetry, with a task without reductions.
        Repeated calls return the same reduction.
        """
        return None

    def counts_by_itself(self, task: Task, config: ConfigT) -> bool:
        """Return whether searches of a task compute the number of solutions that it asks for.

        Such searches count solutions up to symmetry, if requested, without listing them.
        """
        return False

    def representatives(self, task: Task, config: ConfigT) -> Representatives:
        """Return which representatives `redundancy` should keep: `FIRST` unless overridden.

        The method is called if the request leaves the choice open, with a task without reductions.
        """
        return Representatives.FIRST

    def sampling_search(self, task: Task, config: ConfigT) -> SamplingSearch | None:
        """Return a search that numbers a task's solutions; None if the backend cannot sample."""
        return None

    def tree_estimator(
        self,
        task: Task,
        config: ConfigT,
        seed: int,
        max_prefix_nodes: int,
        population: int = 0,
    ) -> TreeEstimator | None:
        """Return an estimator of the search tree of a task that is not refused, or None.

        If `population` is not 0, this number of nodes is sampled from each level with more nodes
        (stochastic enumeration, Rubinstein 2013). If it is 0, levels are visited whole as long as
        they have at most `max_prefix_nodes` nodes, and random probes (Knuth 1975) begin below the
        last of these levels.
        """
        return None

    def expected_levels(self, task: Task, config: ConfigT) -> NDArray[np.float64] | None:
        """Return the number of nodes that a model expects on each level, shape (d,), or None.

        Level k, from 0 to d − 1, is column k of `TreeEstimator.levels`. The task is not refused.
        The result is None if the backend has no such model.
        """
        return None


# A backend with a config of any type, as in the registry.
AnyBackend = Backend[Any]


def memory_refusal(arrays: str, size: int, limit: int) -> str | None:
    """Return why `size` bytes for the arrays named `arrays` exceed the limit, or None."""
    if size <= limit:
        return None
    return f"{arrays} would take {size:,} bytes; the limit is {limit:,}"


def trigger_refusal(task: Task) -> str | None:
    """Return why a solver that only places pieces refuses a task, or None.

    Such a solver supports no traces, trials, triggers or repeated filters.
    """
    if task.request.trace is not None:
        return "it cannot record a trace"
    if task.request.stop_at_remaining is not None:
        return "it does not report when it removes a placement, which trials need"
    for rule in task.post_placement_rules:
        if isinstance(rule, Trigger):
            return f"it does not support triggers ({rule})"
        return f"it cannot filter placements during the search ({rule}); expected {rule.name}"
    return None
