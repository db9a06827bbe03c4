"""Golden files, the words of a question, and counts that are held to what is recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dovetail.backends.cpsat.backend import CpSat
from dovetail.errors import ConfigError, FormatError
from dovetail.harness.pytest_plugin.golden import (
    Counted,
    Figures,
    GoldenEntry,
    entry_line,
    read_golden,
    update_golden,
)
from dovetail.harness.pytest_plugin.solution_count import (
    SolutionCount,
    asked_job,
    puzzle_beside,
    question_words,
)
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import load
from harness.pytest_plugin.conftest import QUEENS_5, QUEENS_6

FIGURES = Figures(2339, 892_247, "0123456789abcdef")
LINE = '"a dlx all" = { count = 2339, nodes = 892_247, digest = "0123456789abcdef" }'
WRITTEN = f"""\
# Ours.

# Busche 2011
{LINE}
"b # x dlx all" = {{ count = 0, digest = "0123456789abcdef" }}  # none # at all
# the end
"""


def test_a_file_that_is_read_is_written_the_same(tmp_path: Path) -> None:
    """Comments before, above, behind and at the end; a `#` in a name is none."""
    path = tmp_path / "golden.toml"
    path.write_text(WRITTEN)
    golden = read_golden(path)
    assert golden.text() == golden.source == WRITTEN
    assert golden.opening == ("# Ours.",)
    assert golden.entries["a dlx all"] == GoldenEntry(FIGURES, 4, ("# Busche 2011",))
    none = replace(FIGURES, count=0, nodes=None)
    assert golden.entries["b # x dlx all"] == GoldenEntry(none, 5, behind="# none # at all")
    assert golden.closing == ("# the end",)


@pytest.mark.parametrize(
    "name", ["<script>", 'say "a"', "back\\slash", "line\nfeed", "nul\0", "\x7f", "\u202e", "𝄞", ""]
)
def test_any_name_can_be_read_back(tmp_path: Path, name: str) -> None:
    """And is one line that prints."""
    line = entry_line(name, FIGURES)
    assert line.isprintable()
    path = tmp_path / "golden.toml"
    path.write_text(line + "\n")
    assert read_golden(path).figures() == {name: FIGURES}


WHOLE, SIXTEEN = "not a whole number of 0 or more", "not 16 hexadecimal digits"
LONG = '"a": count has more than 4,300 digits'
EXPECTED = "expected { count = …, nodes = …, digest = … }, nodes optional"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("<<<<<<< HEAD", "not TOML: Invalid statement; expected one entry per line"),
        (LINE, '"a dlx all" is already on line 1; expected each question once'),
        ("a = 8", f'"a": it is 8; {EXPECTED}'),
        ('a = { cuont = 8, digest = "" }', f'"a": unknown key "cuont"; {EXPECTED}'),
        (f"a = {{ count = 0x{'f' * 4000}, digest = '' }}", f"{LONG}; {EXPECTED}"),
        ('a = { count = 1, digest = "0" }', f"\"a\": digest is '0', {SIXTEEN}; {EXPECTED}"),
    ],
)
def test_what_is_no_entry_is_named(tmp_path: Path, line: str, message: str) -> None:
    """With file and line."""
    path = tmp_path / "golden.toml"
    path.write_text(f"{LINE}\n\n{line}\n")
    with pytest.raises(FormatError) as raised:
        read_golden(path)
    assert str(raised.value) == f"{path}:3: {message}"


def job(puzzle: Puzzle, backend: str = "dlx", **asked: Any) -> Job:
    """A job up to symmetry."""
    question = {"labelled": False, "reduce": (), "triggers": (), "config": {}, "limits": None}
    return asked_job(puzzle, backend, symmetry="unique", **{**question, **asked})


def test_all_words() -> None:
    """What changes the answer or the nodes; no limits."""
    asked = job(
        load("pentominoes-6x10"),
        reduce=["redundancy=X", "volume"],
        triggers=["parity@3"],
        config={"stages": ("s", "f@11")},
        labelled=True,
        limits=Limits(nodes=10**9),
    )
    assert question_words(asked) == (
        "pentominoes-6x10 dlx unique labelled reduce=redundancy=X,volume triggers=parity@3 "
        "config.stages=s,f@11"
    )


def test_a_file_beside_the_test_comes_first(tmp_path: Path) -> None:
    """Then files and names as everywhere; a puzzle is itself."""
    (tmp_path / "queens-5").write_text('name = "mine"\nbox = [2, 1]\nsets = ["dominoes"]\n')
    known = load("queens-6")
    assert puzzle_beside(tmp_path, "queens-5").name == "mine"
    assert puzzle_beside(tmp_path, "queens-6") == known
    assert puzzle_beside(tmp_path, known) is known
    with pytest.raises(ConfigError, match=r"there is no file 'none\.toml'"):
        puzzle_beside(tmp_path, "none.toml")


Counting = Callable[..., SolutionCount]


def failure(golden: SolutionCount, *asked: object, **words: object) -> list[str]:
    """The lines in which a test fails."""
    with pytest.raises(pytest.fail.Exception) as raised:
        golden(*asked, **words)  # type: ignore[arg-type]
    return str(raised.value).splitlines()


def queens_6(golden: SolutionCount, **words: object) -> list[str]:
    """In which one of six queens fails."""
    return failure(golden, "queens-6", "dlx", symmetry="all", **words)


def test_tests_that_disagree(tmp_path: Path) -> None:
    """Their entry stays as it is, and the report does not say that all counts agree."""
    path = tmp_path / "counts.toml"
    path.write_text(f"{LINE}\n")
    counted = [Counted(path, "a dlx all", replace(FIGURES, count=n)) for n in (2339, 5)]
    lines, contradictions = update_golden(path, counted, path.name, whole=True)
    assert (lines, path.read_text()) == ([], f"{LINE}\n")
    both = f"{LINE} / {LINE.replace('2339', '5')}"
    assert contradictions == [f"tests disagree, so neither is recorded: {both}"]


def test_what_is_not_recorded(counting: Counting) -> None:
    """The line that would record it, to be taken as it is."""
    first, _, line, _ = queens_6(counting(QUEENS_5))
    assert (first, line) == ('no count is recorded: "queens-6 dlx all"', f"  {QUEENS_6}")


def test_a_wrong_count_comes_before_other_nodes(counting: Counting) -> None:
    """All that differs is marked."""
    wrong = QUEENS_6.replace("count = 4", "count = 12_345").replace("110", "111")
    assert queens_6(counting(QUEENS_5, wrong)) == [
        'the count has changed: "queens-6 dlx all"',
        "                      recorded               found",
        "  count                 12_345                   4  CHANGED",
        "  nodes                    111                 110  CHANGED",
        "  puzzle      971c70c762857c53    971c70c762857c53  same",
        "  recorded in solution-counts.toml:2",
        "  if the new figures are right, record them with: pytest --update-counts",
    ]


@pytest.mark.parametrize(
    ("recorded", "changed"),
    [(QUEENS_6.replace("110", "111"), "nodes"), (QUEENS_6.replace("971c", "0000"), "puzzle")],
)
def test_what_else_may_change(counting: Counting, recorded: str, changed: str) -> None:
    """Nodes, also those that were not recorded, and the puzzle, which is another then."""
    first, _, *rows = queens_6(counting(recorded))
    have = "have" if changed == "nodes" else "has"
    assert first == f'the {changed} {have} changed: "queens-6 dlx all"'
    assert [row.split()[0] for row in rows if row.endswith("  CHANGED")] == [changed]


def test_a_run_that_is_cut_short_is_no_count(counting: Counting) -> None:
    """Whatever is recorded."""
    assert queens_6(counting(QUEENS_6), limits=Limits(nodes=90)) == [
        'the count is incomplete: "queens-6 dlx all"',
        "  status    node-limit",
        "  reason    none given",
        "  counted   at least 3",
    ]


def test_a_backend_that_is_not_installed(
    counting: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Skips the test, also one of which nothing is recorded."""
    monkeypatch.setattr(CpSat, "missing", lambda self: "ortools")
    with pytest.raises(pytest.skip.Exception) as raised:
        counting()("queens-6", "cpsat")
    message = "backend cpsat needs ortools: pip install 'ortools>=9.12'"
    assert str(raised.value) == message


