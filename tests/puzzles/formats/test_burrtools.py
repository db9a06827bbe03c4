"""BurrTools' files of cubes: read, written, refused, and solutions written back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.api import solve
from dovetail.errors import FormatError, PuzzleError
from dovetail.files import xml_tree
from dovetail.files.text_file import TextFile
from dovetail.harness.run.job import Limits
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cells
from dovetail.models.packings.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.formats.base import solutions_text
from dovetail.puzzles.formats.burrtools import reader, solutions
from dovetail.puzzles.formats.burrtools.solutions import read_solutions_of, write_back
from dovetail.puzzles.formats.registry import read_solutions, solution_writer
from dovetail.puzzles.loading import load, load_all
from oracle.strategies import packing_puzzles
from puzzles.formats.assembly_oracle import file_of, read_burrtools, write_burrtools

SPACE = SquareLattice(3)
PLANE = SquareLattice(2)
DOMINO = ((0, 0), (1, 0))

# A corner in the box that it leaves two cells of, and a row of cubes in a longer one.
TEXT = """\
<?xml version="1.0"?>
<puzzle version="2">
 <gridType type="0"/>
 <colors/>
 <shapes>
  <voxel x="2" y="2" z="1" type="0" name="corner">##_#</voxel>
  <voxel x="1" y="1" z="2" type="0">##</voxel>
  <voxel x="3" y="2" z="1" type="0">##+###</voxel>
  <voxel x="2" y="2" z="2" type="0">________</voxel>
 </shapes>
 <problems>
  <problem name="first" state="0">
   <shapes>
    <shape id="0" count="1"/>
    <shape id="1" min="0" max="2" group="3"/>
   </shapes>
   <result id="2"/>
   <bitmap/>
  </problem>
 </problems>
 <comment popup="">made by hand</comment>
</puzzle>
"""


def read_burrtools_solutions(file: TextFile) -> Iterator[tuple[int, int, PackingSolution]]:
    """Yield the solutions of every problem in a file, with its number and their lines."""
    for number, puzzle in enumerate(read_burrtools(file), start=1):
        for line, solution in read_solutions_of(puzzle, file):
            yield number, line, solution


def test_a_problem_has_optional_cells_ranges_and_names() -> None:
    (puzzle,) = read_burrtools(file_of(TEXT))
    assert puzzle.name == "burr"
    assert puzzle.lattice == SPACE
    assert puzzle.region == ((0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0), (2, 0, 0), (2, 1, 0))
    assert puzzle.optional == ((2, 0, 0),)
    assert puzzle.pieces == (
        Piece("corner", ((0, 0, 0), (1, 0, 0), (1, 1, 0))),
        Piece("S2", ((0, 0, 0), (0, 0, 1)), 0, 2),
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('version="2"', 'version="1"'),
        ('<shape id="0" count="1"/>', '<shape id="0"><group group="1" count="1"/></shape>'),
        ('name="first"', 'name="first" maxHoles="1"'),
    ],
)
def test_other_versions_and_other_elements_make_no_difference(old: str, new: str) -> None:
    assert TEXT.count(old) == 1
    (puzzle,) = read_burrtools(file_of(TEXT))
    (other,) = read_burrtools(file_of(TEXT.replace(old, new)))
    assert other.digest == puzzle.digest


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ('group="3"/>', '/><shape id="0" min="0" max="1"/>', ["corner", "S2", "corner (2)"]),
        ("corner", "a\u2028\nb", ["a  b", "S2"]),
    ],
)
def test_names_are_printable_and_distinct(old: str, new: str, names: list[str]) -> None:
    (puzzle,) = read_burrtools(file_of(TEXT.replace(old, new)))
    assert [piece.name for piece in puzzle.pieces] == names


COLOURED = (
    TEXT.replace("<colors/>", '<colors><color red="1" green="2" blue="3"/><color/></colors>')
    .replace("##_#", "#1#_#")
    .replace("##+###", "##2+###")
)


def test_a_bad_problem_does_not_affect_the_others(tmp_path: Path) -> None:
    (alone,) = read_burrtools(file_of(SOLVED))
    bad = '<problem><shapes><shape id="2"/></shapes><result id="2"/></problem>'
    path = tmp_path / "burr.xmpuzzle"
    path.write_text(SOLVED.replace("<problems>", f"<problems>{bad}"))
    good = load(f"{path}#2")
    assert isinstance(good, PackingPuzzle)
    assert (good.name, good.digest) == ("burr#2", alone.digest)
    assert len(list(read_solutions_of(good, TextFile(path)))) == 1
    assert write_back(TextFile(path), good).head.count("<problem") == 3
    message = ":8: .*shape S3 is a piece with variable cells"
    with pytest.raises(FormatError, match=message):
        load(f"{path}#1")
    with pytest.raises(FormatError, match=message + ".*choose another with FILE#N$"):
        load_all(path)
    problems = reader.ProblemReader(TextFile(path))
    assert [*problems[1:], next(reversed(problems))] == [problems[-1]] * 2 == [good] * 2
    with pytest.raises(IndexError):
        problems[2]


PLACED = {
    # What the transformation makes of (1, 0, 0), (0, 1, 0) and (0, 0, 1).
    0: ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    1: ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
    4: ((0, 0, 1), (0, 1, 0), (-1, 0, 0)),
    5: ((0, 0, 1), (-1, 0, 0), (0, -1, 0)),
    16: ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
    23: ((0, -1, 0), (0, 0, -1), (1, 0, 0)),
}


@pytest.mark.parametrize("number", PLACED)
def test_transformations_are_the_columns_of_burrtools_matrices(number: int) -> None:
    """A piece turns about its hotspot, which comes to lie at the position."""
    result = "".join("#" if cell == 13 else "+" for cell in range(27))
    # Cells (1, 0, 0), (2, 0, 0), (1, 1, 0), (1, 1, 0) beyond; seen from the hotspot (1, 0, 0):
    # the origin, +x, +y twice, +z once.
    text = f"""\
