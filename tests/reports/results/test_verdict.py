"""The answer that a report begins with, held to the records themselves."""

from __future__ import annotations

import json
import math
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dovetail.harness.evaluation import significance
from dovetail.harness.evaluation.ranking import verdict
from dovetail.harness.records.record import Record
from dovetail.harness.records.record_files import read_records
from dovetail.reports.page import Page, Section
from dovetail.reports.results.page import report_page
from dovetail.reports.results.ranking import ranking_section
from dovetail.reports.results.verdict import first_text
from dovetail.reports.table import Table
from harness.evaluation.contested import REFUSED, STOPPED, answers, contests_of
from harness.records.made import changed
from reports.present import present
from reports.results.synthetic import result

RECORDS = Path(__file__).parents[2] / "browser" / "records"
AHEAD = r"(?P<lead>(> )?[\d.]+) times ahead of (?P<second>\w+) in the geometric mean\."
HEADLINES = {
    "quick": r"Of the (?P<solvers>\d+) solvers that ran all (?P<number>\d+) puzzles, "
    rf"(?P<first>\w+) is fastest on (?P<wins>\d+), {AHEAD}",
    "catalogue": rf"(?P<first>\w+) is fastest on (?P<wins>\d+) of (?P<number>\d+) puzzles, {AHEAD}"
    r" Refused: (?P<refused>\d+) by (?P=second)\.",
}


def page_of(name: str) -> Page:
    return report_page(read_records(RECORDS / f"{name}.jsonl").records)


def verdict_part(page: Page) -> Section:
    assert page.sections[0].identity == "verdict"
    return page.sections[0]


def other_contests(page: Page) -> Table:
    (ranking,) = (section for section in page.sections if section.identity == "ranking")
    return ranking.tables[0]


