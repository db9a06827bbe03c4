"""The `Lattice` interface: cells, their motions and their pictures.

docs/architecture/lattices.md lists the callers of each method.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from operator import add, index
from typing import Any, NamedTuple, cast, overload

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.cell_numbers import MAX_VOLUME, strides_of
from dovetail.printable import Shown

Cell = tuple[int, ...]
Cells = tuple[Cell, ...]
Point = tuple[float, float]

# Function from cells, shape (n, axes), to their images, in the same order, under a map of the
# lattice onto itself. A single isometry represents all maps that differ by a translation.
Isometry = Callable[[NDArray[np.int64]], NDArray[np.int64]]

# Coordinates beyond this are a mistake; the bound keeps sums of coordinates within int64.
LARGEST_COORDINATE = 1_000_000

OTHER_FILES = "use JSON (.json, .jsonl) or CSV (.csv)"


class Footprint(NamedTuple):
    """A cell as drawn: a convex polygon in a layer."""

    polygon: tuple[Point, ...]
    """Corners, clockwise, y upward; a square's side is 1. Cells that share a side share both
    corners of the side."""
    layer: Cell = ()
    """Layer: () in the plane, (z,) in space, (z, w) in four dimensions."""
    ends: tuple[Point, ...] = ()
    """Both ends of a stick, which is drawn as a stroke; empty for other cells."""


class Solid(NamedTuple):
    """A cell in space: a convex polyhedron, z upward, in the units of a `Footprint`.

    Cells that share a face share all corners of the face. Without faces, the solid is a ball of
    diameter 1 about its only corner.
    """

    corners: tuple[tuple[float, float, float], ...]
    faces: tuple[tuple[int, ...], ...]
    """Numbers of the corners of each face, anticlockwise as seen from outside."""


class Lattice(Shown, ABC):
    """The cells of a tiling or a packing, their motions and their pictures.

    A cell is a tuple with an integer for each of `axes`. A translation adds a vector of as many
    integers to every cell. The lattice defines which vectors are translations. Each cell is a
    translate of exactly one of the `fundamental_cells`. A lattice may have cells of several classes
    of translates, for example with the class as the last coordinate.

    Lattices are immutable, hashable, equal to their copies and picklable: puzzles hold them.
    Subclasses implement the abstract methods. The other methods have defaults: pieces do not cross,
    a colouring is searched for, and pictures and text raise `PuzzleError`.
    """

    # Dimension of the space in which the cells lie.
    dimension: int

    def __str__(self) -> str:
        return f"{self.name}: {self.title}, a cell is ({', '.join(self.axes)})"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type, handler: Any) -> Any:
        """Return a schema that represents a lattice in plain data by its name."""
        if cls is not Lattice:
            return handler(source)
        from pydantic_core import core_schema

        from dovetail.models.lattices.registry import lattice_from_plain, lattice_to_plain

        return core_schema.no_info_plain_validator_function(
            lattice_from_plain,
            serialization=core_schema.plain_serializer_function_ser_schema(lattice_to_plain),
        )

    @property
    @abstractmethod
    def name(self) -> str:
        """Unique name of the lattice in digests and messages."""

    @property
    @abstractmethod
    def axes(self) -> tuple[str, ...]:
        """Names of a cell's coordinates."""

    @property
    @abstractmethod
    def fundamental_cells(self) -> Cells:
        """A cell of each class of translates, sorted.

        If there is a single class, the cell is the origin: differences of cells are then cells.
        """

    @abstractmethod
    def is_cell(self, cell: Cell) -> bool:
        """Return whether `cell`, which has an integer for each axis, is a cell of the lattice."""

    @abstractmethod
    def neighbours(self, cell: Cell) -> Cells:
        """Return the cells that connect to `cell` in a piece or in part of a region."""

    @abstractmethod
    def translations(self, source: Cell, targets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the vectors from `source` to the `targets` that are its translates.

        `targets` has shape (n, axes), the vectors (m, axes), in the order of the targets.
        """

    @abstractmethod
    def orientations(self, cells: Cells, *, reflections: bool) -> Orientations:
        """Return the orientations of a piece, up to translation.

        The orientations are the piece's congruent copies on the lattice: images under rotations
        and, with `reflections`, mirror images. The unmoved `cells` come first.
        """

    @abstractmethod
    def symmetries(self, cells: NDArray[np.int64], *, reflections: bool) -> NDArray[np.int32]:
        """Return the permutations of a region's cells by rotations that map the region to itself.

        `cells` are distinct, shape (n, axes), n ≥ 1. Row g of the result, shape (symmetries, n),
        has the number of each cell's image under symmetry g. Rows differ; the identity comes first.
        With `reflections`, reflections are included.
        """

    def isometries(self, *, reflections: bool) -> Sequence[Isometry]:
        """Return the isometries up to translations, identity first.

        Without `reflections`, only rotations are returned. Coloured pieces and wrapped lattices
        need this method. By default, it raises `PuzzleError`, since pieces may have other motions.
        """
        raise PuzzleError(f"cells {self.phrase} have no common motions that colours could follow")

    @abstractmethod
    def positions(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the centres of `cells`, shape (n, axes), in space, shape (n, dimension)."""

    @property
    def flips(self) -> bool:
        """True if turning a piece over reflects it: only in the plane."""
        return self.dimension == 2

    @property
    def phrase(self) -> str:
        """Phrase for the lattice in messages, to follow "60 cells"."""
        return f"of the {self.name} lattice"

    @property
    def title(self) -> str:
        """Short description of the cells, by default from the name of the lattice."""
        return self.name.replace("-", " ")

    @property
    def wraps(self) -> bool:
        """True if cells that differ by a period are the same cell; see `reduced`."""
        return False

    def reduced(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the coordinates, shape (…, axes), by which the lattice represents `cells`."""
        return cells

    def fixed_orientation(self, cells: Cells) -> Orientations:
        """Return the unmoved `cells` as the only orientation."""
        return Orientations(self, [np.array([cells], dtype=np.int64)])

    def normalise(self, cells: Iterable[Cell]) -> Cells:
        """Return `cells` translated to a standard position and sorted: equal for translates.

        By default the first cell becomes one of the `fundamental_cells`.
        """
        rows = sorted(cells)  # translations preserve this order
        (vector,) = self.translations(rows[0], np.array(self.fundamental_cells)).tolist()
        return tuple(tuple(map(add, row, vector)) for row in rows)

    def homes(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the fundamental cells of which `cells`, shape (n, axes), are translates."""
        rows = [self.normalise([tuple(cell)])[0] for cell in cells.tolist()]
        return np.array(rows, dtype=np.int64).reshape(cells.shape)

    def classes(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return for each of `cells` the number of the fundamental cell that is its translate.

        `cells` has shape (n, axes), the numbers (n,).
        """
        is_home = self.homes(cells)[:, None] == np.array(self.fundamental_cells)
        numbers: NDArray[np.int64] = is_home.all(axis=2).argmax(axis=1)
        return numbers

    def crossings(self, cells: Cells) -> Cells:
        """Return the places that a piece on `cells` crosses, where no other piece may cross it.

        A place has as many coordinates as a cell, but is not a cell. A translation of the piece
        moves the places by the same vector. By default there are no places.
        """
        return ()

    def colours(
        self, cells: NDArray[np.int64], neighbours: NDArray[np.int32]
    ) -> NDArray[np.int64] | None:
        """Return a colouring in which neighbours differ, 1 for black and −1 for white; or None.

        `cells` has shape (n, axes), `neighbours` (n, degree) with the numbers of cells, −1 for
        none; the colours have shape (n,). By default the first cell of each connected part is
        black, and None is returned if a part has an odd cycle.
        """
        near, colour = neighbours.tolist(), [0] * len(neighbours)
        for seed in range(len(near)):
            if colour[seed]:
                continue
            colour[seed] = 1
            reached = [seed]
            for cell in reached:  # grows during the loop
                for other in near[cell]:
                    if other >= 0 and not colour[other]:
                        colour[other] = -colour[cell]
                        reached.append(other)
                    elif other >= 0 and colour[other] == colour[cell]:
                        return None
        return np.array(colour, dtype=np.int64)

    def footprint(self, cell: Cell) -> Footprint:
        """Return the drawing of `cell` in its layer; raise `PuzzleError` if cells have no drawing.

        If cells have no drawing, pictures show their solids from outside.
        """
        raise PuzzleError(f"pictures cannot show cells {self.phrase}; {OTHER_FILES}")

    def solid(self, cell: Cell) -> Solid:
        """Return the solid of `cell`; raise `PuzzleError` if the viewer cannot show the lattice.

        Flat cells get a thickness.
        """
        raise PuzzleError(f"the viewer cannot show cells {self.phrase}; {OTHER_FILES}")

    def text_place(self, cell: Cell) -> Cell:
        """Return the column and row of a cell in a text picture, and its layer if there are layers.

        Rows are counted upward. Different cells have different places. A translation of cells moves
        all their places equally. Raises `PuzzleError` if text cannot show the lattice.
        """
        raise PuzzleError(f"text cannot show cells {self.phrase}; {OTHER_FILES}")

    def text_cell(self, place: Cell) -> Cell | None:
        """Return the cell at a place in text pictures, None if the place has no cell.

        Raises `PuzzleError` if text cannot show the lattice.
        """
        raise PuzzleError(f"text cannot show cells {self.phrase}; {OTHER_FILES}")

    def text_places(self, cells: Sequence[Cell]) -> list[Cell]:
        """Return `text_place` of many cells."""
        return list(map(self.text_place, cells))

    def text_cells(self, places: Sequence[Cell]) -> list[Cell | None]:
        """Return `text_cell` of many places."""
        return list(map(self.text_cell, places))


def symmetries_by(
    lattice: Lattice, cells: NDArray[np.int64], isometries: Iterable[Isometry]
) -> NDArray[np.int32]:
    """Return the permutations of `cells` by `isometries`, each followed by a translation.

    The result is as in `Lattice.symmetries`. It is complete for a lattice on which the symmetries
    of all regions are among `isometries`, up to translations.
    """
    order = np.lexsort(cells.T[::-1])
    target = cells[order]
    found = dict[bytes, NDArray[np.int32]]()
    for isometry in isometries:
        image = isometry(cells)
        by_image = np.lexsort(image.T[::-1])
        in_order = image[by_image]  # translations preserve the order
        for vector in lattice.translations(tuple(in_order[0].tolist()), target[:1]):
            if np.array_equal(in_order + vector, target):
                permutation = np.empty(len(cells), dtype=np.int32)
                permutation[by_image] = order
                found.setdefault(permutation.tobytes(), permutation)
    return np.stack(list(found.values()))


def as_cells(cells: Iterable[Iterable[int]]) -> Cells:
    """Return `cells` as a tuple of tuples of Python integers, in the given order.

    Raises `PuzzleError` for a coordinate that is not an integer.
    """
    try:
        return tuple(tuple(index(coordinate) for coordinate in cell) for cell in cells)
    except TypeError:
        raise PuzzleError("a cell is not a sequence of whole numbers") from None


Array = NDArray[np.int64]

MAX_LISTED = 10_000  # `Orientations` with at most this many cells in total keep normal forms
CELLS_AT_ONCE = 1 << 17  # cells of images in a batch: some megabytes
OBJECT = np.dtype(object)


class Outlines(NamedTuple):
    """Outlines of m images of n cells: equal exactly for images that are translates.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `home` | (m, axes) | int64 | the fundamental cell of which the first cell is a translate |
    | `extent` | (m, axes) | int64 | size of the box around the image |
    | `keys` | (m, n) | any | numbers of the cells in this box, ascending |
    """

    home: Array
    extent: Array
    keys: NDArray[Any]

    def offsets(self) -> Array:
        """Return the position of the first cell of each image in its box, shape (m, axes)."""
        return self.keys[:, :1].astype(np.int64) // strides_of(self.extent) % self.extent

    def names(self) -> Iterator[bytes]:
        """Yield a key of each image, equal exactly for equal outlines."""
        types = dict[bytes, np.dtype[Any]]()
        for home, extent, keys in zip(*self, strict=True):
            box = extent.tobytes()
            if box not in types:
                types[box] = _key_type(extent.astype(np.float64).prod())
            smallest = types[box]
            cells = str(keys.tolist()).encode() if smallest == OBJECT else keys.astype(smallest)
            yield home.tobytes() + box + bytes(cells)


def outlines(lattice: Lattice, images: Array) -> tuple[Outlines, Array]:
    """Return the outlines of images, and the index of the first cell of each image, shape (m,).

    `images` has the shape (m, n, axes).
    """
    least = images.min(axis=1)
    extent = images.max(axis=1).astype(np.int64) - least + 1
    volumes = extent.astype(np.float64).prod(axis=1)
    key_type = np.result_type(np.int8, _key_type(volumes.max(initial=1.0)))
    strides = strides_of(extent.astype(np.result_type(extent, key_type))).astype(key_type)
    within = images.astype(key_type) - least.astype(key_type)[:, None]
    keys = np.zeros(images.shape[:2], dtype=key_type)
    for axis in range(images.shape[2]):
        keys += within[..., axis] * strides[:, axis, None]
    first = keys.argmin(axis=1)
    keys.sort(axis=1)
    homes = lattice.homes(images[np.arange(len(images)), first])
    return Outlines(homes, extent, keys), first


def _key_type(volume: float) -> np.dtype[Any]:
    """Return the smallest type for keys in a box of `volume` cells; `OBJECT` for a huge box."""
    return OBJECT if volume >= MAX_VOLUME else np.min_scalar_type(-int(volume))


class Orientations(Sequence["Cells"]):
    """Images of some cells, without translates of earlier images, in the order of `images`.

    `images` has arrays of shape (any, n, axes); the first array is not empty. The items of the
    sequence are normalised.
    """

    def __init__(self, lattice: Lattice, images: Iterable[Array]) -> None:
        self._lattice = lattice
        found = dict[bytes, None]()
        kept = list[Outlines]()
        for some in images:
            its, _ = outlines(lattice, some)
            fresh = list[int]()
            for image, name in enumerate(its.names()):
                if name not in found:
                    found[name] = None
                    fresh.append(image)
            kept.append(Outlines(*(array[fresh] for array in its)))
        self.outlines = Outlines(*map(np.concatenate, zip(*kept, strict=True)))

    def __len__(self) -> int:
        return len(self.outlines.keys)

    @overload
    def __getitem__(self, number: int) -> Cells: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Cells]: ...
    def __getitem__(self, number: int | slice) -> Cells | Sequence[Cells]:
        if isinstance(number, slice):
            return tuple(map(self.__getitem__, range(*number.indices(len(self)))))
        home, extent, keys = (array[number] for array in self.outlines)
        strides = strides_of(extent.astype(np.result_type(extent, keys)))
        rows = keys[:, None] // strides % extent
        return self._lattice.normalise(map(tuple, (rows - rows[0] + home).tolist()))

    def __contains__(self, cells: object) -> bool:
        """Return whether `cells`, as many as the piece has, are a translate of an orientation.

        Small sets are searched by normal forms, which is faster for a single lookup.
        """
        if self.outlines.keys.size <= MAX_LISTED:
            return self._lattice.normalise(cast("Cells", cells)) in self._listed
        return bool(self.find(np.array([cells], dtype=np.int64))[0] >= 0)

    @cached_property
    def _listed(self) -> frozenset[Cells]:
        return frozenset(self)

    def find(self, images: Array) -> Array:
        """Return the number of each image's orientation, −1 for none.

        `images` has the shape (any, n, axes).
        """
        if not len(images):
            return np.empty(0, dtype=np.int64)
        names = outlines(self._lattice, images)[0].names()
        return np.array([self._number.get(name, -1) for name in names], dtype=np.int64)

    @cached_property
    def identity(self) -> object:
        """Value that is equal for equal sets of orientations.

        Two sets of the same size that have an orientation in common are equal.
        """
        return *self.outlines.keys.shape, min(self.outlines.names())

    @cached_property
    def _number(self) -> dict[bytes, int]:
        return {name: number for number, name in enumerate(self.outlines.names())}
