"""Numbers larger than a word, from their remainders by several moduli.

Source: the Chinese remainder theorem, as in D. E. Knuth, The Art of Computer Programming, volume 2,
section 4.3.2, "Modular arithmetic".
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

WORD = 2**64


def primes_below(limit: int) -> Iterator[int]:
    """Yield the odd primes below `limit`, the largest first; it is at most 2**32."""
    for number in range(limit - 1 - limit % 2, 2, -2):
        if all(number % divisor for divisor in range(3, isqrt(number) + 1, 2)):
            yield number


class Remainders:
    """What is known of a number: its remainder by the product of all moduli so far."""

    def __init__(self, remainder: int, modulus: int = WORD) -> None:
        self.value, self.modulus = remainder % modulus, modulus

    def add(self, remainder: int, modulus: int) -> None:
        """Take one more remainder, by a modulus that shares no factor with those before."""
        step = (remainder - self.value) * pow(self.modulus, -1, modulus) % modulus
        self.value += self.modulus * step
        self.modulus *= modulus
