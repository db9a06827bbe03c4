"""Solutions written back into the BurrTools file of their puzzle."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.api import solve
from dovetail.errors import FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.lattices.protocol import Cells
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.formats.base import solutions_text
from dovetail.puzzles.formats.burrtools.reader import MAX_HOTSPOT
from dovetail.puzzles.formats.registry import read_solutions, solution_writer
from dovetail.puzzles.loading import load, load_all

# Two L trominoes in 2x3; the same, perhaps a row of two and a cube in a larger grid with two
# cells that may stay empty, which has been solved, or so it says.
TEXT = """\
<?xml version="1.0"?>
<puzzle version="2">
 <gridType type="0"/>
 <colors><color red="10" green="20" blue="30"/></colors>
 <shapes>
  <voxel x="2" y="2" z="1" type="0" name="bänt" hx="1" hy="-3" hz="2">#1##1_</voxel>
  <voxel x="2" y="1" z="2" type="0" weight="3" hz="7">_#_#</voxel>
  <voxel x="3" y="2" z="1" type="0">######</voxel>
  <voxel x="4" y="4" z="1" type="0">____ _###_###_+_+</voxel>
  <voxel x="1" y="1" z="1" type="0" name="cube">#</voxel>
 </shapes>
 <problems>
  <problem name="easy &amp; small" state="0">
   <shapes><shape id="0" count="2"/></shapes>
   <result id="2"/>
   <bitmap/>
  </problem>
  <problem state="2" assemblies="1" solutions="1" time="5">
   <shapes>
    <shape id="1" min="0" max="1"/>
    <shape id="3" count="0"/>
    <shape id="0" count="2"/>
    <shape id="4" min="0" max="2"/>
   </shapes>
   <result id="3"/>
   <bitmap/>
   <solutions>
    <solution asmNum="0"><assembly>made up</assembly></solution>
   </solutions>
   <comment>behind</comment>
  </problem>
 </problems>
 <!-- </problem> --><comment popup="">made by hand &lt;3</comment>
