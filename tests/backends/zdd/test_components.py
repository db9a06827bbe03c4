"""Components: no item is shared, counts multiply, numbers stand for all solutions."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.zdd.test_against_twin import by_dancing_links, searched
from dovetail.backends.zdd.search import ZddSearch
from dovetail.backends.zdd.tables import components, refusal
from dovetail.models.cover import CoverProblem, Member, cover_problem
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.cover_classics import langford, queens
from oracle.brute_force import covers
from oracle.strategies import cover_problems

ALL = Request(Symmetry.ALL)


def union(problems: list[CoverProblem], order: list[int]) -> CoverProblem:
    """Problems side by side, their items kept apart; options in an `order`."""
    primary, secondary = list[tuple[str, int, int]](), list[str]()
    options = list[list[Member]]()
    for number, one in enumerate(problems):
        names = [f"{number} {name}" for name in one.item_names]
        bounds = zip(one.lower.tolist(), one.upper.tolist(), strict=True)
        primary += [(name, *bound) for name, bound in zip(names, bounds, strict=False)]
        secondary += names[one.primary_count :]
        for option in range(one.option_count):
            span = slice(one.start[option], one.start[option + 1])
            pairs = zip(one.item[span].tolist(), one.colour[span].tolist(), strict=True)
            options.append([(names[i], c) if c else names[i] for i, c in pairs])
    mixed = [options[o] for o in sorted(range(len(options)), key=lambda o: order[o % len(order)])]
    return cover_problem("union", primary, mixed, secondary=secondary)


@given(
    st.lists(cover_problems(), min_size=2, max_size=2),
    st.lists(st.integers(0, 9), min_size=1, max_size=9),
)
@settings(max_examples=50)
def test_unions(problems: list[CoverProblem], order: list[int]) -> None:
    """Counts multiply, and each number stands for a solution of its own."""
    problem = union(problems, order)
    if refusal(problem) is not None:
        return
    expected = by_dancing_links(problem)
    assert len(expected) == len(covers(problems[0])) * len(covers(problems[1]))
    search = ZddSearch(build_task(problem, ALL), "auto", "auto")
    searched(search)
    assert search.total == len(expected)
    sampling = ZddSearch(build_task(problem, ALL), "auto", "auto", sampling=True)
    searched(sampling)
    rows = [sampling.unrank(number)[0].tolist() for number in range(sampling.numbers)]
    found = {tuple(sorted(option for option in row if option >= 0)) for row in rows}
    assert len(found) == len(rows)
    assert found == expected
    listing = build_task(problem, Request(Symmetry.ALL, listing=True))
    assert searched(ZddSearch(listing, "auto", "auto")) == sorted(expected)


@given(cover_problems())
@settings(max_examples=35)
def test_components_partition_the_options(problem: CoverProblem) -> None:
    """Each option is in one, and those of two have no item in common that bars anything."""
    if refusal(problem) is not None:
        return
    parts = components(problem)
    numbers = np.concatenate([part.numbers for part in parts])
    assert sorted(numbers.tolist()) == list(range(problem.option_count))
    total = np.prod([len(covers(part.cover)) for part in parts], dtype=object)
    assert total == len(covers(problem))


def test_blocks_are_counted_apart() -> None:
    """Sixteen blocks take the states of one, sixteen times."""
    one = ZddSearch(build_task(queens(6), ALL), "forced", "given")
    searched(one)
    problem = union([queens(6)] * 16, [*range(7, 0, -1)])
    blocks = ZddSearch(build_task(problem, ALL), "forced", "given")
    drawn = searched(blocks)
    assert blocks.total == 4**16
    assert len(set(drawn)) == 200
    assert blocks.counters.native["components"] == 16
    assert one.counters.nodes is not None
    assert blocks.counters.nodes is not None
    assert blocks.counters.nodes < 17 * one.counters.nodes


def test_one_without_solutions_ends_the_count() -> None:
    """Nothing is searched behind it."""
    problem = union([langford(5), langford(7)], [0])
    search = ZddSearch(build_task(problem, ALL), "forced", "given")
    searched(search)
    alone = ZddSearch(build_task(langford(5), ALL), "forced", "given")
    searched(alone)
    assert (search.total, search.counters.nodes) == (0, alone.counters.nodes)


def test_an_item_without_options_belongs_to_the_first() -> None:
    """No solution, whatever the others have."""
    problem = cover_problem("gap", ["a", "b", "c"], [["a"], ["b"]])
    search = ZddSearch(build_task(problem, ALL), "auto", "auto")
    searched(search)
    assert len(components(problem)) == 2
    assert search.total == 0
