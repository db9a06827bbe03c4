"""Options of a packing puzzle: each placement is an option."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, islice, repeat

import numpy as np
from numpy.typing import NDArray

from dovetail.models.arrays import row_blocks
from dovetail.models.cover import CoverProblem
from dovetail.models.lattices.cell_numbers import NO_NUMBER, CellNumbers
from dovetail.models.lattices.protocol import CELLS_AT_ONCE, Cells, Orientations, outlines
from dovetail.models.options.base import CellItems, OptionGroups
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.packings.placements import NO_CELL, Placements
from dovetail.models.request import Representatives, Symmetry
from dovetail.models.solution import PackingSolution
from dovetail.models.symmetry import RowNumbers, permutations_of_group

Array = NDArray[np.int64]
NO_PLACEMENT = -1
SHARED = 1 << 14  # number of placements whose tuples of cells are cached for solutions


@dataclass(frozen=True, eq=False)
class PlacementImages:
    """Images of placements, computed from an example of each orientation.

    An isometry maps translates to translates. So the images of all placements with the same
    orientation have the same outline as the image of the example. The vector from the image of the
    first cell to the first cell of the image is the same for all of them.
    """

    placements: Placements

    def of(self, cell_map: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return for each placement the first placement on the cells of its image, −1 for none.

        `cell_map`, shape (cells,), has the image of each open cell.
        """
        p, (number, _) = self.placements, self._own
        outline = np.empty(len(self._examples), dtype=np.int64)
        first = np.empty(len(self._examples), dtype=np.int64)
        for some, names, cells in self._moved(cell_map):
            outline[some] = [number.get(name, -1) for name in names]
            first[some] = cells
        moved = p.coordinates[cell_map[self._first_cell]]
        shift = p.coordinates[first] - moved[self._examples]
        return self._at(outline, self._cells.of(moved + shift[self._orientation]))

    @cached_property
    def equal(self) -> NDArray[np.int32]:
        """For each placement, the first placement on the same cells."""
        return self._at(self._own[1], self._first_cell)

    def _at(self, outline: Array, first_cell: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the first placement with each outline and first cell, −1 for none.

        `outline` has an entry for each example, `first_cell` for each placement.
        """
        keys, order = self._sorted_keys
        wanted = self._keys(outline, first_cell)
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        is_there = (keys[at] == wanted) & (first_cell != NO_NUMBER)
        return np.where(is_there, order[at], NO_PLACEMENT).astype(np.int32)

    def _keys(self, outline: Array, first_cell: NDArray[np.int32]) -> Array:
        keys: Array = outline[self._orientation] * self.placements.cell_count + first_cell
        return keys

    @cached_property
    def _sorted_keys(self) -> tuple[Array, Array]:
        """Keys of all placements in ascending order, and the placement of each key."""
        keys = self._keys(self._own[1], self._first_cell)
        order = np.argsort(keys, kind="stable")
        return keys[order], order

    @cached_property
    def _own(self) -> tuple[dict[bytes, int], Array]:
        """Number of each outline, and the outline number of each example."""
        number: dict[bytes, int] = {}
        outline = np.empty(len(self._examples), dtype=np.int64)
        for some, names, _ in self._moved(np.arange(self.placements.cell_count, dtype=np.int32)):
            outline[some] = [number.setdefault(name, len(number)) for name in names]
        return number, outline

    def _moved(
        self, cell_map: NDArray[np.int32]
    ) -> Iterator[tuple[Array, Iterator[bytes], NDArray[np.int32]]]:
        """Yield examples in batches, with the outlines and the first cells of their images."""
        p = self.placements
        sizes = p.sizes[self._examples]
        for size in np.unique(sizes).tolist():
            same = np.flatnonzero(sizes == size)
            at_once = max(1, CELLS_AT_ONCE // size)
            for begin in range(0, len(same), at_once):
                some = same[begin : begin + at_once]
                members = p.start[self._examples[some], None] + np.arange(size)
                cells = cell_map[p.member[members]]
                found, first = outlines(p.lattice, p.coordinates[cells])
                yield some, found.names(), cells[np.arange(len(cells)), first]

    @cached_property
    def _cells(self) -> CellNumbers:
        return CellNumbers(self.placements.coordinates)

    @cached_property
    def _first_cell(self) -> NDArray[np.int32]:
        return self.placements.member[self.placements.start[:-1]]

    @cached_property
    def _examples(self) -> Array:
        """Number of one placement for each orientation."""
        return np.unique(self.placements.orientation, return_index=True)[1]

    @cached_property
    def _orientation(self) -> Array:
        """Index into `_examples` of each placement."""
        return np.unique(self.placements.orientation, return_inverse=True)[1].ravel()


@dataclass(frozen=True, eq=False)
class RowImages:
    """Images of placements on a lattice that wraps, where outlines do not determine translates."""

    placements: Placements

    def of(self, cell_map: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return for each placement the first placement on the cells of its image, −1 for none."""
        image = np.append(cell_map, np.int32(NO_CELL))[self.placements.cells]
        return self._rows.of(np.sort(image, axis=1)).astype(np.int32)

    @cached_property
    def equal(self) -> NDArray[np.int32]:
        """For each placement, the first placement on the same cells."""
        return self._rows.of(self.placements.cells).astype(np.int32)

    @cached_property
    def _rows(self) -> RowNumbers:
        return RowNumbers(self.placements.cells)


@dataclass(frozen=True, eq=False)
class PackingOptions:
    """Options of a packing puzzle: option p is placement p."""

    puzzle: PackingPuzzle
    placements: Placements

    @property
    def option_count(self) -> int:
        return len(self.placements)

    @property
    def placements_per_solution(self) -> int | None:
        shapes = self.placements.shapes
        if any(shape.min_count != shape.max_count for shape in shapes):
            return None
        return sum(shape.min_count for shape in shapes)

    @cached_property
    def cover(self) -> CoverProblem:
        """Cover problem: cells to fill (x slowest) and then shapes are primary items.

        Optional cells and then crossing places are secondary items. The members of an option are
        its cells, then its shape, then its crossing places.
        """
        p = self.placements
        must_fill = np.flatnonzero(~p.optional)
        may_fill = np.flatnonzero(p.optional)
        cell_names = [",".join(map(str, cell)) for cell in p.coordinates.tolist()]
        names = (
            *(cell_names[v] for v in must_fill),
            *("+".join(shape.pieces) for shape in p.shapes),
            *(cell_names[v] for v in may_fill),
            *(f"crossing@{','.join(map(str, place))}" for place in p.crossing_places),
        )
        first_crossing = p.cell_count + len(p.shapes)
        crossed = p.crossings != NO_CELL
        start = np.concatenate([[0], np.cumsum(p.sizes + 1 + crossed.sum(axis=1))])
        item = np.empty(start[-1], dtype=np.int32)
        at_shape = start[:-1] + p.sizes
        for rows, members in row_blocks(p.start):
            items = item[start[rows.start] : start[rows.stop]]
            shape_at = at_shape[rows] - start[rows.start]
            crossing = crossed[rows]
            crossing_at = (shape_at[:, None] + 1 + np.arange(crossing.shape[1]))[crossing]
            at_cell = np.ones(len(items), dtype=bool)
            at_cell[shape_at] = at_cell[crossing_at] = False
            items[at_cell] = self._item_of_cell[p.member[members]]
            items[shape_at] = len(must_fill) + p.shape[rows]
            items[crossing_at] = first_crossing + p.crossings[rows][crossing]
        cell_bounds = [1] * len(must_fill)
        return CoverProblem(
            name=self.puzzle.name,
            item_names=names,
            lower=np.array(cell_bounds + [s.min_count for s in p.shapes], dtype=np.int32),
            upper=np.array(cell_bounds + [s.max_count for s in p.shapes], dtype=np.int32),
            start=start,
            item=item,
            colour=np.zeros(len(item), dtype=np.int32),
        )

    def subset(self, kept: NDArray[np.int64]) -> PackingOptions:
        """Return the options with the numbers `kept`, in this order."""
        return replace(self, placements=self.placements.subset(kept))

    @property
    def option_groups(self) -> OptionGroups:
        """Groups of options by shape; names are piece names."""
        p = self.placements
        names = tuple(shape.pieces for shape in p.shapes)
        once = tuple(shape.min_count == shape.max_count == 1 for shape in p.shapes)
        return OptionGroups("piece", p.shape, names, once)

    @cached_property
    def cells(self) -> CellItems:
        p = self.placements
        required = int(np.count_nonzero(~p.optional))
        return CellItems(required, self._item_of_cell, p.positions, p.neighbours)

    @cached_property
    def _item_of_cell(self) -> NDArray[np.int32]:
        p = self.placements
        required = int(np.count_nonzero(~p.optional))
        item = np.empty(p.cell_count, dtype=np.int32)
        item[~p.optional] = np.arange(required)
        item[p.optional] = required + len(p.shapes) + np.arange(p.cell_count - required)
        return item

    def symmetries(self, symmetry: Symmetry) -> NDArray[np.int32]:
        if symmetry not in self._found_symmetries:
            self._found_symmetries[symmetry] = self._symmetries(symmetry)
        return self._found_symmetries[symmetry]

    @cached_property
    def _found_symmetries(self) -> dict[Symmetry, NDArray[np.int32]]:
        """Cache of the symmetries: the reduction `probe` needs them once for each piece."""
        return {}

    def _symmetries(self, symmetry: Symmetry) -> NDArray[np.int32]:
        identity = np.arange(len(self.placements), dtype=np.int32)
        if symmetry == Symmetry.ALL:
            return identity[None, :]
        found = {identity.tobytes(): identity}
        reflections = symmetry == Symmetry.MIRROR or self.puzzle.lattice.flips
        for permutation in self._permutations(reflections=reflections):
            found.setdefault(permutation.tobytes(), permutation)
        return np.stack(list(found.values()))

    def ranks(self, representatives: Representatives) -> NDArray[np.int64]:
        """Return the rank of each placement, shape (n,).

        In each orbit, symmetry breaking keeps the placement with the lowest rank.
        """
        p, ranks = self.placements, np.arange(len(self.placements))
        if representatives == Representatives.FIRST or p.cell_count == 0:
            return ranks
        lowest = _lowest_orientations(p)
        turned = np.zeros(len(p), dtype=bool)
        for turn in self._permutations(reflections=False):
            turned |= lowest[turn] < lowest
        ranks[np.lexsort((*p.cells.T[::-1], turned))] = np.arange(len(p))
        return ranks

    def solution(self, chosen: Sequence[int]) -> PackingSolution:
        unused = [(self.puzzle.pieces[piece].name for piece in uses) for uses in self._uses]
        placed = [
            (next(unused[self.placements.shape[option]]), self._cells_of(option))
            for option in sorted(chosen)
        ]
        return PackingSolution(tuple(placed), self.puzzle.lattice)

    def pieces_of(self, solution: Array, option: Array) -> Array:
        """Return the number of the piece that each option places in its solution.

        `solution` has the number of a solution for each entry of `option`. The options of each
        solution are consecutive and ascend. Copies of a shape are assigned as in `solution()`.
        """
        shape = self.placements.shape[option]
        begins = np.ones(len(option), dtype=bool)
        begins[1:] = (shape[1:] != shape[:-1]) | (solution[1:] != solution[:-1])
        first = np.flatnonzero(begins)
        use = np.arange(len(option)) - np.repeat(first, np.diff(np.append(first, len(option))))
        begin, pieces = self._use_arrays
        found: Array = pieces[begin[shape] + use]
        return found

    @cached_property
    def _use_arrays(self) -> tuple[Array, Array]:
        """Index of the first use of each shape, and the piece of each use."""
        every = np.array([*chain.from_iterable(self._uses)], dtype=np.int64)
        return np.cumsum([0, *map(len, self._uses)]), every

    @cached_property
    def _uses(self) -> list[list[int]]:
        """For each shape, the numbers of its pieces in the order of use, required copies first."""
        number = {piece.name: number for number, piece in enumerate(self.puzzle.pieces)}
        found = list[list[int]]()
        for shape in self.placements.shapes:
            its = [(number[name], self.puzzle.pieces[number[name]]) for name in shape.pieces]
            required = [repeat(n, min(piece.min_count, shape.max_count)) for n, piece in its]
            others = [repeat(n, piece.max_count - piece.min_count) for n, piece in its]
            every = chain.from_iterable((*required, *others))
            found.append(list(islice(every, self.placements.cell_count)))
        return found

    def __getstate__(self) -> dict[str, object]:
        """Return only the fields: caches are not pickled."""
        return {"puzzle": self.puzzle, "placements": self.placements}

    @cached_property
    def _cells_of(self) -> Callable[[int], Cells]:
        """Cached function from an option to its cells, so that solutions share the tuples."""
        return lru_cache(SHARED)(self.placements.cell_tuples)

    def placed(self, option: int) -> tuple[str, Cells]:
        """Return the piece that an option places (the first of its shape) and its cells."""
        shape = self.placements.shapes[self.placements.shape[option]]
        return shape.name, self.placements.cell_tuples(option)

    def _permutations(self, *, reflections: bool) -> Iterator[NDArray[np.int32]]:
        """Yield the placement permutations by symmetries of the open cells, except the identity."""
        p, lattice = self.placements, self.puzzle.lattice
        if p.cell_count == 0:
            return
        mark = self._marks
        cell_maps = lattice.symmetries(p.coordinates, reflections=reflections)
        kept = np.array([np.array_equal(mark[cell_map], mark) for cell_map in cell_maps])
        yield from permutations_of_group(cell_maps[kept], len(p), self._permutation)

    @cached_property
    def _marks(self) -> NDArray[np.int64]:
        """Invariant of each open cell under symmetries: marking, colour, whether it is optional."""
        number = {cell: n for n, cells in enumerate(self.puzzle.markings, 1) for cell in cells}
        colour = {cell: n for n, (_, its) in enumerate(self.puzzle.colours, 1) for cell in its}
        marks = [(number.get(c, 0), colour.get(c, 0)) for c in self.puzzle.open_cells]
        marking, shown = np.array(marks, dtype=np.int64).reshape(-1, 2).T
        return 2 * (marking * (len(colour) + 1) + shown) + self.placements.optional

    def _permutation(self, cell_map: NDArray[np.int32]) -> NDArray[np.int32] | None:
        """Return the image of each placement under `cell_map`, None if it is no symmetry.

        A symmetry maps the placements of each shape to placements of the same shape. A shape for
        which this is impossible may become another shape that is used equally often and has exactly
        the moved orientations and placements. For example, a one-sided piece may become its mirror
        image, and a piece that must not turn may become a piece with the turned cells. A shape that
        looks like a shape with other placements never becomes another shape, since the image would
        be ambiguous. So the symmetries form a group.
        """
        p = self.placements
        image = self._images.of(cell_map)
        if (image < 0).any():
            return None
        moved_shape = np.arange(len(p.shapes), dtype=np.int32)
        moved = [
            (shape, signature)
            for shape, signature in enumerate(self._signatures_of(image))
            if signature != self._signatures[shape]
        ]
        others: dict[tuple[int, int, bytes], list[int]] = {}
        for shape, _ in moved:
            others.setdefault(self._signatures[shape], []).append(shape)
        for shape, signature in moved:
            if shape in self._with_doubles:
                return None
            first = int(image[np.argmax(p.shape == shape)])
            candidates = others.get(signature, [])
            target = self._shape_lying_so(p.cell_tuples(first), shape, candidates)
            if target is None:
                return None
            candidates.remove(target)
            moved_shape[shape] = target
        return self._by_shape.of(np.column_stack([moved_shape[p.shape], image])).astype(np.int32)

    @cached_property
    def _with_doubles(self) -> frozenset[int]:
        """Shapes with the orientations, colours and bounds of a shape with other placements."""
        alike: dict[object, set[int]] = {}
        for number, shape in enumerate(self.placements.shapes):
            appearance = (
                self._orientations[number].identity,
                self._turned_patterns[number],
                shape.min_count,
                shape.max_count,
            )
            alike.setdefault(appearance, set()).add(number)
        return frozenset(
            number
            for numbers in alike.values()
            if len({self._signatures[number] for number in numbers}) > 1
            for number in numbers
        )

    @cached_property
    def _images(self) -> PlacementImages | RowImages:
        wraps = self.puzzle.lattice.wraps
        return RowImages(self.placements) if wraps else PlacementImages(self.placements)

    @cached_property
    def _by_shape(self) -> RowNumbers:
        """Lookup of placements by shape and by number in `_own_images`."""
        return RowNumbers(np.column_stack([self.placements.shape, self._own_images]))

    @cached_property
    def _own_images(self) -> NDArray[np.int32]:
        """For each placement, the first placement on the same cells."""
        return self._images.equal

    def _shape_lying_so(self, moved: Cells, shape: int, candidates: Sequence[int]) -> int | None:
        """Return the first of `candidates` with the moved orientations and colours of `shape`.

        Returns None if there is none. `moved`: a moved placement of `shape`. Testing it is enough,
        since two shapes with equally many orientations share all of them or none.
        """
        for candidate in candidates:
            if self._patterns[candidate] != self._patterns[shape]:
                continue
            other, size = self._orientations[candidate], len(self._orientations[shape])
            if len(other) == size and moved in other:
                return candidate
        return None

    @cached_property
    def _patterns(self) -> list[object]:
        """Colours of each shape up to isometries, None without colours."""
        return [self.puzzle.pattern(piece) for piece in self._shape_pieces]

    @cached_property
    def _turned_patterns(self) -> list[object]:
        """Colours of each shape up to its motions, None without colours."""
        return [self.puzzle.pattern(piece, piece.motions) for piece in self._shape_pieces]

    @cached_property
    def _shape_pieces(self) -> list[Piece]:
        """First piece of each shape."""
        pieces = {piece.name: piece for piece in self.puzzle.pieces}
        return [pieces[shape.name] for shape in self.placements.shapes]

    @cached_property
    def _orientations(self) -> tuple[Orientations, ...]:
        """Orientations of each shape's pieces."""
        puzzle = self.puzzle
        of_piece = {
            piece.name: orientations
            for piece, orientations in zip(puzzle.pieces, puzzle.orientations, strict=True)
        }
        return tuple(of_piece[shape.name] for shape in self.placements.shapes)

    @cached_property
    def _signatures(self) -> list[tuple[int, int, bytes]]:
        return self._signatures_of(self._own_images)

    def _signatures_of(self, images: NDArray[np.int32]) -> list[tuple[int, int, bytes]]:
        """Return the signature of each shape: its bounds and its placements' sorted `images`."""
        p = self.placements
        order = np.lexsort((images, p.shape))
        in_order = images[order]
        first = np.searchsorted(p.shape[order], np.arange(len(p.shapes) + 1))
        return [
            (shape.min_count, shape.max_count, in_order[begin:end].tobytes())
            for shape, begin, end in zip(p.shapes, first, first[1:], strict=False)
        ]


def _lowest_orientations(placements: Placements) -> NDArray[np.int64]:
    """Return the rank of each placement's orientation among those of its shape, shape (n,).

    Orientations are compared by their cells, row by row from below. Placements of a shape that are
    translates of each other have the same rank.
    """
    numbers = np.zeros(len(placements), dtype=np.int64)
    for shape in range(len(placements.shapes)):
        members = np.flatnonzero(placements.shape == shape)
        if not len(members):
            continue
        size = placements.sizes[members[0]]
        cells = placements.member[placements.start[members, None] + np.arange(size)]
        corners = placements.coordinates[cells]
        corners -= corners.min(axis=1, keepdims=True)
        extent = int(corners.max(initial=0)) + 1
        rows = corners @ extent ** np.arange(corners.shape[2])  # the last axis changes slowest
        numbers[members] = np.unique(np.sort(rows, axis=1), axis=0, return_inverse=True)[1].ravel()
    return numbers
