"""A stream of random numbers that is the same on every machine and in every version.

SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014.
"""

from __future__ import annotations

MASK = 2**64 - 1


class RandomStream:
    """SplitMix64 from a seed."""

    def __init__(self, seed: int) -> None:
        self._state = seed & MASK

    def word(self) -> int:
        """The next 64 random bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return mixed ^ (mixed >> 31)

    def below(self, bound: int) -> int:
        """A uniform number from 0 to bound − 1."""
        limit = 2**64 - 2**64 % bound
        while (word := self.word()) >= limit:
            pass
        return word % bound
