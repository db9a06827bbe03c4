"""The kernels' random stream beside the one in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.kernels import random_stream
from dovetail.random_stream import RandomStream

kernels: Any = random_stream  # their types are numba's


@given(st.integers(0, 2**64 - 1))
def test_words_are_the_same(seed: int) -> None:
    """From any seed."""
    state, twin = np.array([seed], dtype=np.uint64), RandomStream(seed)
    for _ in range(10):
        assert kernels.word(state) == twin.word()


@pytest.mark.parametrize("bound", [1, 2, 3, 1000, 2**63, 2**63 + 1, 2**64 - 1])
def test_bounded_numbers_are_the_same(bound: int) -> None:
    """Also where about half of the words have to be drawn again."""
    state, twin = np.array([5], dtype=np.uint64), RandomStream(5)
    for _ in range(100):
        assert kernels.below(state, np.uint64(bound)) == twin.below(bound)
