"""The smallest automaton of some words."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from dovetail.models.formulations.packing import automaton_of


@given(
    st.integers(0, 5).flatmap(lambda n: st.sets(st.tuples(*[st.integers(0, 2)] * n), min_size=1))
)
def test_it_accepts_the_words_only_and_has_one_state_for_each_set_of_rests(
    words: set[tuple[int, ...]],
) -> None:
    transitions, final = automaton_of(sorted(words))
    step = {(state, symbol): following for state, symbol, following in transitions}
    length = len(next(iter(words)))
    accepted = set()
    for word in product(range(3), repeat=length):
        state: int | None = 0
        for symbol in word:
            state = None if state is None else step.get((state, symbol))
        if state == final:
            accepted.add(word)
    assert accepted == words
    rests = {
        frozenset(word[n:] for word in words if word[:n] == prefix)
        for n in range(length + 1)
        for prefix in {word[:n] for word in words}
    }
    states = {0, final} | {state for state, _, _ in transitions}
    assert states == set(range(len(rests)))


def test_a_word_of_a_thousand_symbols() -> None:
    transitions, final = automaton_of([[0] * 1000, [0] * 999 + [1]])
    assert (len(transitions), final) == (1001, 1000)
