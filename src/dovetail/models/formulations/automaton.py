"""The smallest automaton that accepts some words of equal length."""

from __future__ import annotations

from collections.abc import Sequence

Transition = tuple[int, int, int]


def automaton_of(words: Sequence[Sequence[int]]) -> tuple[list[Transition], int]:
    """Return transitions (state, symbol, next state) and the final state; state 0 is initial.

    Two prefixes lead to the same state exactly if the same rests complete them, so that no
    automaton has fewer states. There must be at least one word.
    """
    length = len(words[0])
    prefixes = [[0] * len(words)]  # by length: the number of the prefix of each word
    for place in range(length):
        numbers: dict[tuple[int, int], int] = {}
        keys = [(prefix, word[place]) for prefix, word in zip(prefixes[-1], words, strict=True)]
        prefixes.append([numbers.setdefault(key, len(numbers)) for key in keys])
    states: dict[tuple[tuple[int, int], ...], int] = {(): 0}
    after = dict.fromkeys(prefixes[-1], 0)  # state of each prefix, from the longest
    for place in range(length - 1, -1, -1):
        rests: dict[int, set[tuple[int, int]]] = {}
        for word, prefix, longer in zip(words, prefixes[place], prefixes[place + 1], strict=True):
            rests.setdefault(prefix, set()).add((word[place], after[longer]))
        after = {
            prefix: states.setdefault(tuple(sorted(its)), len(states))
            for prefix, its in rests.items()
        }
    initial = len(states) - 1
    transitions = [
        (initial - state, symbol, initial - following)
        for rests_of_state, state in states.items()
        for symbol, following in rests_of_state
    ]
    return transitions, initial
