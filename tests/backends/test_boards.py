"""Every solver of edge-matching puzzles gives the same answer, whatever is asked of it.

What is expected comes from all boards as plain tuples, turned and labelled without options:
laid by brute force where the puzzle is small, else found by `dlx`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import factorial, prod

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dovetail.harness.run.job import Limits
from dovetail.models.boards.edges import EdgePuzzle, Tile, canonical_turn, turned
from dovetail.models.options.edges import edge_options
from dovetail.models.outcome import Status
from dovetail.models.request import Symmetry
from oracle.answers import counted, listed
from oracle.brute_force import Board, LabelledBoard, boards
from oracle.strategies import laid_boards

BACKENDS = ("dlx", "rows", "colorpair", "domains")
SQUARES = [(3, 3), (4, 4), (5, 5)]
RECTANGLES = [(2, 3), (4, 2), (7, 2), (6, 1), (3, 4), (4, 3), (3, 5), (6, 3), (4, 5), (5, 4)]
LARGEST_LAID = 12  # cells of a board that brute force lays
MAX_LISTED = 200  # of labelled boards
ENOUGH = Limits(nodes=20_000)


@given(
    puzzle=laid_boards(SQUARES) | laid_boards(RECTANGLES),
    symmetry=st.sampled_from(list(Symmetry)),
    labelled=st.booleans(),
    restricted=st.booleans(),
    slower=st.sampled_from(["choco", "cpsat"]),
)
@settings(max_examples=25)
def test_random_boards(
    puzzle: EdgePuzzle, symmetry: Symmetry, labelled: bool, restricted: bool, slower: str
) -> None:
    """Signed ones, hints, boards that look the same after a half turn; counted and listed."""
    small = len(puzzle.tiles) <= LARGEST_LAID
    check_all(puzzle, [*BACKENDS, *[slower] * small], symmetry, labelled, restricted)


def check_all(
    puzzle: EdgePuzzle,
    backends: Sequence[str],
    symmetry: Symmetry,
    labelled: bool,
    restricted: bool,
) -> None:
    """Counted and listed by each backend."""
    found = boards(puzzle) if len(puzzle.tiles) <= LARGEST_LAID else found_by_dlx(puzzle)
    for backend in backends:
        check_count(puzzle, found, backend, symmetry, labelled, restricted)
        check_list(puzzle, found, backend, restricted)
        expected = expected_count(puzzle, found, symmetry, labelled)
        if labelled and expected <= MAX_LISTED:
            finished, solutions = listed(puzzle, backend, symmetry, labelled=True)
            assert finished.count == len(solutions) == expected <= finished.verified


def check_count(
    puzzle: EdgePuzzle,
    found: set[Board],
    backend: str,
    symmetry: Symmetry,
    labelled: bool,
    restricted: bool,
) -> None:
    """As many as there are by turning and labelling all boards."""
    reduce = ["redundancy"] if restricted else []
    finished = counted(puzzle, backend, symmetry, labelled=labelled, reduce=reduce)
    assert finished.status == Status.EXHAUSTED
    assert finished.count == expected_count(puzzle, found, symmetry, labelled)


def check_list(puzzle: EdgePuzzle, found: set[Board], backend: str, restricted: bool) -> None:
    """All boards, each once."""
    finished, solutions = listed(puzzle, backend, reduce=["redundancy"] if restricted else [])
    assert finished.status == Status.EXHAUSTED
    assert finished.count == finished.verified == len(solutions)
    assert shown(puzzle, solutions) == found


def expected_count(
    puzzle: EdgePuzzle, found: set[Board], symmetry: Symmetry, labelled: bool
) -> int:
    """From all boards of a puzzle with more than one cell."""
    if not labelled:
        return len(found) if symmetry == Symmetry.ALL else classes(puzzle, found)
    # A turn moves tiles, so that no labelled board looks the same after it.
    turns = 1 if symmetry == Symmetry.ALL else len(allowed_turns(puzzle, labelled=True))
    return len(found) * labellings(puzzle) // turns


def found_by_dlx(puzzle: EdgePuzzle) -> set[Board]:
    """All boards; an example with too many nodes is passed over."""
    finished, solutions = listed(puzzle, "dlx", limits=ENOUGH)
    assume(finished.status == Status.EXHAUSTED)
    return shown(puzzle, solutions)


def shown(puzzle: EdgePuzzle, solutions: set[tuple[int, ...]]) -> set[Board]:
    """The sides that cells show, x slowest, as options are ordered."""
    sides = [
        (north, east, south, west)
        for north, east, south, west in edge_options(puzzle).sides.tolist()
    ]
    return {tuple(sides[option] for option in solution) for solution in solutions}


Laid = Mapping[tuple[int, int], tuple[int, Tile]]  # a mark and the sides shown, by column and row


ALIKE = 0  # the mark of tiles that are not distinguished


def labellings(puzzle: EdgePuzzle) -> int:
    """How many ways there are to label the tiles of one board: those in hints have their place."""
    named = {hint.tile for hint in puzzle.hints}
    free = (tile for number, tile in enumerate(puzzle.tiles) if number not in named)
    return prod(factorial(copies) for copies in Counter(map(canonical_turn, free)).values())


def allowed_turns(puzzle: EdgePuzzle, *, labelled: bool) -> list[int]:
    """By how many quarter turns the board and its hints may be turned, 0 first.

    Hints must come to lie where hints are: distinguished by their tiles only if `labelled`.
    """
    hinted = {
        (h.x, h.y): (h.tile if labelled else ALIKE, turned(puzzle.tiles[h.tile], h.rotation))
        for h in puzzle.hints
    }
    square = puzzle.width == puzzle.height
    return [
        turns
        for turns in range(4)
        if (square or turns % 2 == 0)
        and turned_clockwise(hinted, puzzle.width, puzzle.height, turns) == hinted
    ]


def classes(puzzle: EdgePuzzle, found: Iterable[Board]) -> int:
    """How many of all boards, identical tiles interchangeable, differ under the allowed turns."""
    turns = allowed_turns(puzzle, labelled=False)
    return _classes(puzzle, {tuple((ALIKE, sides) for sides in board) for board in found}, turns)


def turned_clockwise(
    laid: Laid, width: int, height: int, quarter_turns: int
) -> dict[tuple[int, int], tuple[int, Tile]]:
    """What lies where when a board of width x height has been turned."""
    now = dict(laid)
    for _ in range(quarter_turns):
        now = {
            (y, width - 1 - x): (mark, turned(sides, 3)) for (x, y), (mark, sides) in now.items()
        }
        width, height = height, width
    return now


def _classes(puzzle: EdgePuzzle, found: set[LabelledBoard], turns: list[int]) -> int:
    cells = [(x, y) for x in range(puzzle.width) for y in range(puzzle.height)]
    canonical = set()
    for board in found:
        images = []
        for each in turns:
            laid = dict(zip(cells, board, strict=True))
            image = turned_clockwise(laid, puzzle.width, puzzle.height, each)
            images.append(tuple(image[cell] for cell in cells))
        assert found.issuperset(images)
        canonical.add(min(images))
    return len(canonical)
