"""Output of solvers, read as solutions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import assume, given, settings

from dovetail.api import solve
from dovetail.errors import FormatError
from dovetail.files.text_file import TextFile
from dovetail.models.cover import CoverProblem, cover_problem
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.solution import CoverSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle, as_cover, lower
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.formats import solver_output
from dovetail.puzzles.formats.registry import format_named, read_solutions
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from dovetail.puzzles.verification import verify_file
from oracle.brute_force import covers
from oracle.solver_formats import cnf_models, opb_models, xcsp3_models
from oracle.strategies import cover_problems
from puzzles.formats.test_solver_input import minizinc, needs_minizinc

Values = list[bool]


def sat(values: Values) -> str:
    """Return a model as SAT solvers print it, in lines of three literals."""
    words = [str(n if value else -n) for n, value in enumerate(values, start=1)] + ["0"]
    lines = (" ".join(["v", *words[first : first + 3]]) for first in range(0, len(words), 3))
    return "\n".join(["s SATISFIABLE", *lines]) + "\n"


def pseudo_boolean(values: Values) -> str:
    """Return a model as pseudo-Boolean solvers print it."""
    words = (f"{'' if value else '-'}x{n}" for n, value in enumerate(values, start=1))
    return f"c a comment\no -1\ns OPTIMUM FOUND\nv {' '.join(words)}\n"


def array(values: Values) -> str:
    """Return a model as MiniZinc prints it without an output item."""
    words = ", ".join(str(value).lower() for value in values)
    return f"x = array1d(0..{len(values) - 1}, [{words}]);\n----------\n"


def instantiation(values: Values) -> str:
    """Return a model as solvers of XCSP3 print it, with runs of equal values."""
    words = [str(int(value)) for value in values]
    runs = [run[0] for run in re.finditer(r"0+|1+", "".join(words))]
    short = [f"{run[0]}x{len(run)}" if len(run) > 1 else run for run in runs]
    return (
        "s SATISFIABLE\nv <instantiation>\nv  <list> x[] </list>\n"
        f"v  <values> {' '.join(short)} </values>\nv </instantiation>\n"
    )


PRINTED: dict[str, Callable[[Values], str]] = {
    "sat": sat,
    "pseudo-Boolean": pseudo_boolean,
    "array": array,
    "instantiation": instantiation,
}


def text_of(printed: Callable[[Values], str], chosen: Iterable[Iterable[int]], count: int) -> str:
    """Return a file of solutions, given the options that each chooses."""
    sets = map(frozenset, chosen)
    return "".join(printed([option in one for option in range(count)]) for one in sets)


def read(folder: Path, puzzle: Puzzle, text: str) -> list[Solution]:
    """Return the solutions in a file with `text`."""
    path = folder / "printed"
    path.write_text(text)
    return [solution for _, solution in read_solutions(TextFile(path), puzzle)]


@pytest.mark.parametrize("name", PRINTED)
@given(problem=cover_problems())
@settings(max_examples=10)
def test_printed_models_are_read_as_the_solutions(
    tmp_path_factory: pytest.TempPathFactory, name: str, problem: CoverProblem
) -> None:
    expected = sorted(covers(problem))
    assume(expected and problem.option_count)  # a file with nothing in it is refused
    text = text_of(PRINTED[name], expected, problem.option_count)
    found = read(tmp_path_factory.mktemp("printed"), problem, text)
    assert found == [CoverSolution(chosen) for chosen in expected]


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("puzzle_name", ["soma-cube", "edges-4-b3i3-1", "pentominoes-5x6-FLNPUY"])
def test_solutions_are_in_the_terms_of_the_puzzle(
    tmp_path: Path, puzzle_name: str, name: str
) -> None:
    puzzle = load(puzzle_name)
    bare = as_cover(puzzle)
    chosen = [one.options for one in islice(solve(bare, symmetry="all"), 3)]  # type: ignore[union-attr]
    found = read(tmp_path, puzzle, text_of(PRINTED[name], chosen, bare.option_count))
    assert found == [lower(puzzle).options.solution(one) for one in chosen]
    assert all(solution_error(puzzle, solution) is None for solution in found)


@pytest.mark.parametrize(
    ("name", "models", "printed"),
    [("dimacs", cnf_models, sat), ("opb", opb_models, pseudo_boolean)],
)
@given(problem=cover_problems())
@settings(max_examples=10)
def test_auxiliary_variables_are_ignored(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    models: Callable[[str], list[frozenset[int]]],
    printed: Callable[[Values], str],
    problem: CoverProblem,
) -> None:
    chosen = [[one - 1 for one in model] for model in models(format_named(name).text(problem))]
    assume(chosen)
    last = max((max(one, default=0) for one in chosen), default=0)
    found = read(tmp_path_factory.mktemp("printed"), problem, text_of(printed, chosen, last + 1))
    assert sorted(found, key=str) == sorted(map(CoverSolution, covers(problem)), key=str)


def test_other_arrays_of_xcsp3_are_ignored(tmp_path: Path) -> None:
    problem = load("queens-4")
    assert isinstance(problem, CoverProblem)
    (first, _) = solve(problem, symmetry="all")
    values = " ".join("1" if option in first.options else "*" for option in range(16))  # type: ignore[union-attr]
    for names, written in (
        ("x[] y[]", f"{values} 1 0 1"),
        ("y[] x[]", f"1 1 {values}"),
        ("y[0] x[0..9] y[1] x[10..15]", f"1 {values[:20]} 1 {values[20:]}"),
        (" ".join(f"x[{option}]" for option in range(16)), values),
    ):
        text = (
            f'<?xml version="1.0"?>\n<instantiation id="1"><list>{names}</list>\n'
            f"<values>{written}</values></instantiation>\n"
        )
        assert read(tmp_path, problem, text + text.partition("\n")[2]) == [first, first]


def test_variables_of_colours_in_xcsp3_are_ignored(tmp_path: Path) -> None:
    options = [["a", ("b", colour)] for colour in (1, 1, 2, 2)]
    problem = cover_problem("colours", [("a", 2, 2)], options, secondary=["b"])  # type: ignore[arg-type]
    models = xcsp3_models(format_named("xcsp3").text(problem))
    text = "".join(
        "<instantiation> <list> x[] y[] </list> <values>"
        + " ".join("1" if variable in model else "0" for variable in range(1, 7))
        + "</values> </instantiation>\n"
        for model in models
    )
    assert set(read(tmp_path, problem, text)) == {CoverSolution((0, 1)), CoverSolution((2, 3))}


def test_coloured_output_of_ace_is_read(tmp_path: Path) -> None:
    text = (
        "\n  \x1b[94msolver\x1b[0m\n    wck:0.04  cpu:0.461\n"
        "\x1b[92mv\x1b[0m  <instantiation id='sol1' type='solution'> <list> x[] </list> "
        "<values> 0 1 0x7 1 0x7 1 1 0x7 1 0x7 1 0 </values> </instantiation>\n"
        "    run3  dpts:0..5\n\x1b[92ms SATISFIABLE\x1b[0m\n"
    )
    assert read(tmp_path, load("queens-6"), text) == [CoverSolution((1, 9, 17, 18, 26, 34))]


@needs_minizinc
@pytest.mark.parametrize("name", ["queens-6", "pentominoes-5x6-FLNPUY", "edges-2-2-1"])
def test_all_solutions_that_minizinc_prints_are_valid(tmp_path: Path, name: str) -> None:
    puzzle = load(name)
    path = tmp_path / "puzzle.mzn"
    path.write_text(format_named("minizinc").text(puzzle))
    printed = tmp_path / "printed.txt"
    printed.write_text(minizinc(path))
    found = verify_file(puzzle, TextFile(printed))
    assert found.valid
    assert found.total == found.distinct == sum(1 for _ in solve(puzzle, symmetry="all"))


def test_a_wrong_choice_is_a_wrong_solution_or_refused(tmp_path: Path) -> None:
    for name in ("queens-4", "soma-cube"):
        puzzle = load(name)
        (solution,) = read(tmp_path, puzzle, "s SATISFIABLE\nv 1 2 0\n")
        assert solution_error(puzzle, solution) is not None
    with pytest.raises(FormatError, match=r"printed:2: .* is covered 2 times; expected 1 to 1"):
        read(tmp_path, load("edges-2-2-1"), "s SATISFIABLE\nv 1 2 0\n")


def test_a_drawing_with_pieces_v_or_c_is_no_output_of_a_solver(tmp_path: Path) -> None:
    domino = ((0, 0), (1, 0))
    for letters in ("vs", "co"):
        pieces = tuple(Piece(letter, domino) for letter in letters)
        puzzle = PackingPuzzle("letters", SquareLattice(2), box(2, 2), pieces)
        first, second = letters
        (solution,) = read(tmp_path, puzzle, f"{first} {first}\n{second} {second}\n")
        assert isinstance(solution, PackingSolution)
        assert solution_error(puzzle, solution) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("s SATISFIABLE\nv 1 -2\n", r":2: no 0 after literal 1; expected a solution of queens-4"),
        ("v 1 -1 0\n", ":1: variable 1 is both true and false; a line s separates"),
        ("s SATISFIABLE\nv 1 y2 0\n", ":2: 'y2' is not a literal"),
        ("s SATISFIABLE\nhello\n", ":2: 'hello'; expected lines of a solver"),
        ("x = [0, 1];\n", ":1: the array has 2 values instead of 16"),
        ("x = [" + ", ".join(["2"] * 16) + "];\n", ":1: '2' is not 0, 1, false or true"),
        ("----------\ny = [0];", r":2: 'y = \[0\];'; expected x = "),
        ("<instantiation><list>x[16]</list></instantiation>", r"no variable x\[16\]; the last"),
        ("<instantiation><values>7</values></instantiation>", "'7' is not the value 0 or 1"),
        ("<instantiation><values>1x999</values></instantiation>", "more than 100 values"),
    ],
)
def test_a_mistake_is_refused_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    monkeypatch.setattr(solver_output, "MAX_VALUES", 100)
    with pytest.raises(FormatError, match=message):
        read(tmp_path, load("queens-4"), text)
