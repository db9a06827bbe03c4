"""Critical-difference diagrams: where names, ranks and bars are drawn."""

from __future__ import annotations

from itertools import pairwise

from dovetail.reports.charts.critical_difference import CriticalDifferenceChart
from dovetail.reports.charts.plot import WIDTH

NAMES = ("one", "two", "three", "a solver with a name that is far too long", "five")
RANKS = (1.5, 2.0, 3.25, 3.75, 4.5)
CHART = CriticalDifferenceChart("Ranks", "ranks", NAMES, RANKS, 1.25, ((0, 1), (2, 4)))


def test_stems_stand_at_the_ranks() -> None:
    """On the axis from 1 to 5, the better half to the left, none across another's name."""
    svg = CHART.draw("ranks")
    stems = [one.get("d", "") for one in svg.iter("path") if one.get("class") == "stem"]
    starts = [float(d[1:].split(",")[0]) for d in stems]
    ends = [float(d.split("H")[1]) for d in stems]
    depths = [float(d.split("V")[1].split("H")[0]) for d in stems]
    steps = [
        (b - a) / (s - r) for (a, b), (r, s) in zip(pairwise(starts), pairwise(RANKS), strict=True)
    ]
    assert max(steps) - min(steps) < 0.5
    assert [end < WIDTH / 2 for end in ends] == [True, True, True, False, False]
    assert depths[:3] == sorted(depths[:3])
    assert depths[3:] == sorted(depths[3:], reverse=True)


def test_bars_join_those_not_distinguished() -> None:
    """From the first to the last of each group, a little beyond; a scale is as long as the rest."""
    svg = CHART.draw("ranks")
    bars = [one for one in svg.iter("line") if one.get("class") == "joined"]
    assert len(bars) == 2
    lengths = [float(bar.get("x2", 0)) - float(bar.get("x1", 0)) for bar in bars]
    assert lengths[1] > 2 * lengths[0]
    assert [bar.get("y1") == bar.get("y2") for bar in bars] == [True, True]


def test_names_and_figures() -> None:
    """Long names are cut in the picture, and in full among the figures."""
    svg = CHART.draw("ranks")
    texts = [one.text or "" for one in svg.iter("text")]
    assert "critical difference 1.25" in texts
    assert [text for text in texts if text.startswith("a solver")] == ["a solver with a n…"]
    assert list(CHART.rows()) == [
        ("solver", "average rank", "critical difference"),
        *((name, rank, 1.25) for name, rank in zip(NAMES, RANKS, strict=True)),
    ]
