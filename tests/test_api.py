"""The Python API, as its documentation shows it."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pytest

import dovetail
from dovetail.models.outcome import Status
from harness.suite.bench_here import bench_here


def test_count_and_limits() -> None:
    """A result says what its count is worth."""
    result = dovetail.count("queens-8", symmetry="all")
    assert (result.status, result.count, result.nodes) == (Status.EXHAUSTED, 92, 1198)
    cut = dovetail.count("queens-30", symmetry="all", limits=dovetail.Limits(nodes=1000))
    assert (cut.status, cut.nodes) == (Status.NODE_LIMIT, 1000)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"limits": 0}, "limits is 0; expected Limits"),
        ({"backend": None}, "backend is None; expected its name"),
    ],
)
def test_arguments_of_another_type(wrong: dict[str, Any], message: str) -> None:
    """A `DovetailError` that names the argument and what is expected."""
    with pytest.raises(dovetail.ConfigError, match=re.escape(message)):
        dovetail.count("soma-cube", **wrong)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"time_s": "5"}, "limit time_s is '5'; expected a number, or None for no limit"),
        ({"time_s": float("nan")}, "limit time_s is nan; expected 0 or more"),
        ({"nodes": 1.5}, "limit nodes is 1.5; expected a whole number"),
        ({"nodes": 2**63}, f"limit nodes is {2**63}; expected {2**63 - 1:,} or less"),
        ({"time_s": float("inf")}, f"limit time_s is inf; expected {2**63 - 1:,} or less"),
    ],
)
def test_limits_of_another_type(limits: dict[str, Any], message: str) -> None:
    """The same for each of them."""
    with pytest.raises(dovetail.ConfigError, match=re.escape(message)):
        dovetail.Limits(**limits)


HUGE = 10**5000  # Python does not convert it to text


@pytest.mark.parametrize(
    "call",
    [
        lambda: dovetail.Limits(nodes=HUGE),
        lambda: dovetail.Limits(time_s=-HUGE),
        lambda: dovetail.SquareLattice(HUGE),
        lambda: dovetail.count("queens-6", jobs=HUGE),
        lambda: dovetail.count("queens-6", limit=HUGE, limits=dovetail.Limits(solutions=1)),
        lambda: dovetail.count("queens-6", seed=-HUGE),
        lambda: dovetail.count("queens-6", symmetry=HUGE),  # type: ignore[arg-type]
        lambda: dovetail.count("queens-6", time_limit=HUGE),
        lambda: dovetail.count("queens-6", reduce=(HUGE,)),  # type: ignore[arg-type]
        lambda: dovetail.count("pentominoes-3x20", "frontier", config={"threads": HUGE}),
        lambda: dovetail.improve("edges-4-b3i3-1", "beam", config={"width": HUGE}),
        lambda: dovetail.estimate("queens-6", "dlx", descents=-HUGE),
        lambda: dovetail.estimate("queens-6", "dlx", population=HUGE),
        lambda: next(dovetail.sample("queens-6", -HUGE)),
        lambda: dovetail.trials("pentominoes-3x20", HUGE, 3),
        lambda: dovetail.bench("queens-6", "dlx", repeats=-HUGE),
        lambda: dovetail.Piece("A", ((0, 0),), weight=HUGE),
        lambda: dovetail.Piece("A", ((0, 0),), max_count=HUGE),
    ],
)
def test_integers_of_very_many_digits(call: Callable[[], object]) -> None:
    """An error of one line; the first digits stand for all."""
    with pytest.raises(dovetail.DovetailError, match=r"^[^\n]{1,200}$"):
        call()


@pytest.mark.parametrize("wrong", [-1, 1.5, "9", None, 2**63])
def test_limits_on_states(wrong: Any) -> None:
    """Refused before a search; a fraction would never be reached."""
    with pytest.raises(dovetail.ConfigError, match="state_limit is"):
        dovetail.disassemble("pentominoes-3x20", state_limit=wrong)


@pytest.mark.parametrize(
    ("improver", "setting"), [("beam", "width"), ("beam", "weight"), ("breaks", "schedule")]
)
def test_digits_of_other_scripts(improver: str, setting: str) -> None:
    """The Arabic digit 3 is not read as 3."""
    with pytest.raises(dovetail.ConfigError, match=f"{setting} .*\u0663"):
        dovetail.improve("edges-4-b3i3-1", improver, config={setting: "\u0663"}, time_limit=0.1)


def test_mistakes_that_mypy_finds() -> None:
    """mypy would report an ignored error that it did not find; the calls raise the same."""
    cube = "soma-cube"
    mistakes: list[tuple[str, Callable[[], object]]] = [
        ("symmetry 'uniqe'", lambda: dovetail.count(cube, symmetry="uniqe")),  # type: ignore[arg-type]
        ("option_order 'ramdom'", lambda: dovetail.has_solution(cube, option_order="ramdom")),  # type: ignore[arg-type]
        ("option_order 'given'", lambda: dovetail.trials(cube, 1, 2, option_order="given")),  # type: ignore[arg-type]
        ("subproblem_order 'best'", lambda: dovetail.bench(cube, subproblem_order="best")),  # type: ignore[arg-type]
        ("objective 'tile'", lambda: dovetail.improve("edges-4-b3i3-1", objective="tile")),  # type: ignore[arg-type]
    ]
    for message, call in mistakes:
        with pytest.raises(dovetail.ConfigError, match=f"unknown {message}; .*valid: "):
            call()


def test_a_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty lines that `mypy --strict` checks with the tests."""
    bench_here(monkeypatch)
    monkeypatch.setattr("sys.argv", ["", str(tmp_path)])
    run_path(str(Path(__file__).with_name("api_script.py")))


