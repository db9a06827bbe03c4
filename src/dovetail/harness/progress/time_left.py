"""Estimate how much longer a search will take, as a range, from the shares of its tree done.

A share is an estimate that moves unevenly: branches that it takes for equally large are not. So
the rest is reckoned at several speeds: that of the whole search so far, of its last half and of
its last quarter. The wider these lie apart, the less is known.
"""

from __future__ import annotations

from bisect import bisect_left

# Below these nothing is estimated.
MIN_S = 2.0
MIN_SHARE = 0.005
# The speeds that are compared: over these parts of the time so far, up to now.
PARTS = (1.0, 0.5, 0.25)
# And beyond the fastest and the slowest of them the range goes by these factors, with which it was
# right nine times in ten over twelve searches of all kinds (docs/solvers/methods/time-left.md):
# branches that come last are small more often than large.
SOONER, LATER = 3.0, 1.5
MAX_SAMPLES = 512


class TimeLeft:
    """Estimates from the shares of a tree reported so far and the seconds searched until each."""

    def __init__(self) -> None:
        self._seconds: list[float] = []
        self._shares: list[float] = []

    def add(self, elapsed_s: float, share: float) -> None:
        """Add a share reported after `elapsed_s`, which must not decrease.

        A share below an earlier one corrects that one; it counts as if it were equal to it.
        """
        before = self._shares[-1] if self._shares else 0.0
        self._seconds.append(elapsed_s)
        self._shares.append(max(before, share))
        if len(self._seconds) > MAX_SAMPLES:  # every second one is enough
            del self._seconds[1::2], self._shares[1::2]

    def range_s(self) -> tuple[float, float] | None:
        """Return the fewest and the most seconds left after the last share.

        None where too little has been done, or nothing in the last quarter of the time.
        """
        if not self._seconds:
            return None
        now, share = self._seconds[-1], self._shares[-1]
        if now < MIN_S or share < MIN_SHARE:
            return None
        gains = [share - self._share_at(now * (1 - part)) for part in PARTS]
        if min(gains) <= 0:
            return None
        left = [(1 - share) * now * part / gain for part, gain in zip(PARTS, gains, strict=True)]
        return min(left) / SOONER, max(left) * LATER

    def _share_at(self, elapsed_s: float) -> float:
        """The share after so many seconds, in proportion between two samples."""
        place = bisect_left(self._seconds, elapsed_s)
        end_s, end = self._seconds[place], self._shares[place]
        begin_s, begin = 0.0, 0.0
        if place:
            begin_s, begin = self._seconds[place - 1], self._shares[place - 1]
        if end_s <= begin_s:
            return end
        return begin + (end - begin) * (elapsed_s - begin_s) / (end_s - begin_s)
