"""Plugins: they are found by their entry points, and a broken one is named and spoils nothing."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.command import dovetail
from dovetail.backends.command.search import Answers
from dovetail.backends.registry import registry as backend_registry
from dovetail.files.text_file import TextFile
from dovetail.harness.diagnosis import broken_plugins
from dovetail.models.cover import CoverProblem
from dovetail.models.solution import CoverSolution
from dovetail.plugins import error_words, with_plugins
from dovetail.puzzles.formats.registry import (
    puzzle_formats,
    read_solutions,
    solution_writer,
)
from dovetail.puzzles.formats.registry import registry as format_registry
from dovetail.puzzles.loading import load

Install = Callable[..., None]

FORMATS = '''
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.formats.base import Format, UnboundedWriter, read_each
from dovetail.puzzles.formats.solver_files.solver_output import SolverOutput


class Named(Format):
    """A file with the name of a puzzle of the catalogue."""

    name = "named"
    summary = "packing: the name of a puzzle of the catalogue"
    suffixes = (".named",)
    begins = "the puzzle "
    puzzle_type = PackingPuzzle

    def read_puzzles(self, file):
        return [catalogue_puzzle(line.split()[-1]) for _, line in file.content()]

    def write_puzzles(self, puzzles):
        return "".join(f"the puzzle {puzzle.name}\\n" for puzzle in puzzles)


class Taken(Named):
    name = "knuth"


class Nameless(Format):
    summary, suffixes, puzzle_type = "nameless", (".none",), PackingPuzzle


class Unread(Nameless):
    name = "unread"




class Numbers(Format):
    """The options of a cover problem, a solution a line."""

    name = "numbers"
    summary = "solutions: numbers of options"
    suffixes = (".numbers",)
    begins = "options "
    holds_solutions = True

    def read_solutions(self, file, puzzle):
        from dovetail.models.solution import CoverSolution

        def solution(_, text):
            return CoverSolution(tuple(map(int, text.split()[1:])))

        return read_each(file, puzzle, file.content(), solution)

    def solution_writer(self, puzzle, source):
        def one(_, solution):
            return f"options {' '.join(map(str, solution.options))}\\n"

        return UnboundedWriter("", one)


class Mine(Numbers):
    name = "mine"
    suffixes = (".mine", ".json")


class MineAgain(Numbers):
    name = "mine-again"




class Failing(Numbers):
    name, suffixes = "failing", (".failing",)

    def recognise(self, file, puzzle=None):
        return 1 / 0


class Chosen(SolverOutput):
    """Output of a solver that prints the numbers of options, and is never written."""

    name = "chosen"
    summary = "solutions: numbers of options that a solver prints"
    begins = "chosen "

    def parts(self, file):
        return file.content()

    def options(self, part, count):
        return [int(word) for word in part.split()[1:]]


def fails():
    raise OSError("no licence")


def leaves():
    raise SystemExit(3)




def unsure():
    from dovetail.backends.dlx.backend import Dlx

    class Unsure(Dlx):
        name = "unsure"

        def missing(self):
            raise KeyError("who knows")

    return Unsure()
'''


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a distribution with the module `other_formats` and entry points of a group."""
    folder = tmp_path / "site"
    metadata = folder / "other-1.0.dist-info"

    def install(group: str, **entry_points: str) -> None:
        metadata.mkdir(parents=True)
        (folder / "other_formats.py").write_text(FORMATS)
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
        lines = [f"{name} = {value}" for name, value in entry_points.items()]
        (metadata / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))
        monkeypatch.syspath_prepend(folder)
        forget()

    def forget() -> None:
        for registry in (backend_registry, format_registry):
            registry.cache_clear()

    yield install
    sys.modules.pop("other_formats", None)
    forget()


def test_a_format_of_puzzles(install: Install, tmp_path: Path) -> None:
    """It is known by its suffix, by the first line and by its name, after dovetail's own."""
    install("dovetail.formats", named="other_formats:Named")
    assert list(puzzle_formats())[-2:] == ["xcsp3", "named"]
    soma = load("soma-cube")
    by_suffix, by_content = tmp_path / "a.named", tmp_path / "a"
    for path in (by_suffix, by_content):
        path.write_text(puzzle_formats()["named"].text(soma))
        assert load(path) == soma
        assert load(path, "named") == soma


