"""The parameters of a question: the same for the API, the commands and the pytest plugin."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dovetail
from dovetail.errors import ConfigError
from dovetail.harness.parameters import (
    JobParameters,
    ParallelParameters,
    SolveParameters,
    make_jobs,
    signatures_of,
)
from dovetail.harness.pytest_plugin.solution_count import SolutionCount
from dovetail.harness.sizes import about_s, parse_seconds, parse_size

SEARCH = [
    *("symmetry", "labelled", "reduce", "triggers", "config"),
    *("limits", "limit", "time_limit", "seed"),
]
ORDER = ["option_order", "restarts", "hardest_first"]
PARALLEL = ["jobs", "checkpoint", "cluster", "subproblem_order", "audit"]
DECISION = [name for name in SEARCH if name not in ("symmetry", "labelled", "limit")]
BENCH = ["repeats", "only", "output", "parallel", *PARALLEL, "cold"]
COUNTING = ["symmetry", "labelled", "config", "seed"]
ESTIMATE = [*COUNTING, "reduce", "descents", "time_limit", "population"]
SAMPLE = [*COUNTING, "limits", "time_limit", "uniform", "jobs"]
TRIALS = [*SEARCH, *(name for name in PARALLEL if name != "subproblem_order")]
SHOWN: list[tuple[Callable[..., Any], list[str]]] = [
    (dovetail.count, ["puzzle", "backend", *SEARCH, "option_order", "disassemble", *PARALLEL]),
    (dovetail.solve, ["puzzle", "backend", *SEARCH, *ORDER, *PARALLEL]),
    (dovetail.has_solution, ["puzzle", "backend", *DECISION, *ORDER, *PARALLEL]),
    (dovetail.trials, ["puzzle", "trials", "remaining", "backend", *TRIALS, "option_order"]),
    (dovetail.estimate, ["puzzle", "backend", *ESTIMATE]),
    (dovetail.sample, ["puzzle", "count", "backend", *SAMPLE]),
    (dovetail.bench, ["puzzles", "backends", *SEARCH, *BENCH]),
    (
        SolutionCount.__call__,
        ["self", "puzzle", "backend", *SEARCH, "nodes", "benchmark", "rounds"],
    ),
]


def test_the_types_have_every_parameter() -> None:
    """What a checker of types accepts is what `make_jobs` takes by keyword."""
    keywords = [
        one.name
        for one in inspect.signature(make_jobs).parameters.values()
        if one.kind == inspect.Parameter.KEYWORD_ONLY
    ]
    assert keywords == [*SEARCH, *ORDER, "disassemble"]
    assert set(JobParameters.__annotations__) == set(keywords)
    assert list(signatures_of(ParallelParameters)) == PARALLEL


@pytest.mark.parametrize(("function", "names"), SHOWN)
def test_functions_show_them(function: Callable[..., Any], names: list[str]) -> None:
    """With the defaults of `make_jobs`, so that `help` shows what can be asked."""
    shown = inspect.signature(function).parameters
    assert list(shown) == names
    common = signatures_of(SolveParameters)
    separate = {dovetail.estimate: "time_limit", dovetail.trials: "option_order"}.get(function)
    shared = [name for name in names if name in common and name != separate]
    assert [shown[name] for name in shared] == [common[name] for name in shared]


def test_limits_one_by_one() -> None:
    """Beside other limits, which stay."""
    limits = dovetail.Limits(nodes=7)
    (job,) = make_jobs(["queens-4"], "dlx", limits=limits, limit=3, time_limit="2m")
    assert job.limits == dovetail.Limits(time_s=120, nodes=7, solutions=3)
    (job,) = make_jobs(["queens-4"], "dlx", time_limit=1.5)
    assert job.limits == dovetail.Limits(time_s=1.5)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"limit": 2, "limits": dovetail.Limits(solutions=2)}, "limit is 2 and limits.solu"),
        ({"time_limit": "soon"}, "time is 'soon'; expected seconds"),
    ],
)
def test_limits_that_cannot_be(asked: dict[str, Any], message: str) -> None:
    """One set twice among them."""
    with pytest.raises(dovetail.ConfigError, match=re.escape(message)):
        make_jobs(["queens-4"], "dlx", **asked)


@pytest.mark.parametrize(
    ("time", "seconds"),
    [(0.25, 0.25), (np.float64(2.5), 2.5), (" 1.5 m ", 90.0), (".5h", 1800.0), ("300ms", 0.3)],
)
def test_seconds(time: float | str, seconds: float) -> None:
    """A number, or text with a unit."""
    assert parse_seconds(time) == pytest.approx(seconds)


def test_the_largest_size_in_bytes() -> None:
    """Sizes up to 2^60 bytes need no unit."""
    assert parse_size("9000000000000000") == 9_000_000_000_000_000
    assert parse_size(str(2**60)) == 2**60


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (5e-4, "less than 1 ms"),
        (0.123, "120 ms"),
        (9.26, "9.3 s"),
        (150.0, "150 s"),
        (240.0, "4 min"),
        (50_000.0, "14 h"),
        (1e6, "12 days"),
        (7.1e9, "220 years"),
    ],
)
def test_an_approximate_time(seconds: float, text: str) -> None:
    assert about_s(seconds) == text


NO_TEXTS = ["", "-5s", "nan", "5 apples", "1h30", "9" * 99, "5ſ", "5mın"]
NO_NUMBERS = [-1, float("nan"), 10**400, True, None]


@pytest.mark.parametrize("time", [*NO_TEXTS, *NO_NUMBERS])
def test_what_is_no_time(time: Any) -> None:
    """One line that shows what was given, and how a time is written."""
    with pytest.raises(ConfigError, match="expected seconds, or a time such as 5s, 2m or 1h"):
        parse_seconds(time)