<puzzle version="2"><shapes>
<voxel x="3" y="3" z="2" type="0" hx="1">_##_#__#__#_______</voxel>
<voxel x="3" y="3" z="3" type="0">{result}</voxel>
</shapes><problems><problem><shapes><shape id="0"/></shapes><result id="1"/>
<solutions><solution><assembly>4 5 -6 {number}</assembly></solution></solutions>
</problem></problems></puzzle>
"""
    ((problem, _, solution),) = read_burrtools_solutions(file_of(text))
    assert problem == 1
    x, y, z = PLACED[number]
    offsets = [(0, 0, 0), x, y, tuple(2 * c for c in y), z]
    expected = {(4 + a, 5 + b, -6 + c) for a, b, c in offsets}
    ((name, cells),) = solution.placed
    assert (name, set(cells)) == ("S1", expected)


@given(puzzle=packing_puzzles(), data=st.data())
@settings(max_examples=20)
def test_written_puzzles_and_solutions_are_read_as_the_same(
    puzzle: PackingPuzzle, data: st.DataObject
) -> None:
    name = st.text("aA &<>\"'é1", min_size=1, max_size=5).filter(str.strip)
    names = data.draw(st.lists(name, min_size=len(puzzle.pieces), unique=True))
    pieces = [
        replace(piece, name=name, motions=Motions.FREE, min_count=data.draw(st.integers(0, 1)))
        for piece, name in zip(puzzle.pieces, names, strict=False)
    ]
    optional = data.draw(st.sets(st.sampled_from(puzzle.region)))
    free = replace(puzzle, pieces=tuple(pieces), optional=tuple(optional))
    if puzzle.lattice.dimension not in (2, 3):
        with pytest.raises(PuzzleError, match="do not support cells in"):
            write_burrtools(free)
        return
    found = [
        s
        for s in solve(free, symmetry="all", limits=Limits(solutions=3))
        if isinstance(s, PackingSolution)
    ]
    text = write_burrtools(free, found)
    file = file_of(text)
    (read,) = read_burrtools(file)
    solutions = [solution for *_, solution in read_burrtools_solutions(file)]
    assert len(solutions) == len(found)
    assert all(solution_error(read, solution) is None for solution in solutions)
    assert write_burrtools(read, solutions) == text.replace('"random"', '"burr"')
    own = [solution for _, solution in read_solutions_of(free, file)]
    assert all(solution_error(free, solution) is None for solution in own)


SOLVED = TEXT.replace(
    "<bitmap/>\n",
    "<bitmap/>\n   <solutions><solution>\n"
    "    <assembly>0 0 0 0 x x</assembly><separation><state/></separation>\n"
    "   </solution></solutions>\n",
)

PAIR = '<bitmap><pair piece="1" result="2"/></bitmap>'

BAD = [
    (TEXT.replace("</shapes>", "", 1), 22, "not XML"),
    (TEXT.replace("<puzzle ", "<!DOCTYPE p [<!ENTITY a 'b'>]>\n<puzzle "), 2, "document type"),
    (TEXT.replace('x="1"', 'x="0"'), 7, "2 cells in a shape; expected 0 · 1 · 2 = 0"),
    (TEXT.replace('x="1"', 'x="999999999"'), 7, "9'; expected a whole number from 0 to 1000"),
    (TEXT.replace('type="0">##<', 'hx="9999999" type="0">##<'), 7, "hx of a voxel is '9999999'"),
    (TEXT.replace("##_#", "##?#"), 6, "'\\?' in a shape"),
    (COLOURED.replace("#1#_#", "#3#_#"), 6, "'3'; expected a whole number from 0 to 2"),
    (TEXT.replace('id="1" min', 'id="4" min'), 15, "id of a shape is '4'; expected .* 0 to 3"),
    (COLOURED.replace("<bitmap/>", PAIR), 18, "result of a pair is '2'; expected .* 0 to 1"),
]


@pytest.mark.parametrize(("text", "line", "message"), BAD, ids=[m for _, _, m in BAD])
def test_a_mistake_is_refused_with_its_line(text: str, line: int, message: str) -> None:
    file = file_of(text)
    with pytest.raises(FormatError, match=message) as caught:
        read_burrtools(file)
    assert str(caught.value).startswith(f"burr.xmpuzzle:{line}:")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("assembly", "message"),
    [
        ("0 0 0 0 x", "ends early; expected entries x y z t or x alone, 3 in all"),
        ("0 0 0 0 0 0 0 0 0 0 0 0", "more cells than its result"),
    ],
)
def test_a_wrong_assembly_is_refused_with_its_line(assembly: str, message: str) -> None:
    assert len(list(read_burrtools_solutions(file_of(SOLVED)))) == 1
    file = file_of(SOLVED.replace("0 0 0 0 x x", assembly))
    with pytest.raises(FormatError, match=message) as caught:
        list(read_burrtools_solutions(file))
    assert str(caught.value).startswith("burr.xmpuzzle:20:")


@pytest.mark.parametrize(
    ("module", "bound", "value", "message"),
    [
        (reader, "MAX_CELLS", 17, "the shapes have too many cells"),
        (solutions, "MAX_SOLUTION_CELLS", 2, "the solutions have too many cells"),
    ],
)
def test_files_beyond_the_bounds_are_refused(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, bound: str, value: int, message: str
) -> None:
    monkeypatch.setattr(module, bound, value)
    with pytest.raises(FormatError, match=message):
        list(read_burrtools_solutions(file_of(SOLVED)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<a>" * 2_000, ":1: elements are nested"),
        ("<a>\n<b " + " ".join(f"b{i}=''\n" for i in range(20_000)) + "/></a>", ":2: there are "),
        ('<?xml version="1.0" encoding="UTF-16"?>\n<box/>', ":2: element 'box'"),
    ],
)
def test_hostile_xml_is_refused_with_its_line(
    monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    monkeypatch.setattr(xml_tree, "MAX_ELEMENTS", 30_000)
    with pytest.raises(FormatError, match=message):
        read_burrtools(file_of(text))


def puzzle_of(**changes: object) -> PackingPuzzle:
    """Return a row of two cubes with a domino, changed."""
    piece = replace(Piece("I", ((0, 0, 0), (1, 0, 0))), **changes)  # type: ignore[arg-type]
    return PackingPuzzle("row", SPACE, ((0, 0, 0), (1, 0, 0)), (piece,))


@pytest.mark.parametrize(
    ("puzzle", "message"),
    [
        (puzzle_of(motions=Motions.FIXED), "fixed motions"),
        (
            PackingPuzzle(
                "f", PLANE, DOMINO, (Piece("I", DOMINO[:1]),), (FixedPiece("F", DOMINO[1:]),)
            ),
            "cannot be moved",
        ),
    ],
)
def test_a_puzzle_beyond_the_format_is_not_written(puzzle: PackingPuzzle, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        write_burrtools(puzzle)


# Two L trominoes in 2x3; the same, perhaps a row of two and a cube in a larger grid with two
# cells that may stay empty, which has been solved, or so it says.
BOTH = """\
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
OLD = BOTH[BOTH.index("<solutions>") : BOTH.index("</solutions>") + len("</solutions>")]


