"""The random stream computed many words at once."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.random_stream import RandomStream, random_words


@given(st.integers(0, 2**64 - 1), st.integers(0, 200), st.integers(0, 50))
@settings(max_examples=15)
def test_words_together_are_those_one_by_one(seed: int, first: int, count: int) -> None:
    """From any seed, and from anywhere in its stream."""
    stream = RandomStream(seed)
    words = [stream.word() for _ in range(first + count)]
    assert random_words(seed, first, count).tolist() == words[first:]


def test_numbers_beyond_a_word() -> None:
    """Those of two words are uniform too, and the first word is the highest."""
    stream = RandomStream(1)
    high, low = stream.word(), stream.word()
    assert RandomStream(1).below(2**128) == high << 64 | low
    stream = RandomStream(3)
    drawn = [stream.below(3 * 2**70) >> 70 for _ in range(3000)]
    assert all(900 < drawn.count(third) < 1100 for third in range(3))
