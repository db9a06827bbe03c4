"""Boolean models of covers as input of solvers."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.errors import FormatError, PuzzleError
from dovetail.models.clauses import Clauses
from dovetail.models.cover import CoverProblem, Member, cover_problem
from dovetail.puzzles.formats import solver_input
from dovetail.puzzles.formats.registry import format_named, puzzle_formats
from dovetail.puzzles.formats.solver_input import add_bound, counter_size
from dovetail.puzzles.loading import load, load_all
from oracle.brute_force import covers
from oracle.solver_formats import Model, cnf_models, opb_models, shown, xcsp3_models
from oracle.strategies import cover_problems

NAMES = [one.name for one in puzzle_formats().values() if not one.readable]
MODELS: dict[str, Callable[[str], list[Model]]] = {
    "dimacs": cnf_models,
    "opb": opb_models,
    "xcsp3": xcsp3_models,
}


def chosen_options(models: list[Model], option_count: int) -> list[tuple[int, ...]]:
    """Return the options of each model, in ascending order."""
    return sorted(
        tuple(sorted(one - 1 for one in model if one <= option_count)) for model in models
    )


def check(name: str, problem: CoverProblem) -> None:
    """Check that each solution is exactly one model, auxiliary variables included."""
    text = format_named(name).text(problem)
    models = MODELS[name](text)
    assert chosen_options(models, problem.option_count) == sorted(covers(problem))


@pytest.mark.parametrize("name", MODELS)
@given(problem=cover_problems())
@settings(max_examples=20)
def test_every_solution_is_one_model(name: str, problem: CoverProblem) -> None:
    """XCSP3 refuses problems without options."""
    if name == "xcsp3" and problem.option_count == 0:
        with pytest.raises(PuzzleError, match="no empty arrays"):
            format_named(name).text(problem)
        return
    check(name, problem)


@st.composite
def colourful_problems(draw: st.DrawFn) -> CoverProblem:
    """Draw a problem with an item of many options and an item of many colours."""
    options: list[list[Member]] = []
    for _ in range(draw(st.integers(5, 10))):
        colour = draw(st.integers(0, 3))
        options.append(["a", "b" if colour == 0 else ("b", colour)])
    lower = draw(st.integers(0, 4))
    bounds = (lower, draw(st.integers(max(lower, 1), 9)))
    return cover_problem("colourful", [("a", *bounds)], options, secondary=["b"])


@pytest.mark.parametrize("name", MODELS)
@given(problem=colourful_problems())
@settings(max_examples=15)
def test_auxiliary_variables_do_not_multiply_models(name: str, problem: CoverProblem) -> None:
    check(name, problem)


@pytest.mark.parametrize("size", range(8))
def test_choices_within_bounds_have_one_extension_to_clauses(size: int) -> None:
    for lower in range(size + 2):
        for upper in range(max(lower, 1), size + 3):
            clauses = Clauses(size)
            add_bound(clauses, range(1, size + 1), lower, upper)
            lines = [f"p cnf {clauses.variable_count} {len(clauses.clauses)}"]
            lines += [" ".join(map(str, clause)) + " 0" for clause in clauses.clauses]
            found = chosen_options(cnf_models("\n".join(lines)), size)
            counts = range(lower, min(upper, size) + 1)
            assert found == sorted(s for n in counts for s in combinations(range(size), n))
            if lower <= size:
                assert clauses.variable_count <= size + counter_size(size, lower, upper)


def test_the_projection_of_a_cnf_is_the_options() -> None:
    problem = load("queens-4")
    text = format_named("dimacs").text(problem)
    assert text.startswith("c t pmc\n")
    assert shown(text) == frozenset(range(1, 17))
    assert "\nc option 15 is variable 16: file 3 rank 3 rising 0 falling 6\n" in text


needs_minizinc = pytest.mark.skipif(
    shutil.which("minizinc") is None, reason="minizinc is not installed"
)


def minizinc(path: Path) -> str:
    """Return all solutions of a model as Gecode prints them."""
    words = ["minizinc", "--solver", "gecode", "--all-solutions", str(path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


@needs_minizinc
@given(problem=cover_problems())
@settings(max_examples=12)
def test_gecode_lists_each_solution_once(
    tmp_path_factory: pytest.TempPathFactory, problem: CoverProblem
) -> None:
    path = tmp_path_factory.mktemp("minizinc") / "cover.mzn"
    path.write_text(format_named("minizinc").text(problem))
    arrays = re.findall(r"x = \[([^]]*)\];", minizinc(path))
    found = [re.findall("[01]", array) for array in arrays]
    assert sorted(
        tuple(option for option, value in enumerate(values) if value == "1") for values in found
    ) == sorted(covers(problem))


def test_a_minizinc_model_has_sums_existence_and_false() -> None:
    problem = cover_problem(
        "small",
        ["a", ("b", 2, 3), ("c", 0, 1), "d"],
        [["a", "b", "s"], ["b", ("s", 1)], ["b", "c", ("s", 1)], ["b", "c", ("s", 2)]],
        secondary=["s"],
    )
    text = format_named("minizinc").text(problem)
    assert re.findall("^constraint .*", text, re.MULTILINE) == [
        "constraint sum([x[0]]) = 1; % a",
        "constraint sum([x[0], x[1], x[2], x[3]]) >= 2; % b",
        "constraint sum([x[0], x[1], x[2], x[3]]) <= 3; % b",
        "constraint sum([x[2], x[3]]) <= 1; % c",
        "constraint false; % d",
        "constraint sum([x[0], exists([x[1], x[2]]), x[3]]) <= 1; % s",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_an_item_cannot_end_a_comment(name: str) -> None:
    problem = cover_problem("odd", ['a--->"<&', "b\n1 0"], [['a--->"<&'], ["b\n1 0"]])
    text = format_named(name).text(problem)
    if name in MODELS:
        assert MODELS[name](text) == [frozenset({1, 2})]
    assert "\n1 0" not in text.replace("\n1 0\n", "")


@pytest.mark.parametrize("name", NAMES)
def test_input_of_solvers_is_refused_as_a_puzzle(tmp_path: Path, name: str) -> None:
    chosen = format_named(name)
    content = chosen.text(load("queens-4"))
    for file_name in (f"queens{chosen.suffixes[0]}", "queens", "queens.txt"):
        path = tmp_path / file_name
        path.write_text(content)
        with pytest.raises(FormatError, match="input for solvers, which dovetail writes and does"):
            load(path)
    with pytest.raises(FormatError, match="expected the puzzle that it was written from"):
        load_all(path, name)


def test_a_cnf_with_too_many_counters_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_input, "MAX_COUNTERS", 20)
    problem = cover_problem("wide", [("a", 3, 4)], [["a"]] * 12)
    with pytest.raises(PuzzleError, match="options of item a and those before it; OPB, MiniZinc"):
        format_named("dimacs").text(problem)
    assert "<sum" in format_named("xcsp3").text(problem)
