"""Colours for pieces such that neighbours differ: a small problem of graph colouring.

The node beside most colours comes first (D. Brélaz, "New methods to color the vertices of a
graph", Communications of the ACM 22, 1979), and gets the colour it would rather have, or else the
one used least so far; where a node has none left, the last choice is taken back, up to a number
of steps.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from dovetail.models.lattices.protocol import Cells, Lattice

MAX_STEPS = 20_000

Neighbours = Sequence[Collection[int]]


def touching(shapes: Sequence[Cells], lattice: Lattice) -> list[set[int]]:
    """Which of `shapes`, by number, have a neighbour of a cell of each of them."""
    owner = {cell: number for number, cells in enumerate(shapes) for cell in cells}
    near: list[set[int]] = []
    for number, cells in enumerate(shapes):
        around = (other for cell in cells for other in lattice.neighbours(cell))
        near.append({owner[cell] for cell in around if cell in owner} - {number})
    return near


def colour_numbers(
    neighbours: Neighbours,
    colours: int,
    preferred: Sequence[int] | None = None,
    given: Mapping[int, int] = MappingProxyType({}),
) -> list[int]:
    """A colour from 0 below `colours` for each node of a graph, the same for the same graph.

    `neighbours` names those of every node, both ways. They get other colours than the node; where
    there are too few colours, or no way is found in a bounded time, few are alike. Nodes have the
    colours that are `preferred` where they can; those without are spread evenly. Some may have
    colours `given`, by number, whatever their neighbours have.
    """
    wanted = [-1] * len(neighbours) if preferred is None else preferred
    found = _apart(_Painting(neighbours, colours, wanted, given))
    if found is None:
        return _mostly_apart(_Painting(neighbours, colours, wanted, given))
    return found


class _Painting:
    """What has been coloured so far.

    `beside[node][colour]` is how many neighbours of a node have a colour.
    """

    def __init__(
        self,
        neighbours: Neighbours,
        colours: int,
        preferred: Sequence[int],
        given: Mapping[int, int],
    ) -> None:
        self._neighbours, self._preferred = neighbours, preferred
        self.colours = range(colours)
        self.chosen: dict[int, int] = {}
        self._used = [0] * colours
        self.beside = [[0] * colours for _ in neighbours]
        self._different = [0] * len(neighbours)
        for node, colour in given.items():
            self.put(node, colour)

    @property
    def done(self) -> bool:
        return len(self.chosen) == len(self._neighbours)

    def next(self) -> int:
        """Of the nodes without a colour the one beside most, then the one with most neighbours."""
        left = (node for node in range(len(self._neighbours)) if node not in self.chosen)
        return max(left, key=lambda n: (self._different[n], len(self._neighbours[n]), -n))

    def rank(self, node: int, colour: int) -> tuple[bool, int, int]:
        """Least for the colour that a node should rather have."""
        return colour != self._preferred[node], self._used[colour], colour

    def put(self, node: int, colour: int) -> None:
        self.chosen[node] = colour
        self._used[colour] += 1
        for other in self._neighbours[node]:
            self.beside[other][colour] += 1
            self._different[other] += self.beside[other][colour] == 1

    def take_back(self, node: int) -> None:
        colour = self.chosen.pop(node)
        self._used[colour] -= 1
        for other in self._neighbours[node]:
            self.beside[other][colour] -= 1
            self._different[other] -= self.beside[other][colour] == 0

    def result(self) -> list[int]:
        return [self.chosen[node] for node in range(len(self._neighbours))]


def _apart(painting: _Painting) -> list[int] | None:
    """A colouring without equal neighbours, None where none was found within the steps."""
    untried: list[tuple[int, list[int]]] = []
    for _ in range(MAX_STEPS):
        if painting.done:
            return painting.result()
        node = painting.next()
        free = [colour for colour in painting.colours if not painting.beside[node][colour]]
        free.sort(key=lambda colour: painting.rank(node, colour), reverse=True)
        untried.append((node, free))
        while untried and not untried[-1][1]:
            untried.pop()
            if untried:
                painting.take_back(untried[-1][0])
        if not untried:
            return None
        node, left = untried[-1]
        painting.put(node, left.pop())
    return None


def _mostly_apart(painting: _Painting) -> list[int]:
    """Each node in the colour that fewest of its neighbours have."""
    while not painting.done:
        node = painting.next()
        beside = painting.beside[node]
        painting.put(node, min(painting.colours, key=lambda c: (beside[c], painting.rank(node, c))))
    return painting.result()