</puzzle>
"""
OLD = TEXT[TEXT.index("<solutions>") : TEXT.index("</solutions>") + len("</solutions>")]


def file_of(path: Path, content: str) -> TextFile:
    """Return a file with `content`."""
    path.write_bytes(content.encode())
    return TextFile(path)


def written_back(source: TextFile, puzzle: PackingPuzzle) -> tuple[str, list[PackingSolution]]:
    """Return the new document and the solutions in it."""
    found = [s for s in solve(puzzle, symmetry="all") if isinstance(s, PackingSolution)]
    return solutions_text(solution_writer(".xmpuzzle", puzzle, source), found), found


def content(solution: PackingSolution) -> list[tuple[str, Cells]]:
    """Return a solution without the order of pieces and cells."""
    return sorted((name, tuple(sorted(cells))) for name, cells in solution.placed)


def only_packing(reference: str) -> PackingPuzzle:
    """Return the puzzle that `reference` names."""
    puzzle = load(reference)
    assert isinstance(puzzle, PackingPuzzle)
    return puzzle


@pytest.mark.parametrize("number", [1, 2])
def test_writing_back_replaces_or_inserts_the_solutions_of_the_problem(
    tmp_path: Path, number: int
) -> None:
    """All other bytes stay."""
    source = file_of(tmp_path / "burr.xmpuzzle", TEXT)
    puzzle = only_packing(f"{source.path}#{number}")
    text, found = written_back(source, puzzle)
    assert len(found) > 1
    again = file_of(tmp_path / "again.xmpuzzle", text)
    read = [solution for _, solution in read_solutions(again, puzzle)]
    assert [content(s) for s in read if isinstance(s, PackingSolution)] == [*map(content, found)]
    assert all(solution_error(puzzle, solution) is None for solution in read)
    begin = text.index("<solutions>")
    new = text[begin : text.index("</solutions>", begin) + len("</solutions>")]
    assert new.count("<assembly>") == len(found)
    if number == 2:
        assert text == TEXT.replace(OLD, new)
    else:
        assert text == TEXT.replace("  </problem>", f"   {new}\n  </problem>", 1)
    text_again, _ = written_back(again, only_packing(f"{again.path}#{number}"))
    assert text_again == text


def test_assemblies_have_the_hotspots_and_the_order_of_the_file(tmp_path: Path) -> None:
    """The expected line was worked out by hand."""
    source = file_of(tmp_path / "burr.xmpuzzle", TEXT)
    second = only_packing(f"{source.path}#2")
    assert [piece.name for piece in second.pieces] == ["S2", "bänt", "cube"]
    one = ((1, 1, 0), (1, 2, 0), (2, 1, 0))
    other = ((2, 2, 0), (3, 1, 0), (3, 2, 0))
    writer = solution_writer(".xmpuzzle", second, source)
    line = writer.one(1, PackingSolution((("bänt", one), ("bänt", other))))
    # As drawn (t = 0), the corner at (1, 1, 0): the hotspot (1, -3, 2) is at (2, -2, 2). Turned
    # by two quarters about the z axis, t = 10: first x, then y, the corner at (3, 2, 0).
    assert "<assembly>x 2 -2 2 0 2 5 2 10 x x</assembly>" in line


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (OLD, "<solutions/>"),
        (OLD + "\n", "<solutions/></problem><problem><shapes/>"),
        (OLD, f"{OLD} <x/> {OLD}<solutions/>"),
        ("\n  </problem>\n </problems>", "</problem></problems>"),
        ("\n", "\r\n"),
        ("\n", ""),
        ("<?xml", "\ufeff<?xml"),
        ('version="1.0"', 'version="1.0" encoding="ISO-8859-1"'),
        ("<shapes>", "<shapes><!-- <solutions>ü --><solutions>?</solutions>"),
        ("<gridType", "<problem><solutions/></problem><gridType"),
    ],
)
def test_solutions_are_written_into_documents_of_any_layout(
    tmp_path: Path, old: str, new: str
) -> None:
    if "<problem><shapes/>" in new:
        new = "<solutions/></problem><problem><shapes><shape id='4'/></shapes><result id='4'/>"
    text = TEXT.replace(old, new)
    assert text != TEXT
    source = file_of(tmp_path / "burr.xmpuzzle", text)
    puzzle = only_packing(f"{source.path}#2")
    back, found = written_back(source, puzzle)
    again = file_of(tmp_path / "again.xmpuzzle", back)
    assert len(list(read_solutions(again, puzzle))) == len(found) > 1
    head = solution_writer(".xmpuzzle", puzzle, source).head
    assert text.startswith(head.removesuffix("<solutions>\n").rstrip())
    assert back[back.index("<comment>behind") :] == text[text.index("<comment>behind") :]


def test_of_equal_problems_the_named_one_gets_the_solutions(tmp_path: Path) -> None:
    start, end = TEXT.index("  <problem "), TEXT.index("  <problem state")
    source = file_of(tmp_path / "burr.xmpuzzle", TEXT[:end] + TEXT[start:end] + TEXT[end:])
    for number, earlier in ((1, 0), (2, 1)):
        writer = solution_writer(".xmpuzzle", only_packing(f"{source.path}#{number}"), source)
        assert writer.head.count("</problem>") == earlier


def test_solutions_of_another_puzzle_are_not_written_back(tmp_path: Path) -> None:
    source = file_of(tmp_path / "burr.xmpuzzle", TEXT)
    with pytest.raises(PuzzleError, match="does not contain soma-cube"):
        solution_writer(".xmpuzzle", only_packing("soma-cube"), source)
    with pytest.raises(PuzzleError, match="support packing puzzles only"):
        solution_writer(".xmpuzzle", load("queens-6"), source)
    with pytest.raises(FormatError, match=":18: none of the 2 problems is soma-cube"):
        list(read_solutions(source, load("soma-cube")))


def test_solutions_for_a_source_of_another_format_make_a_new_document(tmp_path: Path) -> None:
    source = file_of(tmp_path / "row.toml", 'box = [2, 1, 1]\nsets = ["dominoes"]')
    puzzle = only_packing(str(source.path))
    text, _ = written_back(source, puzzle)
    assert text.startswith("<?xml")
    assert solution_writer(".txt", puzzle, source).head == ""


@given(hotspot=st.tuples(*[st.integers(-MAX_HOTSPOT, MAX_HOTSPOT)] * 3))
@settings(max_examples=10)
def test_solutions_with_far_hotspots_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, hotspot: tuple[int, int, int]
) -> None:
    x, y, z = hotspot
    text = TEXT.replace('hx="1" hy="-3" hz="2"', f'hx="{x}" hy="{y}" hz="{z}"')
    folder = tmp_path_factory.mktemp("far")
    source = file_of(folder / "burr.xmpuzzle", text)
    puzzle = next(p for p in load_all(source.path) if isinstance(p, PackingPuzzle))
    back, found = written_back(source, puzzle)
    again = file_of(folder / "again.xmpuzzle", back)
    assert len(list(read_solutions(again, puzzle))) == len(found) > 1
