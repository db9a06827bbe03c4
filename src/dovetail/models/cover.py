"""Exact cover with colours and multiplicities, as Knuth states it.

Source: D. E. Knuth, The Art of Computer Programming, volume 4B, section 7.2.2.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError, how_many, shorten, show
from dovetail.models.arrays import chosen_rows, content_digest, row_blocks
from dovetail.printable import Shown, printable

UNCOLOURED = 0
LARGEST_COLOUR = 2**31 - 1
MAX_COVERED = 2**31 - 1

# A member of an option: an item's name, or a secondary item's name with a colour.
Member = str | tuple[str, int]


@dataclass(frozen=True, eq=False, repr=False)
class CoverProblem(Shown):
    """Problem: choose options so that every primary item is covered within its bounds.

    Items are numbered, primary items first. A primary item i is in at least `lower[i]` and at most
    `upper[i]` of the chosen options. A secondary item is in any number of chosen options if all
    give it the same colour, or in at most one option that leaves it uncoloured (0).

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `lower`, `upper` | (primary,) | int32 | bounds of the primary items |
    | `start` | (options + 1,) | int64 | members of option o: `start[o]` to `start[o + 1]` |
    | `item` | (members,) | int32 | the item of each member |
    | `colour` | (members,) | int32 | colour of each member, 0 for none and on primary items |
    | `symmetries` | (g, options) | int32 | g permutations of the options, identity first |

    `symmetries` form a group. Each symmetry maps solutions to solutions, and `--symmetry unique`
    counts solutions up to these symmetries. Raises `PuzzleError` for arrays that contradict each
    other, invalid bounds, a colour below 0 or on a primary item, an option without a primary item
    or with an item twice, and symmetries that are no group or do not map items to items.

    >>> problem = load("queens-6")
    >>> len(problem.lower), len(problem.option_names)  # primary items: 6 files and 6 ranks
    (12, 36)
    """

    name: str
    item_names: tuple[str, ...]
    lower: NDArray[np.int32]
    upper: NDArray[np.int32]
    start: NDArray[np.int64]
    item: NDArray[np.int32]
    colour: NDArray[np.int32]
    option_names: tuple[str, ...] | None = None
    symmetries: NDArray[np.int32] = field(default_factory=lambda: np.empty((0, 0), np.int32))

    def __post_init__(self) -> None:
        if self.symmetries.size == 0:
            identity = np.arange(self.option_count, dtype=np.int32)[None, :]
            object.__setattr__(self, "symmetries", identity)
        for array in (
            self.lower,
            self.upper,
            self.start,
            self.item,
            self.colour,
            self.symmetries,
        ):
            array.setflags(write=False)
        self._check()

    def __str__(self) -> str:
        return f"{shorten(printable(self.name))}: exact cover, {self.sizes}"

    @property
    def sizes(self) -> str:
        """Numbers of items, options and symmetries, in words."""
        return (
            f"{self.primary_count} primary and "
            f"{how_many(self.item_count - self.primary_count, 'secondary item')}, "
            f"{how_many(self.option_count, 'option')}, "
            f"{how_many(len(self.symmetries), 'symmetry', 'symmetries')}"
        )

    @property
    def option_count(self) -> int:
        return len(self.start) - 1

    @property
    def item_count(self) -> int:
        return len(self.item_names)

    @property
    def primary_count(self) -> int:
        return len(self.lower)

    @cached_property
    def option_of_member(self) -> NDArray[np.int32]:
        """Option of each member, shape (members,)."""
        return np.repeat(np.arange(self.option_count, dtype=np.int32), np.diff(self.start))

    @cached_property
    def members_by_item(self) -> tuple[NDArray[np.int64], ...]:
        """For each item, the numbers of its members in the order of their options."""
        order = np.argsort(self.item, kind="stable")
        ends = np.searchsorted(self.item[order], np.arange(self.item_count + 1)).tolist()
        return tuple(order[begin:end] for begin, end in pairwise(ends))

    @cached_property
    def unit_bounds(self) -> bool:
        """True if every primary item has to be covered exactly once."""
        return bool(np.all(self.lower == 1) and np.all(self.upper == 1))

    @cached_property
    def digest(self) -> str:
        """Digest of the content without the name of the problem and the names of options."""
        return content_digest(
            {
                "kind": "cover",
                "items": self.item_names,
                "bounds": [self.lower.tolist(), self.upper.tolist()],
                "options": [self.start.tolist(), self.item.tolist(), self.colour.tolist()],
                "symmetries": self.symmetries.tolist(),
            }
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CoverProblem) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def members(self, option: int) -> tuple[Member, ...]:
        """Return the members of `option` by name."""
        span = range(int(self.start[option]), int(self.start[option + 1]))
        return tuple(
            self.item_names[self.item[m]]
            if self.colour[m] == UNCOLOURED
            else (self.item_names[self.item[m]], int(self.colour[m]))
            for m in span
        )

    def subset(self, kept: NDArray[np.int64]) -> CoverProblem:
        """Return the problem with the options `kept`, and no symmetry but the identity."""
        start, item = chosen_rows(self.start, self.item, kept)
        _, colour = chosen_rows(self.start, self.colour, kept)
        names = self.option_names
        return replace(
            self,
            start=start,
            item=item,
            colour=colour,
            option_names=None if names is None else tuple(names[option] for option in kept),
            symmetries=np.empty((0, 0), np.int32),
        )

    def _check(self) -> None:
        if len(self.upper) != self.primary_count or self.primary_count > self.item_count:
            raise PuzzleError("lower and upper differ in length or are longer than item_names")
        bad = np.flatnonzero((self.lower < 0) | (self.lower > self.upper) | (self.upper < 1))
        if bad.size:
            i = int(bad[0])
            raise PuzzleError(
                f"item {self.item_names[i]} has bounds {self.lower[i]} to {self.upper[i]}; "
                "expected 0 <= lower <= upper and upper >= 1"
            )
        if self.option_names is not None and len(self.option_names) != self.option_count:
            raise PuzzleError(
                f"option_names has length {len(self.option_names)}; expected {self.option_count}"
            )
        if self.start[:1].tolist() != [0] or np.any(np.diff(self.start) < 0):
            raise PuzzleError("start does not ascend from 0")
        members = len(self.item)
        if len(self.colour) != members or int(self.start[-1]) != members:
            raise PuzzleError("item and colour differ in length, or their length is not start[-1]")
        if members and not 0 <= int(self.item.min()) <= int(self.item.max()) < self.item_count:
            raise PuzzleError("an option names an item that does not exist")
        if members and int(self.colour.min()) < 0:
            raise PuzzleError("a colour is negative; expected 0 or more")
        for rows, its in row_blocks(self.start):
            self._check_members(rows, its)
        self._check_symmetries()

    def _check_members(self, options: slice, members: slice) -> None:
        item, number = self.item[members], np.arange(options.start, options.stop)
        is_primary = item < self.primary_count
        if np.any(is_primary & (self.colour[members] != UNCOLOURED)):
            raise PuzzleError("a primary item cannot have a colour")
        option = np.repeat(number, np.diff(self.start[options.start : options.stop + 1]))
        primaries = np.bincount(option[is_primary] - options.start, minlength=len(number))
        if np.any(primaries == 0):
            raise PuzzleError(f"option {number[primaries.argmin()]} has no primary item")
        # Sorting is faster than np.unique, which hashes.
        pairs = option * self.item_count + item
        if np.any(pairs[1:] <= pairs[:-1]):
            pairs.sort()
        (twice,) = np.nonzero(pairs[1:] == pairs[:-1])
        if len(twice):
            option_number = pairs[twice[0]] // self.item_count
            raise PuzzleError(f"option {option_number} names the same item twice")

    def _check_symmetries(self) -> None:
        identity = np.arange(self.option_count)
        if self.symmetries.shape[1] != self.option_count or np.any(
            np.sort(self.symmetries, axis=1) != identity
        ):
            raise PuzzleError("a symmetry is not a permutation of the options")
        if np.any(self.symmetries[0] != identity):
            raise PuzzleError("the first symmetry is not the identity")
        known = {row.tobytes() for row in self.symmetries}
        for first in self.symmetries[1:]:
            if any(first[second].tobytes() not in known for second in self.symmetries):
                raise PuzzleError("the symmetries are not a group: a product of two is missing")
        if len(self.symmetries) > 1:
            structure = self._structure(self.symmetries[0])
            if any(self._structure(row) != structure for row in self.symmetries[1:]):
                raise PuzzleError("a symmetry does not map items to items")

    def _structure(self, permutation: NDArray[np.int32]) -> Counter[object]:
        """Return a value that all permutations that map items to items share with the identity.

        The value counts the items by their bounds and by the sets of permuted options that give an
        item the same colour.
        """
        colours: list[dict[int, set[int]]] = [{} for _ in range(self.item_count)]
        moved = permutation[self.option_of_member].tolist()
        for item, colour, option in zip(
            self.item.tolist(), self.colour.tolist(), moved, strict=True
        ):
            colours[item].setdefault(colour, set()).add(option)
        signature: Counter[object] = Counter()
        for item, users in enumerate(colours):
            primary = item < self.primary_count
            bounds = (int(self.lower[item]), int(self.upper[item])) if primary else None
            uncoloured = frozenset(users.pop(UNCOLOURED, ()))
            signature[bounds, uncoloured, frozenset(map(frozenset, users.values()))] += 1
        return signature


def cover(
    primary: Iterable[str | tuple[str, int, int]],
    options: Iterable[Sequence[Member]],
    *,
    secondary: Iterable[str] = (),
    name: str = "cover",
    option_names: Iterable[str] | None = None,
    symmetries: NDArray[np.int32] | None = None,
) -> CoverProblem:
    """Return an exact cover problem stated by names.

    A primary item is a name (covered exactly once) or (name, lower, upper). An option is a sequence
    of item names; a secondary item with a colour is (name, colour), colour >= 1. Raises
    `PuzzleError` for an item or member of another form, an unknown or repeated item, a bound or
    colour beyond the maximum, a string in place of a list, and as `CoverProblem` does.

    >>> problem = cover(["a", "b"], [["a"], ["b"], ["a", "b"]], name="tiny")
    >>> problem.option_count
    3
    """
    _refuse_text("primary", primary)
    _refuse_text("secondary", secondary)
    _refuse_text("option_names", option_names)
    bounded = [*map(_bounded, primary)]
    names = (*(item for item, _, _ in bounded), *secondary)
    number = {item: i for i, item in enumerate(names)}
    if len(number) != len(names):
        raise PuzzleError("two items have the same name")
    for item, *bounds in bounded:
        if max(map(abs, bounds)) > MAX_COVERED:
            raise PuzzleError(f"item {item} has a bound beyond {MAX_COVERED:,}")
    start, items, colours = [0], list[int](), list[int]()
    for option, members in enumerate(options):
        _refuse_text(f"option {option}", members)
        for member in members:
            item, colour = (member, UNCOLOURED) if isinstance(member, str) else _coloured(member)
            if item not in number:
                raise PuzzleError(f"option {option} names the unknown item {item}")
            if colour > LARGEST_COLOUR:
                raise PuzzleError(f"option {option} has a colour beyond {LARGEST_COLOUR:,}")
            items.append(number[item])
            colours.append(colour)
        start.append(len(items))
    return CoverProblem(
        name=name,
        item_names=names,
        lower=np.array([low for _, low, _ in bounded], dtype=np.int32),
        upper=np.array([high for _, _, high in bounded], dtype=np.int32),
        start=np.array(start, dtype=np.int64),
        item=np.array(items, dtype=np.int32),
        colour=np.array(colours, dtype=np.int32),
        option_names=None if option_names is None else tuple(option_names),
        symmetries=np.empty((0, 0), np.int32) if symmetries is None else symmetries,
    )


def _refuse_text(what: str, names: object) -> None:
    if isinstance(names, str):
        raise PuzzleError(f"{what} is the text {show(names)}; expected a list")


def _bounded(item: object) -> tuple[str, int, int]:
    match item:
        case str():
            return item, 1, 1
        case [str() as name, Integral() as lower, Integral() as upper]:
            return name, int(lower), int(upper)
    shown = show(item)
    raise PuzzleError(f"primary has {shown}; expected names, or (name, lower, upper)")


def _coloured(member: object) -> tuple[str, int]:
    match member:
        case [str() as name, Integral() as colour] if int(colour) > UNCOLOURED:
            return name, int(colour)
    shown = show(member)
    raise PuzzleError(
        f"options have the member {shown}; expected a name, or (name, colour) with colour >= 1"
    )


def states_no_symmetries(puzzle: object) -> bool:
    """Return whether `puzzle` is a `CoverProblem` with no symmetry but the identity."""
    return isinstance(puzzle, CoverProblem) and len(puzzle.symmetries) == 1