def test_what_cannot_be_used_is_raised(counting: Counting) -> None:
    """As by `dovetail.count`, without a word of how it was found out."""
    with pytest.raises(ConfigError, match="backend dlx has no config key 'stage'") as raised:
        counting()("queens-6", "dlx", config={"stage": "s"})
    shown = [entry.name for entry in raised.traceback.filter(raised)]
    assert shown == ["test_what_cannot_be_used_is_raised"]
    with pytest.raises(FormatError, match=r"solution-counts\.toml:2: not TOML: "):
        counting(QUEENS_5, "?")("queens-5", "dlx", symmetry="all")


@pytest.mark.parametrize("name", ['a "b"\n\0\x1b[31m', "a" * 999])
def test_hostile_names_are_shown_as_text(counting: Counting, tmp_path: Path, name: str) -> None:
    """And the line that is shown can be taken, whatever its length up to a limit."""
    domino = Piece("A", ((0, 0), (1, 0)))
    puzzle = PackingPuzzle(name, SquareLattice(2), ((0, 0), (1, 0)), (domino,))
    message = failure(counting(), puzzle, "dlx")
    assert all(line.isprintable() and len(line) < 1600 for line in message)
    (tmp_path / "copied.toml").write_text(message[2] + "\n")
    if len(name) < 500:
        assert len(read_golden(tmp_path / "copied.toml").entries) == 1
        assert counting(message[2])(puzzle, "dlx").count == 1
    changed = message[2].replace("count = 1", "count = 2")
    assert failure(counting(changed), puzzle, "dlx")[0].startswith("the count has changed: ")
    other = replace(puzzle, name="b")
    assert failure(counting(message[2]), other, "dlx")[0].startswith("no count is recorded: ")


def test_a_count_too_long_for_a_golden_file_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = Result(Status.EXHAUSTED, 10**5000)
    monkeypatch.setattr("dovetail.harness.pytest_plugin.solution_count.finish", lambda _: result)
    for counted in (None, list[Counted]()):
        counting = SolutionCount(tmp_path / "golden.toml", {}, tmp_path, counted)
        with pytest.raises(pytest.fail.Exception, match="a count of more than 4,300 digits"):
            counting("queens-6", "dlx")
