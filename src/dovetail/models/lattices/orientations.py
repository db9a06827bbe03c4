"""Orientations of a piece as arrays; in six dimensions there are up to 46,080 of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast, overload

import numpy as np
from numpy.typing import NDArray

from dovetail.models.lattices.cell_numbers import MAX_VOLUME, strides_of

if TYPE_CHECKING:
    from dovetail.models.lattices.protocol import Cells, Lattice

Array = NDArray[np.int64]

MAX_LISTED = 10_000  # sets of orientations with at most this many cells keep their normal forms
CELLS_AT_ONCE = 1 << 17  # cells of images in a batch: some megabytes
OBJECT = np.dtype(object)


class Outlines(NamedTuple):
    """Images of some cells up to translations of a lattice.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `home` | (m, axes) | int64 | the fundamental cell of which the first cell is a translate |
    | `extent` | (m, axes) | int64 | size of the box around the image |
    | `keys` | (m, n) | any | numbers of the cells in that box, ascending |
    """

    home: Array
    extent: Array
    keys: NDArray[Any]

    def offsets(self) -> Array:
        """Return the position of the first cell of each image in its box, shape (m, axes)."""
        return self.keys[:, :1].astype(np.int64) // strides_of(self.extent) % self.extent

    def names(self) -> Iterator[bytes]:
        """Yield a unique key of each image."""
        types = dict[bytes, np.dtype[Any]]()
        for home, extent, keys in zip(*self, strict=True):
            box = extent.tobytes()
            if box not in types:
                types[box] = _key_type(extent.astype(np.float64).prod())
            smallest = types[box]
            cells = str(keys.tolist()).encode() if smallest == OBJECT else keys.astype(smallest)
            yield home.tobytes() + box + bytes(cells)


def outlines(lattice: Lattice, images: Array) -> tuple[Outlines, Array]:
    """Return images up to translations, and the index of the first cell of each image.

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
    """Return the smallest type for keys in a box: Python's integers for a very large box."""
    return OBJECT if volume >= MAX_VOLUME else np.min_scalar_type(-int(volume))


class Orientations(Sequence["Cells"]):
    """Distinct images of some cells up to translations of a lattice, in order of discovery.

    `images` has arrays of shape (any, n, axes), of which the first is not empty. As a sequence the
    orientations are normalised.
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
        """A value that is equal for equal sets of orientations.

        Sets of orientations with a common orientation contain each other, so that those of the
        same size are equal.
        """
        return *self.outlines.keys.shape, min(self.outlines.names())

    @cached_property
    def _number(self) -> dict[bytes, int]:
        return {name: number for number, name in enumerate(self.outlines.names())}
