"""What a backend is: the contract between solvers and everything that drives them.

To add one, write a module with a config dataclass, a `Backend` and a `Search`, and give it a
line in `registry.py`. Elsewhere, the file is enough (`-b plain_x.py`); a distribution has an entry
point in the group `dovetail.backends`. What only some solvers can do has a default that says "no".
`dovetail check-backend NAME` tests what every backend has to do.
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

# What a node is to backends whose nodes compare: see `Backend.node_meaning`.
PLACEMENT_MADE = "a placement made"
PLACEMENT_TRIED = "a placement tried at a branching"
ValueT = TypeVar("ValueT")


@dataclass(frozen=True)
class Config:
    """Base of every config: a frozen dataclass of plain values with defaults, see `setting`.

    Raises `ConfigError` for a value of another type, or outside the range of its setting.
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
    """Define a field of a config: its default, its meaning and the values that it takes.

    A number is from `least` to `most`, or `above` a limit; `choices` are the values of a text, or
    of the parts of a list. Help, documentation and checks derive from them.
    """
    allowed = Range(least, most, above, None if choices is None else tuple(choices))
    return field(default=default, metadata={"meaning": meaning, "range": allowed})


ConfigT = TypeVar("ConfigT", bound=Config)


@dataclass(frozen=True)
class Budget:
    """Limits on the work of a call of `advance`.

    `work` is in the backend's own small steps (about ten nanoseconds each); the session
    adapts it so that a slice takes a few hundredths of a second. `nodes` and `solutions`
    are how many more of them the search may make in all, None for no limit; a search stops
    on them exactly. `seconds` is the time left, for searches that cannot be sliced.
    `memory_bytes` limits the memory of the whole search, if the search can tell it beforehand.
    """

    work: int
    nodes: int | None = None
    solutions: int | None = None
    seconds: float | None = None
    memory_bytes: int | None = None


@dataclass(frozen=True)
class Forecast:
    """What a search is expected to take: states to be visited, bytes at most, seconds."""

    states: int
    memory_bytes: int
    solve_s: float


class Search(ABC):
    """One search under way."""

    @property
    @abstractmethod
    def counters(self) -> Counters:
        """Counters so far."""

    @property
    @abstractmethod
    def count(self) -> int | None:
        """Solutions found so far; None while not even a lower bound is known."""

    @abstractmethod
    def advance(self, budget: Budget) -> Status | None:
        """Search on. The status that ended the search, or None: call again.

        A search that `take` has not emptied for long may return early.
        """

    @abstractmethod
    def take(self) -> NDArray[np.int32]:
        """Return the options of the solutions found since the last call, shape (n, k).

        Rows with fewer than k options are padded with −1.
        """

    @property
    def tree_nodes(self) -> int:
        """Number of nodes of the tree that are done, with those that known states save."""
        return self.counters.nodes or 0

    def progress(self) -> float | None:
        """Return the estimated share of the search tree that is done, or None."""
        return None

    @property
    def work(self) -> int | None:
        """How many steps of `Budget.work` are done; None if each `advance` does all it is given."""
        return None

    def take_trace(self) -> NDArray[np.int32] | None:
        """Return the placements made and taken back since the last call, shape (n, 2), int32.

        A row is a placement, or ~ of a placement taken back, and how many pieces remain then. None
        if the search records nothing.
        """
        return None

    def begin_within(self, part: SubProblem) -> None:
        """Go on, before the first `advance`, where the search of this backend that left `part` was.

        Options are numbered as in the task. Those taken count no nodes. Raises `ConfigError` for a
        part that no search of the task has left. Only where the backend `cuts`.
        """
        raise NotImplementedError

    def remaining(self) -> tuple[SubProblem, ...] | None:
        """Return the parts of the tree that are left, in the order of the search.

        Their solutions and those found so far are those of the whole search, and so are the nodes
        unless the backend `learns`. Options are numbered as in the task. None where the search
        cannot be cut, or not at this node.
        """
        return None

    @property
    def prepared(self) -> bool:
        """Whether all tables are built; until then the time of `advance` is that of preparing."""
        return True

    @property
    def forecast(self) -> Forecast | None:
        """What the search is expected to take, once it is prepared; None where it cannot tell."""
        return None

    @property
    def reason(self) -> str | None:
        """Why the search has given up, for instance the memory it would take; None otherwise."""
        return None

    @property
    def program(self) -> Mapping[str, str]:
        """What tells the program that searches from others of its name, such as its version."""
        return {}

    @property
    def counts_only(self) -> bool:
        """Whether the search counts without going through the solutions.

        Then `total` is the answer, and the rows of `take` are a sample, to be verified.
        """
        return False

    @property
    def total(self) -> int | None:
        """How many solutions were asked for, up to symmetry if so; None until that is known.

        Only where the search `counts_only`.
        """
        return None

    @property
    def total_of_all(self) -> int | None:
        """Number of all solutions if `total` is the number up to symmetry; None if unknown."""
        return None


