"""Boolean models of covers and boards as input of solvers, and output read as solutions."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from itertools import combinations, islice
from pathlib import Path

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from dovetail.api import count, solve
from dovetail.errors import FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem, Member, cover
from dovetail.models.formulations.model import Clauses
from dovetail.models.formulations.registry import BOOLEANS, Supported
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.solution import CoverSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle, as_cover, lower
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.formats.registry import format_named, puzzle_formats, read_solutions
from dovetail.puzzles.formats.solver_files import cnf, solver_output
from dovetail.puzzles.formats.solver_files.cnf import add_bound, counter_size
from dovetail.puzzles.loading import load, load_all
from dovetail.puzzles.polyominoes import box
from dovetail.puzzles.verification import verify_file
from oracle.brute_force import covers
from oracle.solver_formats import Model, cnf_models, opb_models, shown, xcsp3_models
from oracle.strategies import cover_problems, laid_boards

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
    return cover([("a", *bounds)], options, secondary=["b"], name="colourful")


@pytest.mark.parametrize("name", MODELS)
@given(problem=colourful_problems())
@settings(max_examples=15)
def test_auxiliary_variables_do_not_multiply_models(name: str, problem: CoverProblem) -> None:
    check(name, problem)


@pytest.mark.parametrize("size", range(0, 7, 2))
def test_choices_within_bounds_have_one_extension_to_clauses(size: int) -> None:
    for least in range(size + 2):
        for most in range(max(least, 1), size + 3):
            clauses = Clauses(size)
            add_bound(clauses, range(1, size + 1), least, most)
            lines = [f"p cnf {clauses.variable_count} {len(clauses.clauses)}"]
            lines += [" ".join(map(str, clause)) + " 0" for clause in clauses.clauses]
            found = chosen_options(cnf_models("\n".join(lines)), size)
            counts = range(least, min(most, size) + 1)
            assert found == sorted(s for n in counts for s in combinations(range(size), n))
            if least <= size:
                assert clauses.variable_count <= size + counter_size(size, least, most)


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
    problem = cover(
        ["a", ("b", 2, 3), ("c", 0, 1), "d"],
        [["a", "b", "s"], ["b", ("s", 1)], ["b", "c", ("s", 1)], ["b", "c", ("s", 2)]],
        secondary=["s"],
        name="small",
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
    problem = cover(['a--->"<&', "b\n1 0"], [['a--->"<&'], ["b\n1 0"]], name="odd")
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
@pytest.mark.parametrize("puzzle_name", ["soma-cube", "edges-4-b3i3-1"])
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


@needs_minizinc
@pytest.mark.parametrize(
    ("name", "formulation"),
    [("pentominoes-5x6-FLNPUY", "cover"), ("edges-4-b3i3-1", "edge-variables")],
)
def test_minizinc_prints_each_solution_once(tmp_path: Path, name: str, formulation: str) -> None:
    puzzle, path, output = load(name), tmp_path / "puzzle.mzn", tmp_path / "printed.txt"
    path.write_text(format_named("minizinc").text(puzzle, formulation=formulation))
    output.write_text(minizinc(path))
    found = verify_file(puzzle, TextFile(output))
    assert found.valid
    assert found.total == found.distinct == count(puzzle, symmetry="all").count


def test_a_wrong_choice_is_a_wrong_solution_or_refused(tmp_path: Path) -> None:
    for name in ("queens-4", "soma-cube"):
        puzzle = load(name)
        (solution,) = read(tmp_path, puzzle, "s SATISFIABLE\nv 1 2 0\n")
        assert solution_error(puzzle, solution) is not None
    with pytest.raises(FormatError, match=r"printed:2: .* is covered 2 times; expected 1"):
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
        ("x = [0, 1];\n", ":1: the array has 2 values instead of 16"),
        ("<instantiation><values>1x999</values></instantiation>", "more than 100 values"),
    ],
)
def test_a_mistake_is_refused_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    monkeypatch.setattr(solver_output, "MAX_VALUES", 100)
    with pytest.raises(FormatError, match=message):
        read(tmp_path, load("queens-4"), text)


EDGE_MODELS = ("4-edges", "edge-variables")
# One has twins among its tiles, one is no square.
BOARDS = ["edges-3-b3i2-1", "edges-3x4-b3i2-1"]
LARGEST = 18  # variables of a file whose assignments are all tried

each_model = pytest.mark.parametrize("model", EDGE_MODELS)
each_board = pytest.mark.parametrize("board", BOARDS)


def text_of_board(name: str, puzzle: Puzzle, model: str) -> str:
    """Return a file with a model."""
    chosen = format_named(name)
    return chosen.text(puzzle, formulation=model)


@each_model
@pytest.mark.parametrize("name", MODELS)
@given(puzzle=laid_boards([(1, 1), (2, 1), (1, 3), (2, 2)]))
@settings(max_examples=15, deadline=None)
def test_every_model_is_a_board_and_every_board_one_model(
    name: str, model: str, puzzle: EdgePuzzle
) -> None:
    """By brute force; boards are signed, have hints, or have twins."""
    options = lower(puzzle).options
    if Supported(*BOOLEANS).build(model, options).variable_count > LARGEST:
        reject()
    models = MODELS[name](text_of_board(name, puzzle, model))
    assert chosen_options(models, options.option_count) == sorted(covers(options.cover))


@each_model
@each_board
def test_a_sat_solver_finds_as_many_models_as_boards(
    tmp_path: Path, board: str, model: str
) -> None:
    """All variables count, and each model is verified as a board."""
    solvers = pytest.importorskip("pysat.solvers", reason="python-sat is not installed")
    puzzle = load(board)
    lines = text_of_board("dimacs", puzzle, model).splitlines()
    clauses = [[int(word) for word in line.split()[:-1]] for line in lines if line[0] not in "cp"]
    with solvers.Solver(name="glucose4", bootstrap_with=clauses) as solver:
        found = [[literal > 0 for literal in one] for one in solver.enum_models()]
    path = tmp_path / "printed.txt"
    path.write_text("".join(map(sat, found)))
    verified = verify_file(puzzle, TextFile(path))
    assert verified.valid
    assert verified.distinct == len(found) == count(puzzle, symmetry="all").count


@pytest.mark.parametrize("name", NAMES)
def test_comments_have_the_meaning_of_variables(name: str) -> None:
    puzzle = load("edges-2-2-1")
    text = text_of_board(name, puzzle, "edge-variables")
    cover = format_named(name).text(puzzle)
    about = [line for line in cover.splitlines() if "option 3 is" in line]
    assert about == [line for line in text.splitlines() if "option 3 is" in line]
    named = {"dimacs": "variable 14", "opb": "x14"}.get(name, "y[1]")
    if name == "minizinc":
        assert "0|1,0 is z0" in text
    else:
        assert f"edge colour 0|1,0:1 is {named}" in text


def test_a_cnf_with_too_many_counters_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cnf, "MAX_COUNTERS", 20)
    problem = cover([("a", 3, 4)], [["a"]] * 12, name="wide")
    with pytest.raises(PuzzleError, match="options of item a and those before it; OPB, MiniZinc"):
        format_named("dimacs").text(problem)
    assert "<sum" in format_named("xcsp3").text(problem)
