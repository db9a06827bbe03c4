"""Node profiles: the article's own figures, and what there is no room for."""

from __future__ import annotations

import pytest

from dovetail.reports.results.profiles import ProfileLevel, levels, profiles_section
from harness.records.made import by_remaining, made, profile, results
from reports.present import present

# Busche 2018, the output of test case P4, from which table 2 is calculated.
ATTEMPTS = (301677, 3478035, 5722296, 3665538, 1284992, 386776, 200366, 126819, 28279, 3088, 131, 7)
FITS = (2339, 302256, 760374, 617667, 272072, 82406, 26950, 17275, 7994, 1744, 131, 7)
P4 = [
    {"remaining": remaining, "attempts": attempts, "fits": fits}
    for remaining, attempts, fits in zip(range(1, 13), ATTEMPTS, FITS, strict=True)
]

DEAD_END = [{"remaining": 2, "attempts": 5, "fits": 0}, *profile(1)]


def test_the_published_profile() -> None:
    """13.473 attempts per target with 4 pieces left, as the article works out."""
    found = levels(made(**by_remaining(P4)))
    four = found[3]
    assert four == ProfileLevel(4, 3_665_538, 617_667, 272_072)
    assert four.no_fits == 3_047_871
    assert four.per_target(four.attempts) == pytest.approx(13.473, abs=5e-4)
    assert found[-1] == ProfileLevel(12, 7, 7, 1)
    part = present(profiles_section(results(made(**by_remaining(P4)))))
    (table,) = part.sections[0].tables
    assert table.rows[3] == (
        "4",
        "3,665,538",
        "617,667",
        "3,047,871",
        "13.473",
        "2.270",
        "11.202",
    )
    assert table.rows[-1] == ("12", "7", "7", "0", "7.000", "7.000", "0.000")


def test_several_searches_have_several_roots() -> None:
    """As trials have."""
    searches = {"begun": 50, "with_solutions": 1, "found": 2}
    assert levels(made(searched=searches))[-1].targets == 50


def test_levels_that_do_not_follow_one_another() -> None:
    """Where attempts are not recorded, where a level is missing, where nothing fitted above."""
    bare = [{"remaining": n, "attempts": None, "fits": 5} for n in (1, 2)]
    assert [level.targets for level in levels(made(**by_remaining(bare)))] == [None, None]
    part = present(profiles_section(results(made(**by_remaining(bare)))))
    assert part.sections[0].tables[0].rows[0] == ("1", "–", "5", "–", "–", "–", "–")
    gaps = [{"remaining": n, "attempts": 9, "fits": 5 * (n != 4)} for n in (1, 3, 4)]
    found = levels(made(**by_remaining(gaps)))
    assert [level.targets for level in found] == [None, 0, 1]
    assert [level.per_target(level.fits) for level in found] == [None, None, 0.0]


def test_a_chart_for_each_question() -> None:
    """A line for each solver, levels without any left out; looks by solver on the whole page."""
    records = [
        made(backend="none", **by_remaining(None)),
        made(**by_remaining(P4)),
        made(
            backend="b", **by_remaining([{"remaining": 2, "attempts": 5, "fits": 0}, *profile(1)])
        ),
        made("other", backend="b"),
    ]
    part = present(profiles_section(results(*records)))
    first, second = part.sections
    chart, no_fits = first.charts
    assert no_fits.series[0].points[3].tooltip == "dlx, 4 left: 3,047,871 no-fits"
    assert [(line.name, line.style, len(line.points)) for line in chart.series] == [
        ("dlx", 1, 12),
        ("b", 2, 1),
    ]
    assert chart.series[0].points[3].tooltip == "dlx, 4 left: 617,667 fits"
    chart, _ = second.charts
    assert [(line.name, line.style) for line in chart.series] == [("b", 2)]
    assert [one.folded for one in part.sections] == [False, True]


def test_nothing_that_fits_is_no_chart_of_fits() -> None:
    """What did not fit has one."""
    part = profiles_section(
        results(made(**by_remaining([{"remaining": 1, "attempts": 3, "fits": 0}])))
    )
    assert part is not None
    (chart,) = part.sections[0].charts
    assert chart.name == "no-fits"
    assert (
        profiles_section(results(made(**by_remaining(None)), made("b", **by_remaining([])))) is None
    )


def test_the_largest_of_many() -> None:
    """By nodes, as many as there is room for, in the order of the questions; never none."""
    records = [made(f"box-{n}", nodes=n) for n in range(50)]
    part = present(profiles_section(results(*records)))
    assert [one.title for one in part.sections] == [f"box-{n}" for n in range(10, 50)]
    assert part.paragraphs[-1] == (
        "This page shows the 40 largest of 50 profiles by nodes; --format csv writes all."
    )
    deep = [made(f"box-{n}", nodes=n, **by_remaining(profile(400))) for n in range(5)]
    part = present(profiles_section(results(*deep)))
    assert [one.title for one in part.sections] == ["box-2", "box-3", "box-4"]
    part = present(profiles_section(results(made(**by_remaining(profile(2_000))))))
    assert len(part.sections[0].tables[0].rows) == 2_000