def test_what_is_no_puzzle() -> None:
    """Neither one, nor a name, nor a file."""
    with pytest.raises(dovetail.ConfigError, match="puzzle is 5; expected a puzzle, a catalogue"):
        dovetail.count(5)  # type: ignore[arg-type]
    with pytest.raises(dovetail.ConfigError, match="puzzle is 5; expected a catalogue name or a"):
        dovetail.load(5)  # type: ignore[arg-type]
    for dimension in ("2", 2.0, None):
        with pytest.raises(dovetail.PuzzleError, match="dimensions; expected 1 to 6"):
            dovetail.SquareLattice(dimension)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"descents": 0}, {"descents": True}, {"seed": np.int64(3)}])
def test_numbers_of_an_estimate_are_whole_python_numbers(wrong: dict[str, Any]) -> None:
    """A seed of numpy would overflow in the arithmetic of random streams."""
    with pytest.raises(dovetail.ConfigError, match="expected a whole number"):
        dovetail.estimate("queens-4", **wrong)


def test_limits_by_name() -> None:
    """A number of solutions, and a time as people write it."""
    assert len(list(dovetail.solve("queens-8", symmetry="all", limit=2))) == 2
    cut = dovetail.count("queens-8", "dlx", symmetry="all", limit=5)
    assert (cut.status, cut.count) == (Status.SOLUTION_LIMIT, 5)
    late = dovetail.count("queens-30", "dlx", symmetry="all", time_limit="50ms")
    assert late.status == Status.TIME_LIMIT


def test_the_catalogue() -> None:
    """Every example is a puzzle, and an entry cannot be changed."""
    entries = dovetail.catalogue()
    assert len({entry.pattern for entry in entries}) == len(entries) > 15
    assert all(entry.summary and entry.examples for entry in entries)
    with pytest.raises(AttributeError):
        entries[0].pattern = "x"  # type: ignore[misc]