def test_a_format_of_solutions(install: Install, tmp_path: Path) -> None:
    """It is written by its suffix and read by its first line; text stays what nothing else is."""
    install("dovetail.formats", numbers="other_formats:Numbers")
    queens, path = load("queens-4"), tmp_path / "solutions"
    path.write_text("options 1 7 8 14\noptions 2 4 11 13\n")
    solutions = [solution for _, solution in read_solutions(TextFile(path), queens)]
    writer = solution_writer(".numbers", queens)
    assert "".join(writer.one(1, solution) for solution in solutions) == path.read_text()
    path.write_text("1 7 8 14\n")
    assert [solution for _, solution in read_solutions(TextFile(path), queens)] == solutions[:1]


def test_a_format_that_fails_to_recognise_a_file(install: Install, tmp_path: Path) -> None:
    """It is ignored with a line that names it."""
    install("dovetail.formats", failing="other_formats:Failing")
    (tmp_path / "solutions").write_text("1 7 8 14\n")
    ignored = r"^format failing is ignored \(ZeroDivisionError: division by zero\)$"
    with pytest.warns(UserWarning, match=ignored):
        done = dovetail("verify", "queens-4", tmp_path / "solutions")
    assert (done.returncode, done.stdout) == (0, "queens-4: 1 solution, all valid\n")


def test_output_of_a_solver(install: Install, tmp_path: Path) -> None:
    """A format without a suffix, for files and for solvers that dovetail starts."""
    install("dovetail.formats", chosen="other_formats:Chosen")
    queens, path = load("queens-4"), tmp_path / "output"
    path.write_text("chosen 1 7 8 14\nchosen 2 4 11 13\n")
    solutions = [solution for _, solution in read_solutions(TextFile(path), queens)]
    assert solutions == [CoverSolution((1, 7, 8, 14)), CoverSolution((2, 4, 11, 13))]
    assert isinstance(queens, CoverProblem)
    answers = Answers(queens.option_count, printed=True)
    assert list(answers.add("chosen 1 7 8 14")) == []
    assert list(answers.finish()) == [[1, 7, 8, 14]]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("no_such_module:Format", "ModuleNotFoundError"),
        ("other_formats:Nameless", "AttributeError: .*name"),
        ("other_formats:Unread", "ValueError: it has no method read_puzzle"),
        ("other_formats:Mine", "ValueError: the suffix '.json' is taken by solution-json"),
    ],
)
def test_a_broken_format_is_named(
    install: Install, tmp_path: Path, value: str, reason: str
) -> None:
    """And left out; the others are there, those of the same distribution, too."""
    own = list(puzzle_formats())
    install("dovetail.formats", broken=value, named="other_formats:Named")
    named = f"dovetail.formats: broken = {value} of other is ignored"
    with pytest.warns(UserWarning, match=f"{named} \\(.*{reason}"):
        assert list(puzzle_formats()) == [*own, "named"]
    path = tmp_path / "a.def"
    path.write_text("D:xDim=1:yDim=1:zDim=1\nC:name=A:type=M:layout=0 0 0\n~D\n")
    assert load(path).name == "a"


@pytest.mark.parametrize(
    ("value", "reason"), [("leaves", "SystemExit: 3"), ("unsure", "KeyError: 'who knows'")]
)
def test_a_broken_backend_is_named(install: Install, value: str, reason: str) -> None:
    """Wherever it is asked for; `doctor` lists it."""
    install("dovetail.backends", mine=f"other_formats:{value}")
    ignored = f"dovetail.backends: mine = other_formats:{value} of other is ignored ({reason})"
    with pytest.warns(UserWarning, match=re.escape(reason)):
        done = dovetail("count", "queens-4", "-b", "mine")
    assert done.returncode == 2
    assert done.stderr.startswith(f"dovetail: {ignored}")
    assert broken_plugins()["mine"].startswith(ignored)


def test_without_plugins() -> None:
    """There is what there was, imported one by one."""
    own = {"A": "io:StringIO", "B": "no_such_module:B"}
    without = with_plugins(own, "dovetail.no_such_group", io.StringIO, str)
    assert (list(without.found), without.broken) == (["A", "B"], {})
    assert isinstance(without.found["A"], io.StringIO)
    assert without.found["A"] is without.found["A"]
    assert "C" not in without.found


def test_words_of_an_error() -> None:
    """The words are the type, and the message if there is any, in one line."""
    assert error_words(ValueError()) == "ValueError"
    assert error_words(ValueError("a\n b:")) == "ValueError: a b:"
