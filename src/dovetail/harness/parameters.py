"""The parameters of a question to a solver, defined once for the API, the commands and the plugin.

A function takes those that it can use as `**asked: Unpack[…]` of one of the types below.
`make_jobs` has their defaults and makes jobs of them. It imports what it needs when it is called:
commands get their options and help from this module before anything heavy is loaded.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from dovetail.errors import ConfigError, shorten

if TYPE_CHECKING:
    from dovetail.harness.run.job import Job, Limits, RandomOrder
    from dovetail.models.task import Puzzle

Function = TypeVar("Function", bound=Callable[..., Any])


class Parameters(TypedDict, total=False):
    """What every question has.

    `symmetry`: which solutions count as one, `all`, `unique` or `mirror`; None for `unique`, or for
    what the file of a solved BurrTools puzzle counts. `labelled`: identical pieces and tiles count
    as different ones. `config`: settings of the backend, by their keys. `seed`: that of every
    random choice which has no other.
    """

    symmetry: str | None
    labelled: bool
    config: Mapping[str, object] | None
    seed: int


class LimitedParameters(Parameters, total=False):
    """With `limits`, at which a run is cut short; None for no limit.

    `time_limit` is one of them alone: seconds, or text such as "5s", "2m" or "1h".
    """

    limits: Limits | None
    time_limit: float | str | None


class ReducedParameters(Parameters, total=False):
    """With the filters to `reduce` the placements by, each one of `REDUCTION_FORMS`."""

    reduce: Iterable[str]


class TriggeredParameters(ReducedParameters, total=False):
    """With backtrack `triggers`, each one of `TRIGGER_FORMS`."""

    triggers: Iterable[str]


class SearchParameters(TriggeredParameters, LimitedParameters, total=False):
    """What any search takes; `limit` is the number of solutions after which it stops."""

    limit: int | None


class OrderedParameters(SearchParameters, total=False):
    """With the `random` order in which placements are tried; None for the options' own order."""

    random: RandomOrder | None


def make_jobs(
    puzzles: Iterable[Puzzle | str | Path],
    backend: str,
    *,
    symmetry: str | None = None,
    labelled: bool = False,
    reduce: Iterable[str] = (),
    triggers: Iterable[str] = (),
    config: Mapping[str, object] | None = None,
    limits: Limits | None = None,
    limit: int | None = None,
    time_limit: float | str | None = None,
    seed: int = 0,
    random: RandomOrder | None = None,
) -> list[Job]:
    """Make a job for each puzzle, catalogue name or file, loaded after the parameters are checked.

    Without a `symmetry`, solutions are counted as the number in the puzzle's file was.

    Raises `ConfigError` for a value that is not valid, and for a limit that is set twice; whether
    the backend has such a config is checked when the job is planned.
    """
    from dovetail.harness.convention import by_convention
    from dovetail.harness.planning.named import named_backend
    from dovetail.harness.run.job import Job
    from dovetail.models.request import Request
    from dovetail.puzzles.loading import load

    request = Request.named(symmetry or "unique", labelled, reduce, triggers)
    if symmetry is None and isinstance(backend, str):
        named_backend(backend)  # before anything is counted
    settings = {} if config is None else config
    limits = _all_limits(limits, limit, time_limit)
    loaded = (load(one) if isinstance(one, str | Path) else one for one in puzzles)
    return [
        Job(
            puzzle,
            request if symmetry else by_convention(request, puzzle),
            backend,
            settings,
            limits,
            seed,
            random=random,
        )
        for puzzle in loaded
    ]


def _all_limits(limits: Limits | None, limit: int | None, time_limit: float | str | None) -> Limits:
    """`limits` with those that are set one by one."""
    from dovetail.harness.run.job import Limits
    from dovetail.harness.sizes import parse_seconds
    from dovetail.platform.resources import check_memory_limit

    limits = Limits() if limits is None else limits
    if not isinstance(limits, Limits):
        return limits  # which a job refuses
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
    """Raise `ConfigError` for a limit that `limits` sets already."""
    if present is not None:
        given = f"{name} is {shorten(repr(value))}"
        raise ConfigError(f"{given} and limits.{field} is {present}; expected one of them")


def signatures_of(parameters: type) -> dict[str, Parameter]:
    """The parameters of one of the types above, with their defaults, by name."""
    defined = inspect.signature(make_jobs).parameters
    return {name: one for name, one in defined.items() if name in parameters.__annotations__}


def spelled_out(parameters: type) -> Callable[[Function], Function]:
    """Show every parameter of a function that takes `**asked: Unpack[parameters]`.

    `help` and `inspect.signature` show their names, types and defaults. A call with another
    keyword raises `TypeError`.
    """

    def decorate(function: Function) -> Function:
        written = inspect.signature(function)
        own = [one for one in written.parameters.values() if one.kind != Parameter.VAR_KEYWORD]
        every = sorted([*signatures_of(parameters).values(), *own], key=lambda one: one.kind)
        shown = written.replace(parameters=every)

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
