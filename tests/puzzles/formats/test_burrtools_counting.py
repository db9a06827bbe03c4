"""BurrTools' own number of assemblies, by brute force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from dovetail.api import count, solve, verify
from dovetail.errors import ConfigError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.harness import parameters
from dovetail.harness.parameters import make_jobs
from dovetail.harness.workers.runs import finish, run
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.request import SymmetryValue
from dovetail.models.solution import PackingSolution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.burrtools.reader import ProblemReader
from dovetail.puzzles.formats.burrtools.solutions import read_solutions_of
from dovetail.puzzles.formats.polycube import Polycube
from dovetail.puzzles.formats.toml.format import TomlPuzzle
from dovetail.puzzles.formats.toml.reader import read_toml
from dovetail.reports.describe.result import describe_result
from oracle.answers import counted
from puzzles.formats.assembly_oracle import AssemblyOracle, file_of, read_burrtools, write_burrtools

TALL = ("2 2 3", "#### #### ####")
SLAB = ("3 2 2", "###### ######")
BAR, CORNER = ("2 1 1", "##"), ("2 2 1", "###_")
SCREW, OTHER_SCREW = ("2 2 2", "##_# ___#"), ("2 2 2", "##_# #___")

Voxel = tuple[str, str]


def problem_text(
    result: Voxel,
    *parts: tuple[Voxel, str],
    pairs: str = "",
    attributes: str = 'state="0"',
    assemblies: Sequence[str] = (),
) -> str:
    """Return a file of one problem with two colours; each part has its counts."""
    shapes = "".join(
        '<voxel x="{}" y="{}" z="{}" type="0">{}</voxel>'.format(*sides.split(), states)
        for sides, states in (*(voxel for voxel, _ in parts), result)
    )
    used = "".join(f'<shape id="{n}" {counts}/>' for n, (_, counts) in enumerate(parts))
    stored = "".join(f"<solution><assembly>{one}</assembly></solution>" for one in assemblies)
    return (
        '<puzzle version="2"><gridType type="0"/><colors><color/><color/></colors>'
        f"<shapes>{shapes}</shapes><problems><problem {attributes}><shapes>{used}</shapes>"
        f'<result id="{len(parts)}"/><bitmap>{pairs}</bitmap><solutions>{stored}</solutions>'
        "</problem></problems></puzzle>"
    )


def read(text: str) -> tuple[PackingPuzzle, AssemblyOracle]:
    """Return the puzzle of a file, and its oracle."""
    (puzzle,), problem = read_burrtools(file_of(text)), ProblemReader(file_of(text)).problem(0)
    return puzzle, AssemblyOracle(problem)


ONE, TWO, THREE = (f'count="{n}"' for n in (1, 2, 3))
EQUAL = {
    "bars": problem_text(TALL, (BAR, TWO), (BAR, THREE), (BAR, ONE)),
    "turned": problem_text(SLAB, (CORNER, ONE), (("1 2 2", "_###"), TWO), (CORNER, ONE)),
    "ranges": problem_text(("3 2 1", "####+#"), (BAR, 'min="0" max="2"'), (BAR, 'min="1" max="2"')),
    "coloured": problem_text(
        ("3 2 1", "#1#####2"),
        (("3 1 1", "#1#1#1"), ONE),
        (("3 1 1", "###"), ONE),
        pairs='<pair piece="0" result="0"/>',
    ),
}


@pytest.mark.parametrize(
    ("name", "backend"),
    [
        *product(EQUAL, ["dlx"]),
        ("turned", "bitset"),
        ("ranges", "frontier"),
    ],
)
def test_equal_shapes_are_different_pieces(name: str, backend: str) -> None:
    puzzle, oracle = read(EQUAL[name])
    expected: dict[SymmetryValue, int] = {
        "all": len(oracle.assemblies),
        "unique": oracle.up_to_rotation(),
    }
    expected["mirror"] = oracle.up_to_reflection()
    for symmetry, number in expected.items():
        reductions = () if symmetry == "all" else ("redundancy",)
        found = count(puzzle, backend, symmetry=symmetry, reduce=reductions)
        assert (str(found.status), found.count) == ("exhausted", number), symmetry
    assert puzzle.interchangeable == (name == "coloured")
    if name != "coloured":
        together = replace(puzzle, interchangeable=True)
        assert expected["all"] > (counted(together, "dlx", "all").count or 0)
        assert together.digest != puzzle.digest
        assert replace(together, interchangeable=False) == puzzle


def test_equal_pieces_are_distinguished_in_toml_and_counted_in_burrtools() -> None:
    puzzle, _ = read(EQUAL["ranges"])
    assert "interchangeable = false\n" in TomlPuzzle().write_puzzle(puzzle)
    again = read_toml(TextFile(Path("a.toml"), TomlPuzzle().write_puzzle(puzzle).encode()))
    assert again.digest == puzzle.digest == read(write_burrtools(puzzle))[0].digest
    together = replace(puzzle, interchangeable=True)
    solutions = verify(together, solve_all(together))
    assert solutions.distinct == counted(together, "dlx", "all").count
    text = write_burrtools(together, solve_all(together))
    (moved,) = read_burrtools(file_of(text))
    assert [(p.min_count, p.max_count) for p in moved.pieces] == [(1, 4)]
    read_back = [solution for _, solution in read_solutions_of(together, file_of(text))]
    assert verify(together, read_back).distinct == solutions.distinct
    with pytest.raises(PuzzleError, match="equal pieces that are not interchangeable"):
        Polycube().text(read(EQUAL["bars"])[0])


def solve_all(puzzle: PackingPuzzle, symmetry: SymmetryValue = "all") -> list[PackingSolution]:
    """Return all solutions."""
    found = solve(puzzle, "dlx", symmetry=symmetry)
    return [solution for solution in found if isinstance(solution, PackingSolution)]


DECORATED = {
    "corner": problem_text(("2 2 2", "#1#######"), (BAR, 'count="4"')),
    "edges": problem_text(TALL, (BAR, 'count="6"')).replace("#### #### ####", "#1##1# #### ###2#"),
    "optional": problem_text(("3 3 1", "+1#######+"), (BAR, 'min="2" max="4"')),
}


@pytest.mark.parametrize("name", DECORATED)
def test_colours_of_the_result_remove_symmetries(name: str) -> None:
    """They are markings, and survive TOML and a new BurrTools file."""
    puzzle, oracle = read(DECORATED[name])
    assert puzzle.markings
    assert counted(puzzle, "dlx", "unique").count == oracle.up_to_rotation()
    assert counted(puzzle, "bitset", "mirror").count == oracle.up_to_reflection()
    plain = replace(puzzle, markings=())
    assert oracle.up_to_rotation() > (counted(plain, "dlx", "unique").count or 0)
    again = read_toml(TextFile(Path("a.toml"), TomlPuzzle().write_puzzle(puzzle).encode()))
    assert again.digest == puzzle.digest == read(write_burrtools(puzzle))[0].digest


SOLVED = 'state="2" assemblies="{}"'
MIRRORED = {
    "achiral": ((BAR, 'count="6"'),),
    "pairs": ((SCREW, ONE), (OTHER_SCREW, ONE), (BAR, TWO)),
    "unequal": ((SCREW, TWO), (OTHER_SCREW, ONE)),
}


@pytest.mark.parametrize("name", MIRRORED)
def test_the_number_in_a_file_decides_whether_mirror_images_count(name: str) -> None:
    parts = MIRRORED[name]
    _, oracle = read(problem_text(TALL, *parts))
    number, unreflected = oracle.up_to_reflection(), oracle.up_to_rotation()
    assert (number < unreflected) == (name == "pairs")
    for kept in (number, unreflected):
        puzzle, _ = read(problem_text(TALL, *parts, attributes=SOLVED.format(kept)))
        (job,) = make_jobs([puzzle], "dlx")
        assert job.request.symmetry == ("unique" if kept == unreflected else "mirror")
        assert count(puzzle, "dlx").count == kept
        assert len(list(solve(puzzle, "dlx"))) == kept


# shared/data/cases/mirror-count.xmpuzzle, with other numbers: six L-trominoes in a box of 2x3x4.
BOX = problem_text(("4 2 3", 24 * "#"), (("3 2 1", "####__"), 'count="6"'), attributes=SOLVED)


@pytest.mark.parametrize(
    ("number", "words"),
    [(27, "--symmetry unique"), (92, "--symmetry all"), (92 * 720, "--symmetry all --labelled")],
)
def test_a_count_uses_the_convention_that_yields_the_number_in_the_file(
    number: int, words: str
) -> None:
    puzzle, _ = read(BOX.format(number))
    (job,) = make_jobs([puzzle], "bitset" if number == 27 else "dlx")
    report = describe_result(job, finish(run(job)))
    assert report.startswith(f"{puzzle.name}: {number:,} ")
    assert f"  the file records {number:,} assemblies, the count by {words}\n" in f"{report}\n"
    assert count(puzzle, "dlx", symmetry="unique").count == 27


def test_the_default_is_kept_if_no_convention_yields_the_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Conventions that cannot yield the number are not counted."""
    puzzle, _ = read(BOX.format(20))
    counts = list[tuple[str, bool]]()
    counted = parameters._count

    def counting(
        puzzle: Puzzle, one: parameters.Convention, max_nodes: int
    ) -> tuple[int | None, int]:
        counts.append((str(one.symmetry), one.labelled))
        return counted(puzzle, one, max_nodes)

    monkeypatch.setattr(parameters, "_count", counting)
    monkeypatch.setattr(parameters, "_compared", {})
    (job,) = make_jobs([puzzle], "dlx")
    assert counts == [("unique", False), ("mirror", False), ("mirror", True)]
    assert (job.request.symmetry, job.request.labelled) == ("unique", False)
    report = describe_result(job, finish(run(job)))
    line = "  the file records 20 assemblies, which is none of the counts 27 unique, 16 mirror, "
    assert f"{line}8,280 mirror labelled\n" in f"{report}\n"
    make_jobs([puzzle], "dlx", symmetry="all")
    assert len(counts) == 3
    make_jobs([puzzle], "dlx", labelled=True)
    assert counts[3:] == [("unique", True), ("mirror", True)]
    monkeypatch.setattr(parameters, "MAX_NODES", 10)
    (job,) = make_jobs([read(BOX.format(16))[0]], "dlx")
    assert job.request.symmetry == "unique"
    assert "(too long to compare: unique, mirror, " in describe_result(job, finish(run(job)))
    with pytest.raises(ConfigError, match="nosuch"):
        make_jobs([read(BOX.format(19))[0]], "nosuch")
    assert len(counts) < 15


def test_the_report_has_the_number_of_a_complete_search_and_its_doubts() -> None:
    parts = (((("2 1 1", "#1#")), ONE), (BAR, 'count="5"'))
    text = problem_text(TALL, *parts, attributes=SOLVED.format(1234))
    puzzle, oracle = read(text)
    (job,) = make_jobs([puzzle], "dlx", symmetry="unique")
    report = describe_result(job, count(puzzle, "dlx", symmetry="unique"))
    assert "  the file records 1,234 assemblies\n" in report
    assert "the colours of S1 can lie on the same cells in several ways" in report
    assert len(oracle.assemblies) > (counted(puzzle, "dlx", "all").count or 0)
    partial, _ = read(text.replace('state="2"', 'state="1"'))
    assert partial.assembled is not None
    assert partial.assembled.recorded is None
    varied = ((SCREW, 'min="0" max="2"'), (BAR, 'min="2" max="6"'))
    puzzle, _ = read(problem_text(TALL, *varied, attributes=SOLVED.format(7)))
    assert puzzle.assembled is not None
    assert "if numbers of copies vary" in puzzle.assembled.doubts[0]
