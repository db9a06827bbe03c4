"""The parameters of a job, defined once for the API, the commands and the pytest plugin.

A function declares the parameters that it supports as `**asked: Unpack[…]` with a type below.
`make_jobs` has the default values and builds the jobs. If the file of a puzzle records the number
of assemblies, `by_convention` finds the convention by which the assemblies were counted.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from inspect import Parameter
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypedDict, TypeVar, Unpack, get_args, get_origin

from dovetail.backends.registry import Solver, solver_of
from dovetail.errors import ConfigError, DovetailError, show, unknown_name
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import named_backend
from dovetail.harness.run import WITHIN_ITEMS, OptionOrder
from dovetail.harness.run.job import Job, Limits, RandomOrder
from dovetail.harness.sizes import parse_seconds
from dovetail.harness.workers.options import AUDITED, ParallelOptions, SubProblemOrder
from dovetail.harness.workers.runs import Runs, finish, run
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.request import Reduction, ReductionName, Request, Symmetry, SymmetryValue
from dovetail.models.task import Puzzle
from dovetail.platform.resources import check_memory_limit
from dovetail.puzzles.loading import load

Function = TypeVar("Function", bound=Callable[..., Any])
# Maximum number of nodes of all counts of `by_convention` together: half a second of `bitset`. A
# time limit would make the result depend on the machine.
MAX_NODES = 5_000_000
# Symmetries in ascending order of the number of solutions that they distinguish.
COARSEST_FIRST = (Symmetry.MIRROR, Symmetry.UNIQUE, Symmetry.ALL)
MAX_REMEMBERED = 100
# The backend that samples with several threads.
THREADED = "frontier"


class Parameters(TypedDict, total=False):
    """The parameters of every job."""

    # Settings of the backend by key.
    config: Mapping[str, object] | None
    # Seed of all random choices.
    seed: int


class CountingParameters(Parameters, total=False):
    """The parameters of every job, and the convention for solutions that count as the same."""

    # None means `unique`, or the convention of the count in the puzzle's file if this convention
    # can be determined.
    symmetry: SymmetryValue | None
    # Whether identical pieces and tiles are distinguished.
    labelled: bool


class LimitedParameters(Parameters, total=False):
    """The parameters of every job, and its reductions, triggers and limits."""

    # Reductions of the placements, each in one of the `REDUCTION_FORMS`.
    reduce: Iterable[str]
    # Backtrack triggers, each in one of the `TRIGGER_FORMS`.
    triggers: Iterable[str]
    # Limits on the run; None means no limit.
    limits: Limits | None
    # Time limit: seconds, or text such as "5s", "2m" or "1h".
    time_limit: float | str | None


class OrderedParameters(TypedDict, total=False):
    """The order in which placements are tried; see `RandomOrder`."""

    option_order: OptionOrder
    restarts: bool
    hardest_first: bool


class WorkersParameters(TypedDict, total=False):
    """Workers and checkpoint; see `ParallelOptions`."""

    jobs: int
    checkpoint: str | Path | None
    cluster: str | None
    audit: float


class ParallelParameters(WorkersParameters, total=False):
    """Workers, checkpoint and order of sub-problems; see `ParallelOptions`."""

    subproblem_order: SubProblemOrder


class SearchParameters(CountingParameters, LimitedParameters, total=False):
    """The parameters of every search."""

    # Number of solutions after which the search ends; None means no limit.
    limit: int | None


class TrialsParameters(SearchParameters, WorkersParameters, total=False):
    """The parameters of `trials`."""


class JobParameters(SearchParameters, OrderedParameters, total=False):
    """The parameters of `make_jobs`."""

    disassemble: bool


class CountParameters(SearchParameters, ParallelParameters, total=False):
    """The parameters of `count`."""

    option_order: OptionOrder
    # Whether the assemblies of a packing puzzle are taken apart.
    disassemble: bool


class SolveParameters(SearchParameters, OrderedParameters, ParallelParameters, total=False):
    """The parameters of `solve`."""


class DecisionParameters(LimitedParameters, OrderedParameters, ParallelParameters, total=False):
    """The parameters of `has_solution`."""


def make_jobs(
    puzzles: Iterable[Puzzle | str | Path],
    backend: Solver,
    *,
    symmetry: SymmetryValue | None = None,
    labelled: bool = False,
    reduce: Iterable[str] = (),
    triggers: Iterable[str] = (),
    config: Mapping[str, object] | None = None,
    limits: Limits | None = None,
    limit: int | None = None,
    time_limit: float | str | None = None,
    seed: int = 0,
    option_order: OptionOrder = "given",
    restarts: bool = False,
    hardest_first: bool = False,
    disassemble: bool = False,
) -> list[Job]:
    """Return a job for each puzzle, catalogue name or file.

    Reductions, triggers, option order, and limits on solutions and time are checked before a puzzle
    is loaded. `config` has precedence over the settings of a backend that is an object. If
    `symmetry` is None, the symmetry is `unique`, or the convention of the count in the puzzle's
    file if this convention can be determined (see `by_convention`). The config is checked when the
    job is planned.

    Raises `ConfigError` for an invalid value, and for a limit that is set twice. Also raises the
    errors of `load`.
    """

    request = Request.named(symmetry or "unique", labelled, reduce, triggers)
    name, settings = solver_of(backend)
    if symmetry is None and isinstance(name, str):
        named_backend(name)  # checked first, because `by_convention` may take time
    random = _random_order(option_order, restarts, hardest_first, seed)
    settings = {**settings, **config} if settings and config else config or settings
    limits = _all_limits(limits, limit, time_limit)
    loaded = (load(puzzle) if isinstance(puzzle, str | Path) else puzzle for puzzle in puzzles)
    return [
        Job(
            puzzle,
            request if symmetry else by_convention(request, puzzle),
            name,
            settings,
            limits,
            seed,
            random=random,
            disassembles=disassemble,
        )
        for puzzle in loaded
    ]


def _random_order(
    option_order: OptionOrder, restarts: bool, hardest_first: bool, seed: int
) -> RandomOrder | None:
    """Return the random order, or None for the puzzle's order of options.

    Raises `ConfigError` for an unknown order, and for settings of a random order without one.
    """
    if option_order not in get_args(OptionOrder):
        raise unknown_name("option_order", option_order, get_args(OptionOrder))
    if option_order != "given":
        return RandomOrder(seed, restarts, hardest_first, option_order == WITHIN_ITEMS)
    if restarts or hardest_first:
        name = "restarts" if restarts else "hardest_first"
        raise ConfigError(f'{name} needs option_order="random" (--option-order random)')
    return None


def open_runs(
    puzzle: Puzzle | str | Path,
    backend: Solver,
    changed: Callable[[Job], Job] | None = None,
    *,
    jobs: int = 1,
    checkpoint: str | Path | None = None,
    cluster: str | None = None,
    subproblem_order: SubProblemOrder = "serial",
    audit: float = AUDITED,
    **asked: Unpack[JobParameters],
) -> Runs:
    """Return `Runs` of a single job, on workers and with a checkpoint if they are requested.

    `changed` is called with the job and returns the job to run instead; None keeps the job. Raises
    `ConfigError` for an invalid value.
    """
    options = ParallelOptions(jobs, cluster, checkpoint, subproblem_order, audit)
    (job,) = make_jobs([puzzle], backend, **asked)
    return Runs([changed(job) if changed else job], options, reuse=True)


def threads_of(jobs: int, backend: Solver, *, uniform: bool) -> int:
    """Return the number of threads that sample for a value of `jobs` other than 1.

    Raises `ConfigError` for invalid `jobs`, and for samples that cannot be drawn in threads.
    """
    threads = ParallelOptions(jobs).workers
    if solver_of(backend)[0] not in (AUTO, THREADED) or not uniform:
        expected = f"expected 1, or uniform samples by {THREADED} or {AUTO}"
        raise ConfigError(f"jobs is {jobs}, but only {THREADED} samples with threads; {expected}")
    return threads


def _all_limits(limits: Limits | None, limit: int | None, time_limit: float | str | None) -> Limits:
    """Return `limits`, by default without limits, with `limit` and `time_limit` added.

    Raises `ConfigError` for an invalid limit, for a limit that is set twice, and for a limit on
    memory that this system cannot enforce.
    """

    limits = Limits() if limits is None else limits
    if not isinstance(limits, Limits):
        return limits  # `Job` raises the error
    if limits.memory_bytes is not None:
        check_memory_limit("limits.memory_bytes")
    if limit is not None:
        _check_unset("limit", limit, "solutions", limits.solutions)
        if limit == 0:
            raise ConfigError("limit is 0; expected 1 or more solutions")
        limits = replace(limits, solutions=limit)
    if time_limit is not None:
        _check_unset("time_limit", time_limit, "time_s", limits.time_s)
        limits = replace(limits, time_s=parse_seconds(time_limit))
    return limits


def _check_unset(name: str, value: object, field: str, present: object) -> None:
    """Raise `ConfigError` if `limits` already sets the limit that `name` sets.

    `field` is the field of `limits`, and `present` is its value.
    """
    if present is not None:
        given = f"{name} is {show(value)}"
        raise ConfigError(f"{given} and limits.{field} is {present}; expected one of them")


def signatures_of(parameters: type) -> dict[str, Parameter]:
    """Return the parameters of a type such as `SearchParameters` by name.

    Their types and defaults are those of `make_jobs` and `open_runs`.
    """
    defined = {
        **inspect.signature(make_jobs).parameters,
        **inspect.signature(open_runs).parameters,
    }
    return {
        name: _with_values(parameter, globals())
        for name, parameter in defined.items()
        if name in parameters.__annotations__
    }


def _with_values(parameter: Parameter, names: Mapping[str, object]) -> Parameter:
    """Return a parameter with `Literal['a', 'b']` in its annotation in place of the type's name.

    Other names stay as they are written, because `help` would show evaluated annotations in a much
    longer form.
    """

    def shown(word: re.Match[str]) -> str:
        value = names.get(word[0])
        return str(value).removeprefix("typing.") if get_origin(value) is Literal else word[0]

    return parameter.replace(annotation=re.sub(r"\w+", shown, str(parameter.annotation)))


def spelled_out(parameters: type) -> Callable[[Function], Function]:
    """Return a decorator that replaces `**asked: Unpack[parameters]` in a function's signature.

    `help` and `inspect.signature` then show each parameter with its type and default. A call whose
    arguments do not match the signature raises `TypeError`.
    """

    def decorate(function: Function) -> Function:
        declared = inspect.signature(function)
        named = [
            _with_values(parameter, function.__globals__)
            for parameter in declared.parameters.values()
            if parameter.kind != Parameter.VAR_KEYWORD
        ]
        every = sorted([*signatures_of(parameters).values(), *named], key=attrgetter("kind"))
        shown = declared.replace(parameters=every)

        @wraps(function)
        def checked(*args: object, **kwargs: object) -> object:
            __tracebackhide__ = True
            try:
                shown.bind(*args, **kwargs)
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            return function(*args, **kwargs)

        checked.__signature__ = shown  # type: ignore[attr-defined]
        return checked  # type: ignore[return-value]

    return decorate


class Convention(NamedTuple):
    """A convention that defines which assemblies count as the same assembly."""

    symmetry: Symmetry
    labelled: bool

    def __str__(self) -> str:
        return f"{self.symmetry} labelled" if self.labelled else str(self.symmetry)

    def refines(self, other: Convention) -> bool:
        """Return whether this convention distinguishes all assemblies that `other` does."""
        ranks = COARSEST_FIRST.index(self.symmetry), COARSEST_FIRST.index(other.symmetry)
        return ranks[0] >= ranks[1] and self.labelled >= other.labelled


CONVENTIONS = tuple(
    Convention(symmetry, labelled)
    for labelled in (False, True)
    for symmetry in (Symmetry.UNIQUE, Symmetry.MIRROR, Symmetry.ALL)
)


@dataclass(frozen=True)
class Comparison:
    """Counts according to several conventions, compared with the number in a file."""

    # The convention that yields the number; None if no convention does.
    convention: Convention | None
    # Counts according to the conventions that were tried without success; None for a count that
    # failed or needed too many nodes.
    counts: dict[Convention, int | None]


_compared: dict[tuple[str, int, bool], Comparison] = {}


def by_convention(request: Request, puzzle: Puzzle) -> Request:
    """Return a request with the convention that yields the count in the puzzle's file.

    The request is unchanged if the file has no count, or if no convention yields this count. A
    `labelled` request stays labelled.
    """
    found = comparison(puzzle, labelled=request.labelled, counts=True)
    if found is None or found.convention is None:
        return request
    return replace(request, **found.convention._asdict())


def comparison(puzzle: Puzzle, *, labelled: bool, counts: bool = False) -> Comparison | None:
    """Compare the counts of conventions with the number of assemblies in the puzzle's file.

    With `labelled`, only labelled conventions are compared. Returns None if the file has no number.
    If `counts` is False, nothing is counted: the result of an earlier comparison in this process is
    returned, or None.
    """
    assembled = puzzle.assembled if isinstance(puzzle, PackingPuzzle) else None
    recorded = None if assembled is None else assembled.recorded
    if recorded is None:
        return None
    key = puzzle.digest, recorded, labelled
    if counts and key not in _compared:
        if len(_compared) >= MAX_REMEMBERED:
            _compared.clear()
        _compared[key] = _compare(puzzle, recorded, labelled)
    return _compared.get(key)


def _compare(puzzle: Puzzle, recorded: int, labelled: bool) -> Comparison:
    """Count by each possible convention in turn until a convention yields the recorded number.

    If `labelled`, only labelled conventions are possible.
    """
    counts: dict[Convention, int | None] = {}
    nodes_left = MAX_NODES
    for convention in CONVENTIONS:
        if convention.labelled < labelled or not _may_yield(convention, recorded, counts):
            continue
        count, nodes = _count(puzzle, convention, nodes_left)
        if count == recorded:
            return Comparison(convention, counts)
        counts[convention] = count
        nodes_left = max(0, nodes_left - nodes)
    return Comparison(None, counts)


def _may_yield(convention: Convention, recorded: int, counts: dict[Convention, int | None]) -> bool:
    """Return whether a convention may yield the recorded number, according to `counts` so far."""
    return all(
        (not convention.refines(other) or count <= recorded)
        and (not other.refines(convention) or recorded <= count)
        for other, count in counts.items()
        if count is not None
    )


def _count(puzzle: Puzzle, convention: Convention, max_nodes: int) -> tuple[int | None, int]:
    """Return the number of assemblies, and the number of nodes searched.

    The number of assemblies is None if the count needs more than `max_nodes` nodes or fails. The
    number of nodes is 0 if it is unknown.
    """

    broken = (Reduction(ReductionName.REDUNDANCY),)
    request = Request(**convention._asdict(), reductions=broken)
    for backend in ("bitset", "dlx"):
        try:
            result = finish(run(Job(puzzle, request, backend, limits=Limits(nodes=max_nodes))))
        except DovetailError:  # the later run of the job reports the error
            return None, 0
        if result.status != Status.SKIPPED:
            break
    exact = result.count if result.status == Status.EXHAUSTED else None
    return exact, result.nodes or 0
