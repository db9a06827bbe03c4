"""Sets of pieces by layers, and the moves between them, beside plain multisets."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from backends.frontier.problems import FIXED, bits, problems, sets_of
from backends.frontier.twin import Twin, Uses
from dovetail.backends.frontier.problem import SweepProblem, packed_bits


def uses_of(packed: NDArray[np.uint64], twin: Twin) -> list[Uses]:
    """How often sets use each shape: for each shape as many bits as its most copies need."""
    found = []
    for word in map(int, packed):
        uses, left = list[int](), word
        for max_count in twin.max_count:
            uses.append(left & (1 << max_count.bit_length()) - 1)
            left >>= max_count.bit_length()
        assert left == 0
        found.append(tuple(uses))
    return found


def compare(problem: SweepProblem) -> None:
    """The sets of each layer, what each is, and the moves from layer to layer."""
    twin, sets = Twin(problem), sets_of(problem)
    layers = [uses_of(layer, twin) for layer in sets.layers]
    assert [set(layer) for layer in layers] == twin.sets
    assert sets.count == sum(map(len, layers)) == sum(len(set(layer)) for layer in layers)
    for number, layer in enumerate(layers):
        about = sets.about(number)
        assert [bool(one) for one in about.complete] == [twin.complete(uses) for uses in layer]
        assert [bits(one) for one in about.lacking] == [twin.lacking(uses) for uses in layer]
        assert [bits(one) for one in about.present] == [twin.shapes(uses) for uses in layer]
    classes = [tuple(row) for row in problem.uses.tolist()]
    for number, (layer, after) in enumerate(pairwise(layers)):
        expected = Counter(
            (here, move_class, there)
            for here in layer
            for move_class, added in enumerate(classes)
            if (there := tuple(a + b for a, b in zip(here, added, strict=True))) in set(after)
        )
        for by_end in (False, True):
            links = sets.links(number, by_end=by_end)
            groups, others = (after, layer) if by_end else (layer, after)
            assert len(links.first) == len(groups) + 1
            found: Counter[tuple[Uses, int, Uses]] = Counter()
            for group, uses in enumerate(groups):
                for link in range(links.first[group], links.first[group + 1]):
                    other, move_class = others[links.end[link]], int(links.move_class[link])
                    found[(other, move_class, uses) if by_end else (uses, move_class, other)] += 1
            assert found == expected


@pytest.mark.parametrize("problem", [each for _, each in FIXED], ids=[name for name, _ in FIXED])
def test_the_twin_agrees(problem: SweepProblem) -> None:
    """Repeats, ranges of copies, weights, moves that use several pieces."""
    compare(problem)


@given(problems())
@settings(max_examples=15)
def test_the_twin_agrees_at_random(problem: SweepProblem) -> None:
    """Whatever pieces there are."""
    compare(problem)


@pytest.mark.parametrize("problem", [each for _, each in FIXED], ids=[name for name, _ in FIXED])
def test_sets_within_a_set_and_around_it(problem: SweepProblem) -> None:
    """Those below a set are its subsets, those above contain it, as far as moves lead to them."""
    twin, sets = Twin(problem), sets_of(problem)
    every = [set(uses_of(layer, twin)) for layer in sets.layers]
    for middle, layer in enumerate(sets.layers):
        chosen = layer[len(layer) // 2]
        (uses,) = uses_of(layer[[len(layer) // 2]], twin)
        below, above = sets.below(chosen), sets.above(chosen)
        assert below.layers[0].tolist() == [0]
        assert above.layers[0].tolist() == [chosen]
        for number, some in enumerate(below.layers):
            assert set(uses_of(some, twin)) == {one for one in every[number] if within(one, uses)}
        for number, some in enumerate(above.layers):
            around = set(uses_of(some, twin))
            assert all(within(uses, one) for one in around)
            if middle + number < len(every) and problem.uses.sum(axis=1).max() == 1:
                assert around >= {one for one in every[middle + number] if within(uses, one)}


def within(uses: Uses, others: Uses) -> bool:
    """Whether a set is part of another."""
    return all(a <= b for a, b in zip(uses, others, strict=True))


def test_how_many_bits_sets_take() -> None:
    """Enough for each number of copies up to the most."""
    assert packed_bits(np.array([1, 1, 1])) == 3
    assert packed_bits(np.array([3, 4, 7, 8])) == 2 + 3 + 3 + 4
    assert packed_bits(np.array([], dtype=np.int64)) == 0
