"""Colours such that neighbours differ."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dovetail.models.lattices.square import SquareLattice
from dovetail.reports.pictures.colouring import Neighbours, colour_numbers, touching


def graph(nodes: int, edges: list[tuple[int, int]]) -> list[set[int]]:
    """Neighbours of each node."""
    near: list[set[int]] = [set() for _ in range(nodes)]
    for one, other in edges:
        near[one].add(other)
        near[other].add(one)
    return near


def equal_pairs(near: Neighbours, colours: list[int]) -> int:
    """How many neighbours have the same colour."""
    return sum(colours[a] == colours[b] for a in range(len(near)) for b in near[a] if a < b)


def test_touching() -> None:
    """Pieces that share a side, not those that share a corner or lie apart."""
    shapes = [((0, 0), (1, 0)), ((2, 0),), ((2, 1),), ((5, 5),)]
    assert touching(shapes, SquareLattice(2)) == [{1}, {0, 2}, {1}, set()]
    assert touching([((0, 0, 0),), ((0, 0, 1),)], SquareLattice(3)) == [{1}, {0}]


def test_as_few_colours_as_can_be() -> None:
    """An odd ring takes three, a wheel around it four; a first choice may have to be undone."""
    ring = graph(5, [(i, (i + 1) % 5) for i in range(5)])
    assert equal_pairs(ring, colour_numbers(ring, 3)) == 0
    wheel = graph(6, [(i, (i + 1) % 5) for i in range(5)] + [(i, 5) for i in range(5)])
    assert equal_pairs(wheel, colour_numbers(wheel, 4)) == 0
    assert equal_pairs(wheel, colour_numbers(wheel, 3)) == 1


def test_more_neighbours_than_colours() -> None:
    """Of eight that all touch one another two are alike."""
    clique = graph(8, [(a, b) for a in range(8) for b in range(a)])
    assert equal_pairs(clique, colour_numbers(clique, 7)) == 1


def test_preferred_colours_are_kept_where_they_can() -> None:
    """All of them if they differ; of two that do not, one changes."""
    path = graph(3, [(0, 1), (1, 2)])
    assert colour_numbers(path, 7, [4, 2, 4]) == [4, 2, 4]
    assert colour_numbers(path, 7, [4, 4, 3]) == [0, 4, 3]


def test_given_colours_stay() -> None:
    """Whatever their neighbours have; the others keep apart from them."""
    path = graph(4, [(0, 1), (1, 2), (2, 3)])
    assert colour_numbers(path, 7, [1, 1, 1, 5], {0: 4, 1: 4}) == [4, 4, 1, 5]
    assert colour_numbers(path, 2, [0, 0, 0, 0], {1: 0, 2: 1}) == [1, 0, 1, 0]


def test_colours_are_spread() -> None:
    """Nodes without neighbours do not all get the first one."""
    assert colour_numbers(graph(5, []), 3) == [0, 1, 2, 0, 1]
    assert colour_numbers([], 7) == []


@given(
    st.integers(2, 9).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=20),
        )
    )
)
def test_against_trying_everything(drawn: tuple[int, list[tuple[int, int]]]) -> None:
    """Three colours are enough whenever they can be."""
    nodes, edges = drawn
    near = graph(nodes, [(a, b) for a, b in edges if a != b])

    def possible(colours: list[int]) -> bool:
        node = len(colours)
        return node == nodes or any(
            all(colours[other] != colour for other in near[node] if other < node)
            and possible([*colours, colour])
            for colour in range(3)
        )

    assert (equal_pairs(near, colour_numbers(near, 3)) == 0) == possible([])
