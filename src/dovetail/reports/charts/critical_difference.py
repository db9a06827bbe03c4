"""Critical-difference diagrams: average ranks, and bars that join those not distinguished.

After J. Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006),
figure 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from dovetail.errors import shorten
from dovetail.reports.charts.chart import Chart, Row
from dovetail.reports.charts.plot import WIDTH, picture, segment, text
from dovetail.reports.elements import element

SIDE = 130.0  # for the names at either side
MAX_NAME = 18
AXIS = 62.0  # how far down the axis is
BAR, LINE = 9.0, 19.0  # between the bars of two groups, and between two names


@dataclass(frozen=True)
class CriticalDifferenceChart(Chart):
    """Solvers by ascending average rank, and the `groups` that lie within the `difference`.

    A group is the places of its first and last name.
    """

    names: tuple[str, ...]
    ranks: tuple[float, ...]
    difference: float
    groups: tuple[tuple[int, int], ...]

    def draw(self, identity: str) -> Element:
        half = (len(self.names) + 1) // 2
        below = AXIS + 12 + BAR * len(self.groups)
        drawn = [*self._axis(), *self._scale(), *self._bars()]
        for place in range(len(self.names)):
            left = place < half
            line = place if left else len(self.names) - 1 - place
            drawn += self._stem(place, below + LINE * (line + 1), left=left)
        return picture(self.title, self.alt_text, identity, below + LINE * half + 12, drawn)

    def rows(self) -> Iterator[Row]:
        yield "solver", "average rank", "critical difference"
        yield from (
            (name, rank, self.difference) for name, rank in zip(self.names, self.ranks, strict=True)
        )

    def _across(self, rank: float) -> float:
        """How far to the right a rank lies; the axis goes from 1 to the number of names."""
        return SIDE + (WIDTH - 2 * SIDE) * (rank - 1) / max(1, len(self.names) - 1)

    def _axis(self) -> Iterator[Element]:
        last = len(self.names)
        yield segment("axis", self._across(1), AXIS, self._across(last), AXIS)
        for rank in range(1, last + 1):
            x = self._across(rank)
            yield segment("axis", x, AXIS - 5, x, AXIS)
            yield text(str(rank), x, AXIS - 9, anchor="middle")

    def _scale(self) -> Iterator[Element]:
        """The critical difference, above the axis from its left end."""
        first, last = self._across(1), self._across(1 + self.difference)
        strokes = f"M{first:.1f},22v8M{first:.1f},26H{last:.1f}M{last:.1f},22v8"
        yield element("path", class_="axis", d=strokes)
        label = f"critical difference {self.difference:.2f}"
        yield text(label, first, 14)

    def _bars(self) -> Iterator[Element]:
        for number, (first, last) in enumerate(self.groups):
            y = AXIS + BAR * (number + 1)
            ends = self._across(self.ranks[first]) - 3, self._across(self.ranks[last]) + 3
            yield segment("joined", ends[0], y, ends[1], y)

    def _stem(self, place: int, y: float, *, left: bool) -> Iterator[Element]:
        """From a rank on the axis down, and out to its name."""
        x = self._across(self.ranks[place])
        end = SIDE - 12 if left else WIDTH - SIDE + 12
        yield element("path", class_="stem", d=f"M{x:.1f},{AXIS:g}V{y:.1f}H{end:g}")
        name = shorten(self.names[place], MAX_NAME)
        anchor = "end" if left else "start"
        yield text(name, end - 4 if left else end + 4, y + 4, anchor=anchor)