def test_a_bench_of_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one of a suite, with the parameters of `count`."""
    bench_here(monkeypatch)
    puzzles = ["queens-5", dovetail.load("queens-6")]
    results = dovetail.bench(puzzles, ["dlx", "bitset"], repeats=2, symmetry="unique")
    found = [(one.job.puzzle, one.job.backend, one.result.count) for one in results]
    backends = ("dlx", "bitset")
    assert found[:2] == [("queens-5", backend, 2) for backend in backends]
    assert found[2:] == [("queens-6", backend, 1) for backend in backends]
    assert {len(one.repeats) for one in results} == {2}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"puzzles": []}, "no puzzles given"),
        ({"puzzles": "quickly"}, "unknown suite or puzzle 'quickly'; did you mean 'quick'?"),
    ],
)
def test_what_cannot_be_benched(asked: dict[str, Any], message: str) -> None:
    """A suite and puzzles together, and a suite that is none."""
    with pytest.raises(dovetail.ConfigError, match=re.escape(message)):
        dovetail.bench(**asked)


def test_verify(tmp_path: Path) -> None:
    """Solutions one by one, several, and those of a file."""
    first, second = list(dovetail.solve("queens-8", symmetry="all", limit=2))
    assert dovetail.verify("queens-8", first) == dovetail.Verification(1, 1)
    again = dovetail.verify("queens-8", [first, second, first])
    assert (again.total, again.distinct, again.valid) == (3, 2, True)
    file = tmp_path / "two.txt"
    file.write_text(f"{first}\n\n{str(second)[:-3]}\n")
    (wrong,) = dovetail.verify("queens-8", file).wrong
    assert (wrong.number, wrong.line) == (2, 3)
    with pytest.raises(dovetail.PuzzleError, match="for another kind of puzzle"):
        dovetail.verify("soma-cube", first)


def test_solve_is_an_iterator() -> None:
    """The first solution of a puzzle that nobody could exhaust comes at once."""
    solutions = dovetail.solve("queens-30", symmetry="all")
    assert dovetail.solution_error(dovetail.load("queens-30"), next(solutions)) is None
    solutions.close()  # type: ignore[attr-defined]


def test_decisions() -> None:
    """True at the first solution, False after the whole tree, and an error at a limit."""
    assert dovetail.has_solution("queens-30")
    assert dovetail.has_solution("soma-cube", "dlx", option_order="random", seed=3, jobs=2)
    assert not dovetail.has_solution("langford-5", time_limit="1m")
    few = dovetail.Limits(nodes=10)
    with pytest.raises(dovetail.LimitError, match=r"^queens-30: auto ended with status node-limit"):
        dovetail.has_solution("queens-30", limits=few)
    assert dovetail.has_solution("queens-6", limits=dovetail.Limits(solutions=3))


def test_a_listing_that_was_cut_raises() -> None:
    """Nobody takes it for all solutions."""
    listing = dovetail.solve("queens-30", symmetry="all", limits=dovetail.Limits(nodes=2000))
    with pytest.raises(dovetail.LimitError, match="node-limit"):
        list(listing)


def test_everything_public_is_there() -> None:
    """All names resolve, and are listed."""
    for name in dovetail.__all__:
        assert getattr(dovetail, name) is not None
    assert dir(dovetail) == sorted(dovetail.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        dovetail.nonsense  # noqa: B018


@pytest.mark.parametrize("name", ["dovetail", *dovetail.__all__])
def test_examples_in_docstrings(name: str) -> None:
    """Every public function and class has one, which shows what it says."""
    public = {each: getattr(dovetail, each) for each in dovetail.__all__}
    shown = public.get(name, dovetail)
    (examples,) = doctest.DocTestFinder(recurse=False).find(
        shown, name, globs={**public, "dovetail": dovetail}
    )
    failed, tried = doctest.DocTestRunner().run(examples)
    assert (failed, tried > 0) == (0, True)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: dovetail.count("soma-cube", "rows"),
        lambda: next(dovetail.solve("soma-cube", "rows")),
    ],
)
def test_refusals_raise(ask: Callable[[], object]) -> None:
    """With the reason, whatever was asked; a bench records them."""
    with pytest.raises(dovetail.BackendError) as caught:
        ask()
    assert str(caught.value) == "soma-cube: rows refuses: it supports edge-matching puzzles only"