def stored(path: Path, content: str) -> TextFile:
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
    source = stored(tmp_path / "burr.xmpuzzle", BOTH)
    puzzle = only_packing(f"{source.path}#{number}")
    text, found = written_back(source, puzzle)
    assert len(found) > 1
    again = stored(tmp_path / "again.xmpuzzle", text)
    read = [solution for _, solution in read_solutions(again, puzzle)]
    assert [content(s) for s in read if isinstance(s, PackingSolution)] == [*map(content, found)]
    assert all(solution_error(puzzle, solution) is None for solution in read)
    begin = text.index("<solutions>")
    new = text[begin : text.index("</solutions>", begin) + len("</solutions>")]
    assert new.count("<assembly>") == len(found)
    if number == 2:
        assert text == BOTH.replace(OLD, new)
    else:
        assert text == BOTH.replace("  </problem>", f"   {new}\n  </problem>", 1)
    text_again, _ = written_back(again, only_packing(f"{again.path}#{number}"))
    assert text_again == text


def test_assemblies_have_the_hotspots_and_the_order_of_the_file(tmp_path: Path) -> None:
    """The expected line was worked out by hand."""
    source = stored(tmp_path / "burr.xmpuzzle", BOTH)
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
        ("\n  </problem>\n </problems>", "</problem></problems>"),
        ("<shapes>", "<shapes><!-- <solutions>ü --><solutions>?</solutions>"),
    ],
)
def test_solutions_are_written_into_documents_of_any_layout(
    tmp_path: Path, old: str, new: str
) -> None:
    text = BOTH.replace(old, new)
    assert text != BOTH
    source = stored(tmp_path / "burr.xmpuzzle", text)
    puzzle = only_packing(f"{source.path}#2")
    back, found = written_back(source, puzzle)
    again = stored(tmp_path / "again.xmpuzzle", back)
    assert len(list(read_solutions(again, puzzle))) == len(found) > 1
    head = solution_writer(".xmpuzzle", puzzle, source).head
    assert text.startswith(head.removesuffix("<solutions>\n").rstrip())
    assert back[back.index("<comment>behind") :] == text[text.index("<comment>behind") :]


def test_of_equal_problems_the_named_one_gets_the_solutions(tmp_path: Path) -> None:
    start, end = BOTH.index("  <problem "), BOTH.index("  <problem state")
    source = stored(tmp_path / "burr.xmpuzzle", BOTH[:end] + BOTH[start:end] + BOTH[end:])
    for number, earlier in ((1, 0), (2, 1)):
        writer = solution_writer(".xmpuzzle", only_packing(f"{source.path}#{number}"), source)
        assert writer.head.count("</problem>") == earlier


def test_solutions_of_another_puzzle_are_not_written_back(tmp_path: Path) -> None:
    source = stored(tmp_path / "burr.xmpuzzle", BOTH)
    with pytest.raises(PuzzleError, match="does not contain soma-cube"):
        solution_writer(".xmpuzzle", only_packing("soma-cube"), source)
    with pytest.raises(PuzzleError, match="support packing puzzles only"):
        solution_writer(".xmpuzzle", load("queens-6"), source)
    with pytest.raises(FormatError, match=":18: none of the 2 problems is soma-cube"):
        list(read_solutions(source, load("soma-cube")))