def option_rows(solutions: Sequence[Sequence[int]]) -> NDArray[np.int32]:
    """Return the options of solutions as `Search.take` does: short rows are padded with −1."""
    width = max(map(len, solutions), default=0)
    rows = [[*chosen, *[-1] * (width - len(chosen))] for chosen in solutions]
    return np.array(rows, dtype=np.int32).reshape(len(rows), width)


class SamplingSearch(Search):
    """A search after which solutions have numbers, from 0 to `numbers` − 1.

    A solution has as many numbers as it stands for images where symmetry is broken by a piece,
    else one.
    """

    @property
    @abstractmethod
    def numbers(self) -> int:
        """How many numbers there are; 0 for a puzzle without solutions."""

    @abstractmethod
    def unrank(self, number: int) -> tuple[NDArray[np.int32], int]:
        """Return the options of a solution, padded with −1, and which of its images is meant."""


class TreeEstimator(ABC):
    """Estimates of the tree that a search visits, from samples of its levels or random probes.

    All estimates take the same effort, are independent and unbiased. If the backend `learns`, a
    search may visit other nodes than a tree that was visited whole.
    """

    probes: int = 0
    """Number of probes, or of nodes sampled of each level; 0 if the whole tree was visited."""
    nodes: int = 0
    """Number of nodes that were visited for the estimates."""

    def totals(self, estimates: int) -> NDArray[np.float64]:
        """Return this many estimates of the number of nodes, shape (estimates,)."""
        totals: NDArray[np.float64] = self.levels(estimates)[:, :-1].sum(axis=1)
        return totals

    @abstractmethod
    def levels(self, estimates: int) -> NDArray[np.float64]:
        """Return this many estimates of the nodes by level, shape (estimates, d + 1).

        Column k is the number of nodes with k placements made before, the last column the number of
        solutions that the search finds.
        """


