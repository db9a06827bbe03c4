"""The answer that a report begins with, held to the records themselves."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dovetail.harness.records.reading import read_records
from dovetail.reports.markdown import page_markdown
from dovetail.reports.page import Page, Part
from dovetail.reports.results.page import report_page
from harness.evaluation.contested import TIMES, answers
from reports.results.synthetic import result

RECORDS = Path(__file__).parents[2] / "browser" / "records"
HEADLINE = re.compile(
    r"(?P<first>\w+) is fastest on (?P<wins>\d+) of (?P<number>\d+) puzzles, "
    r"(?P<lead>[\d.]+) times ahead of (?P<second>\w+) in the geometric mean\."
)

Times = Mapping[str, Mapping[str, float]]


def page_of(name: str) -> Page:
    return report_page(read_records(RECORDS / f"{name}.jsonl").records)


def verdict_part(page: Page) -> Part:
    assert page.parts[0].identity == "verdict"
    return page.parts[0]


def penalized_times(name: str) -> dict[str, dict[str, float]]:
    """Seconds by solver and puzzle, from the lines of the file by themselves.

    Twice the limit for what did not finish, of the solvers that ran all puzzles.
    """
    lines = (RECORDS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    records: list[dict[str, Any]] = [json.loads(line) for line in lines]
    times: dict[str, dict[str, float]] = {}
    for record in records:
        seconds = record["prepare_s"] + record["solve_s"]
        finished = record["status"] == "exhausted"
        times.setdefault(record["backend"], {})[record["puzzle"]] = (
            seconds if finished else 2 * record["limits"]["time_s"]
        )
    answered = {r["puzzle"] for r in records if r["status"] == "exhausted" and r["reason"] is None}
    asked = {solver: set(own) for solver, own in times.items()}
    everything = set.union(*asked.values())
    return {
        solver: {puzzle: s for puzzle, s in own.items() if puzzle in answered}
        for solver, own in times.items()
        if asked[solver] == everything
    }


def geometric_mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


@pytest.mark.parametrize("name", ["quick", "catalogue"])
def test_the_headline_by_the_records(name: str) -> None:
    """Who, how often, how far ahead, and of whom, from the lines of the file."""
    found = HEADLINE.fullmatch(page_of(name).headline)
    assert found is not None, page_of(name).headline
    times = penalized_times(name)
    puzzles = list(times[found["first"]])
    best = {puzzle: min(own[puzzle] for own in times.values()) for puzzle in puzzles}
    means = {s: geometric_mean([own[p] / best[p] for p in puzzles]) for s, own in times.items()}
    ranked = sorted(means, key=lambda solver: means[solver])
    assert ranked[:2] == [found["first"], found["second"]]
    first, second = (times[solver] for solver in ranked[:2])
    assert int(found["number"]) == len(puzzles)
    assert int(found["wins"]) == sum(first[p] == best[p] for p in puzzles)
    lead = geometric_mean([second[p] / first[p] for p in puzzles])
    assert float(found["lead"]) == pytest.approx(lead, abs=0.005)
    table = verdict_part(page_of(name)).tables[0]
    assert [row[0] for row in table.rows] == ranked
    for solver, ratio, *_ in table.rows:
        assert float(ratio) == pytest.approx(means[solver], rel=0.05)


def test_why_by_the_records() -> None:
    """The share of preparing where the winner won, from the lines of the file."""
    times = penalized_times("quick")
    lines = (RECORDS / "quick.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    won = [p for p, s in times["bitset"].items() if s == min(own[p] for own in times.values())]
    own = [r for r in records if r["backend"] == "bitset" and r["puzzle"] in won]
    share = sum(r["prepare_s"] for r in own) / sum(r["prepare_s"] + r["solve_s"] for r in own)
    part = verdict_part(page_of("quick"))
    (row,) = (row for row in part.tables[1].rows if row[0] == "bitset")
    assert (row[1], row[-1]) == (str(len(won)), f"{100 * share:.0f} %")
    assert part.paragraphs[0].startswith("Where bitset won, it was ")
    assert f"Preparing is {100 * share:.0f} % of its time." in part.paragraphs[0]


def test_the_worked_example() -> None:
    """Ahead in the mean is one thing, fastest most often is another, and chance a third."""
    page = report_page(answers())
    assert page.headline == (
        "A is 1.21 times ahead of B in the geometric mean of 6 puzzles; C is fastest most often, "
        "on 2."
    )
    part = verdict_part(page)
    assert part.tables[0].rows[0][:2] == ("A", "2.83")
    assert [row[0] for row in part.tables[0].rows] == list("ABCDE")
    sure = next(text for text in part.paragraphs if text.startswith("Among"))
    assert "Among 5 solvers with default settings, prepare + solve." in sure
    assert "is no more than the choice of puzzles explains." in sure


def test_a_wrong_count_is_disqualified_visibly() -> None:
    """In the verdict, in the warnings and in the map, and its time wins nothing."""
    wrong = result("puzzle 1", "D", 0.001, count=7, expected=1)
    others = answers(expected=1)
    rest = [one for one in others if (one.puzzle, one.backend) != ("puzzle 1", "D")]
    page = report_page([*rest, wrong])
    part = verdict_part(page)
    assert "Disqualified for wrong counts: D." in part.paragraphs
    assert page.warnings[0].startswith("Wrong results: ")
    assert "D" not in [row[0] for row in part.tables[0].rows]
    assert part.beside is not None
    (table,) = part.beside.tables
    assert table.rows[0][table.columns.index("D")] == "wrong"


def test_contests_of_their_own() -> None:
    """Chosen settings and families beside the headline, each with what distinguishes it."""
    config = {"labelled": False, "stages": "dlx:f@17"}
    tuned = answers({"A": (0.5, 0.5)}, config=config)
    jobs = [replace(one, job=f"{one.job}, tuned") for one in tuned]
    page = report_page([*answers({"A": (1, 2), "B": (3, 4)}), *jobs])
    assert page.headline.startswith("A is fastest on 2 of 2 puzzles, 2.45 times ahead of B")
    (row,) = verdict_part(page).tables[-1].rows
    assert row == ("other, chosen settings", "A stages=dlx:f@17", "B", "×6.93", "2 of 2")


def test_equally_fast_solvers_are_level() -> None:
    page = report_page(answers({"A": (1, 2), "B": (1, 2)}))
    assert page.headline == ("A is fastest on 2 of 2 puzzles, level with B in the geometric mean.")


def test_nothing_to_compare() -> None:
    """One solver has no rivals; two that ran different puzzles cannot be compared."""
    assert report_page(answers({"A": (1, 2)})).headline == ""
    apart = report_page([result("a", "A"), result("b", "B")])
    assert apart.headline == "No two solvers answered the same puzzles, so none is ranked."
    assert apart.parts[0].identity == "disagreements"


def test_when_all_contradict_one_another() -> None:
    """Without an expected count nobody can be believed, so nobody is ranked."""
    page = report_page([result("a", "A", count=1), result("a", "B", count=2)])
    assert page.headline == (
        "Solvers contradict one another or the expected counts, so none is ranked."
    )


def test_one_puzzle_has_no_mean() -> None:
    page = report_page([result("a", "A", 1.0), result("a", "B", 4.0)])
    assert page.headline == "A is fastest on 1 of 1 puzzle, 4.00 times ahead of B."


def test_markdown_begins_with_the_answer() -> None:
    text = page_markdown(report_page(answers(TIMES)))
    assert text.splitlines()[2].startswith("**A is 1.21 times ahead of B")
    assert text.index("## Who won, and why") < text.index("## Disagreements")
    assert text.index("## Every puzzle by every solver") < text.index("## Disagreements")
