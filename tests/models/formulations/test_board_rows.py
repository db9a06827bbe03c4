"""The rows of cells beside the options from which they are made."""

from __future__ import annotations

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from dovetail.models.board_geometry import EAST, NORTH
from dovetail.models.edges import EdgePuzzle
from dovetail.models.formulations.boards import cell_rows
from dovetail.models.options.edges import edge_options
from oracle.strategies import hinted_boards, laid_boards


@given(hinted_boards() | laid_boards([(4, 3), (3, 5)]), st.data())
def test_every_option_is_a_row_of_its_cell_with_equal_colours_where_sides_match(
    puzzle: EdgePuzzle, data: st.DataObject
) -> None:
    options = edge_options(puzzle)
    kept = data.draw(st.sets(st.sampled_from(range(options.option_count))))
    options = options.subset(sorted(kept))  # type: ignore[arg-type]
    cells = cell_rows(options)
    assert sorted(o for cell in cells for o in cell.option.tolist()) == list(range(len(kept)))
    values = defaultdict[int, dict[int, set[int]]](lambda: defaultdict(set))
    for number, cell in enumerate(cells):
        sides = [side for side, _ in puzzle.geometry.neighbours(number)]
        for row, option in enumerate(cell.option[cell.row].tolist()):
            assert options.cell[option] == number
            assert options.tile_type[option] == cell.kind[row]
            for place, side in enumerate(sides):
                shown = int(options.sides[option, side])
                outward = shown if side in (NORTH, EAST) else puzzle.mate(shown)
                values[cell.edges[place]][int(cell.colours[row, place])].add(outward)
    for by_colour in values.values():
        assert all(len(shown) == 1 for shown in by_colour.values())
        assert len(set.union(*by_colour.values())) == len(by_colour)