class Backend(ABC, Generic[ConfigT]):
    """A solver; an object with settings can be passed in place of a name: `PlainX(fewest=False)`.

    Raises `ConfigError` for a setting that `config_type` does not have.
    """

    name: str
    summary: str
    """A line for lists of backends."""
    config_type: type[ConfigT]
    node_meaning: str | None = None
    """Completes "a node is …" in a few words, the same words for backends whose nodes mean the
    same; None if the backend counts no nodes."""
    control: Literal["slices", "process"] = "slices"
    """`slices`: a search works in slices and runs where it is called. `process`: it runs in a child
    process, which is killed if need be, and searches are `ThreadedSearch`."""
    holds_interpreter: bool = False
    """True if no other thread runs between two solutions, so that only a kill ends it in time."""
    extra: str | None = None
    """Optional dependency that brings the backend; None if it is always there."""
    by_option_order: bool = False
    """True if searches try options in the order of their numbers. The options of a task may be in
    any order, and each order makes another search."""
    by_item_order: bool = False
    """True if searches try the options of each item in a separate order, `Task.member_order`."""
    cuts: bool = False
    """True if searches can return their unexplored subtrees, and can begin in a subtree."""
    learns: bool = False
    """True if failures guide or shorten a search. The nodes of a part are the same each time, but
    the nodes of all parts do not add up to the nodes of the whole search."""
    threads: bool = False
    """True if the config sets how many cores are used; such a backend is not divided."""
    needs_permission: bool = False
    """True if the backend runs a program of the user's choice; without permission it refuses every
    task."""
    estimates_quickly: bool = False
    """True if an estimate of the tree takes milliseconds; trials then use estimates in place of
    short searches."""
    formulations: Supported | None = None
    """Formulations that the backend takes, for a solver that is given constraint models."""
    kernel_list: Path | None = None
    """File that lists the kernels of `warm_up`, as `read_kernel_list` reads it, so that two
    processes compile them; None if a single process does."""

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
        """Return why a search with this config ends at its first solution; None: it finds all.

        Such a search only answers whether there is a solution, so a run with another limit on
        solutions than 1 is refused with the reason, which names what to set instead.
        """
        return None

    def cuts_task(self, task: Task, config: ConfigT) -> bool:
        """Return whether searches of a task can be cut, for a backend that `cuts` others."""
        return True

    def why_undivided(self, task: Task, config: ConfigT) -> str | None:
        """Return why a task is better not divided into sub-problems; None where it can be."""
        return None

    @abstractmethod
    def prepare(self, task: Task, config: ConfigT) -> Search:
        """Build the backend's tables for a task that it does not refuse."""

    def preparation_s(self, task: Task, config: ConfigT) -> float:
        """Return about how many seconds `prepare` takes for a task that is not refused.

        By the sizes of its tables and a measured rate; 0 where it is always short.
        """
        return 0.0

    def counted_nodes(self, config: ConfigT) -> str | None:
        """Return what a node is with this config; see `node_meaning`."""
        return self.node_meaning

    def label(self, config: ConfigT) -> str:
        """Return what results call a solver with this config."""
        return self.name

    def is_probable(self, config: ConfigT) -> bool:
        """Return whether counts are only probably correct, so that they prove nothing."""
        return False

    def missing(self) -> str | None:
        """Return the package that has to be installed first, or None."""
        return None

    def warm_up(self) -> None:
        """Import and compile what every search needs: neither preparing nor solving is to pay."""
        return

    def warm_up_for(self, task: Task, config: ConfigT) -> None:
        """Compile what only this task and config need; the task is not refused."""
        return

    def symmetry_breaking(self, task: Task, config: ConfigT) -> Reduction | None:
        """Return the reduction by which this backend would break symmetry, or None.

        It is asked where a request breaks none; the answer stays the same. The task has no
        reductions.
        """
        return None

    def counts_by_itself(self, task: Task, config: ConfigT) -> bool:
        """Return whether searches of a task report the number of solutions that it asks for.

        They then count solutions up to symmetry, where that is asked, without listing them.
        """
        return False

    def representatives(self, task: Task, config: ConfigT) -> Representatives:
        """Return which places of a piece or tile `redundancy` should keep: those filled first.

        It is asked where a request leaves it open. The task has no reductions.
        """
        return Representatives.FIRST

    def sampling_search(self, task: Task, config: ConfigT) -> SamplingSearch | None:
        """Return the search after which a task's solutions have numbers; None: cannot sample."""
        return None

    def tree_estimator(
        self,
        task: Task,
        config: ConfigT,
        seed: int,
        max_prefix_nodes: int,
        population: int = 0,
    ) -> TreeEstimator | None:
        """Return an estimator of the search tree of a task that is not refused; None: has none.

        With a `population`, this number of nodes is sampled of each level that has more (stochastic
        enumeration, Rubinstein 2013). If it is 0, levels are visited whole down to the first with
        more than `max_prefix_nodes` nodes, and random probes (Knuth 1975) begin below the last of
        these levels.
        """
        return None

    def expected_levels(self, task: Task, config: ConfigT) -> NDArray[np.float64] | None:
        """Return the nodes that a model expects of each level, shape (d,); None: has no model.

        A level is a column of `TreeEstimator.levels`. The task is not refused.
        """
        return None


# One of any config, as the registry has them.
AnyBackend = Backend[Any]


def memory_refusal(arrays: str, size: int, limit: int) -> str | None:
    """Return that `arrays` of this many bytes would be too large, or None."""
    if size <= limit:
        return None
    return f"{arrays} would take {size:,} bytes; the limit is {limit:,}"


def trigger_refusal(task: Task) -> str | None:
    """Return why a solver that places pieces by its own means refuses a task, or None."""
    if task.request.trace is not None:
        return "it cannot record a trace"
    if task.request.stop_at_remaining is not None:
        return "it does not report when it removes a placement, which trials need"
    for rule in task.post_placement_rules:
        if isinstance(rule, Trigger):
            return f"it does not support triggers ({rule})"
        return f"it cannot filter placements during the search ({rule}); expected {rule.name}"
    return None