def limited_times(name: str) -> dict[str, dict[str, float]]:
    """Seconds by solver and puzzle, from the lines of the file by themselves.

    The limit for what did not finish, of the solvers that were asked all puzzles that any of them
    finished by a search; none for a refusal.
    """
    lines = (RECORDS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    records: list[dict[str, Any]] = [json.loads(line) for line in lines]
    asked: dict[str, set[str]] = {}
    for record in records:
        asked.setdefault(record["backend"], set()).add(record["puzzle"])
    everything = set.union(*asked.values())
    complete = {solver for solver, own in asked.items() if own == everything}
    answered = {
        r["puzzle"]
        for r in records
        if r["backend"] in complete and r["status"] == "exhausted" and r["reason"] is None
    }
    times: dict[str, dict[str, float]] = {solver: {} for solver in asked if solver in complete}
    for record in records:
        if record["backend"] in complete and record["puzzle"] in answered:
            seconds = record["prepare_s"] + record["solve_s"]
            finished = record["status"] == "exhausted"
            if record["status"] != "skipped":
                times[record["backend"]][record["puzzle"]] = (
                    seconds if finished else record["limits"]["time_s"]
                )
    return times


def geometric_mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


@pytest.mark.parametrize("name", HEADLINES)
def test_the_headline_by_the_records(name: str) -> None:
    """Who, how often, how far ahead, and of whom, from the lines of the file."""
    found = re.fullmatch(HEADLINES[name], page_of(name).headline)
    assert found is not None, page_of(name).headline
    times = limited_times(name)
    puzzles = list(times[found["first"]])
    puzzles = [p for p in puzzles if sum(p in own for own in times.values()) > 1]
    times = {s: {p: t for p, t in own.items() if p in puzzles} for s, own in times.items()}
    best = {p: min(own[p] for own in times.values() if p in own) for p in puzzles}
    means = {s: geometric_mean([t / best[p] for p, t in own.items()]) for s, own in times.items()}

    def lead(one: str, other: str) -> float:
        both = times[one].keys() & times[other].keys()
        return geometric_mean([times[other][p] / times[one][p] for p in both])

    table = verdict_part(page_of(name)).tables[0]
    ranked = [row[0] for row in table.rows]
    assert ranked[:2] == [found["first"], found["second"]]
    assert set(ranked) == set(times)
    assert all(lead(one, other) >= 1 for one, other in pairwise(ranked))
    assert all(lead(ranked[0], other) >= 1 for other in ranked[1:])
    assert int(found["number"]) == len(puzzles)
    assert int(found.groupdict().get("solvers", 2)) == len(times)
    assert int(found["wins"]) == sum(times[found["first"]][p] == best[p] for p in puzzles)
    assert float(found["lead"].removeprefix("> ")) == pytest.approx(lead(*ranked[:2]), abs=0.005)
    for solver, ratio, *_ in table.rows:
        assert float(ratio.removeprefix("> ")) == pytest.approx(means[solver], rel=0.05)


def test_a_wrong_count_is_disqualified_visibly() -> None:
    """In the verdict, in the warnings and in the map, and its time wins nothing."""
    wrong = result("puzzle 1", "D", 0.001, count=7, expected=1)
    others = answers(expected=1)
    rest = [one for one in others if (one.job.puzzle, one.job.backend) != ("puzzle 1", "D")]
    page = report_page([*rest, wrong])
    part = verdict_part(page)
    assert page.headline.endswith(" Disqualified for wrong counts: D.")
    assert page.warnings[0].startswith("Wrong results: ")
    assert "D" not in [row[0] for row in part.tables[0].rows]
    assert part.beside is not None
    (table,) = part.beside.tables
    assert table.rows[0][table.titles.index("D")] == "wrong"


def test_contests_of_their_own() -> None:
    """Chosen settings and families beside the headline, each with what distinguishes it."""
    config = {"stages": "dlx:f@17"}
    tuned = answers({"A": (0.5, 0.5)}, config=config)
    jobs = [changed(one, job=f"{one.job.digest}, tuned") for one in tuned]
    page = report_page([*answers({"A": (1, 2), "B": (3, 4)}), *jobs])
    assert page.headline.startswith("A is fastest on 2 of 2 puzzles, 2.45 times ahead of B")
    (row,) = other_contests(page).rows
    assert row == ("other, chosen settings", "A stages=dlx:f@17", "B", "×6.93", "2 of 2")


def test_refusals_are_given_and_cost_nothing() -> None:
    times = {"fast": (1, 1, 1, REFUSED, REFUSED), "slow": (2,) * 5, "slower": (4,) * 5}
    page = report_page(answers(times))
    assert page.headline == (
        "fast is fastest on 3 of 5 puzzles, 2.00 times ahead of slow in the geometric mean of the "
        "3 that both accept. Refused: 2 by fast."
    )
    table = verdict_part(page).tables[0]
    solved, refused = table.titles.index("solved"), table.titles.index("refused")
    assert [(row[0], row[solved], row[refused]) for row in table.rows] == [
        ("fast", "3 of 3", "2"),
        ("slow", "5 of 5", "0"),
        ("slower", "5 of 5", "0"),
    ]
    alone = {"easy": (1, REFUSED, REFUSED, REFUSED), "A": (2,) * 4, "B": (4,) * 4}
    page = report_page(answers(alone))
    assert page.headline.startswith("A is fastest on 4 of 4 puzzles, 2.00 times ahead of B")
    assert (
        "Not ranked here, because they refused half of these or more: easy."
        in verdict_part(page).paragraphs
    )


@pytest.mark.parametrize(
    ("results", "headline", "sentence"),
    [
        (
            answers({"A": (1, 1), "B": (2, 2)}),
            "A is fastest on 2 of 2 puzzles, 2.00 times ahead of B in the geometric mean.",
            " 2 puzzles cannot show more than chance.",
        ),
        (
            answers({"A": (2, 2, 2, 2), "B": (1, 1, 64, 64), "C": (64, 64, 1, 1)}),
            "A is 4.00 times ahead of B in the geometric mean of 4 puzzles; B and C are fastest "
            "most often, on 2 each.",
            "A is fastest on no puzzle and leads by the mean alone.",
        ),
        (
            [result("a", "A", count=1), result("a", "B", count=2)],
            "Solvers contradict one another or the expected counts, so none is ranked.",
            "",
        ),
    ],
    ids=["few puzzles", "a leader that wins nothing", "all contradict one another"],
)
def test_the_headline_claims_no_more_than_results_show(
    results: list[Record], headline: str, sentence: str
) -> None:
    page = report_page(results)
    assert page.headline == headline
    assert any(text.endswith(sentence) for text in page.sections[0].paragraphs or [""])


def part_of(results: list[Record]) -> Section:
    verdicts = [verdict(contest) for contest in contests_of(results)]
    return present(ranking_section(verdicts))


def test_a_diagram_where_solvers_differ() -> None:
    """Three solvers in the same order on eight puzzles: Friedman's p is exp(-8)."""
    pytest.importorskip("scipy", reason="the extra evaluation is not installed")
    (part,) = part_of(answers({"A": (1,) * 8, "B": (2,) * 8, "C": (3,) * 8})).sections
    assert "By Friedman's test the solvers differ (p = 0.00034)" in part.paragraphs[-1]
    (chart,) = part.charts
    difference = chart.alt_text.split()[-1].rstrip(".")
    rows = [line.split(",") for line in chart.csv().splitlines()[1:]]
    assert [(name, rank) for name, rank, _ in rows] == [("A", "1"), ("B", "2"), ("C", "3")]
    assert {f"{float(value):.2f}" for *_, value in rows} == {difference}


def test_without_scipy_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(significance, "find_spec", lambda name: None)
    part = part_of(answers())
    assert part.paragraphs == (
        "Tests of pairs and critical differences need scipy: pip install 'scipy>=1.11'.",
    )
    assert len(part.sections[0].tables) == 1
    assert part.sections[0].charts == ()


def test_the_first_solver_in_a_sentence() -> None:
    """Medians are over puzzles that both solved; ratios 4, 2 and 1 here."""
    times = {"quick": (1.0, 2.0, 4.0, REFUSED), "slow": (4.0, 4.0, 4.0, STOPPED), "x": (9,) * 4}
    (contest,) = contests_of(answers(times))
    assert first_text(verdict(contest)) == (
        "quick solved 3 of 4 puzzles, was 2.00 times as fast as slow at the median, "
        "was fastest on 3 (puzzle 1, puzzle 2, puzzle 3) and refused 1."
    )
