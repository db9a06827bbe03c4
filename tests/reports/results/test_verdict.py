"""The answer that a report begins with, held to the records themselves."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from dovetail.harness.records.reading import read_records
from dovetail.reports.markdown import page_markdown
from dovetail.reports.page import Page, Part
from dovetail.reports.results.page import report_page
from harness.evaluation.contested import STOPPED, TIMES, answers
from reports.results.synthetic import result

RECORDS = Path(__file__).parents[2] / "browser" / "records"
AHEAD = r"(?P<lead>[\d.]+) times ahead of (?P<second>\w+) in the geometric mean\."
HEADLINES = {
    "quick": r"Of the (?P<solvers>\d+) solvers that ran all (?P<number>\d+) puzzles, "
    rf"(?P<first>\w+) is fastest on (?P<wins>\d+), {AHEAD}",
    "catalogue": rf"(?P<first>\w+) is fastest on (?P<wins>\d+) of (?P<number>\d+) puzzles, {AHEAD}",
}

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


@pytest.mark.parametrize("name", HEADLINES)
def test_the_headline_by_the_records(name: str) -> None:
    """Who, how often, how far ahead, and of whom, from the lines of the file."""
    found = re.fullmatch(HEADLINES[name], page_of(name).headline)
    assert found is not None, page_of(name).headline
    times = penalized_times(name)
    puzzles = list(times[found["first"]])
    best = {puzzle: min(own[puzzle] for own in times.values()) for puzzle in puzzles}
    means = {s: geometric_mean([own[p] / best[p] for p in puzzles]) for s, own in times.items()}
    ranked = sorted(means, key=lambda solver: means[solver])
    assert ranked[:2] == [found["first"], found["second"]]
    first, second = (times[solver] for solver in ranked[:2])
    assert int(found["number"]) == len(puzzles)
    assert int(found.groupdict().get("solvers", 2)) == len(times)
    assert int(found["wins"]) == sum(first[p] == best[p] for p in puzzles)
    lead = geometric_mean([second[p] / first[p] for p in puzzles])
    assert float(found["lead"]) == pytest.approx(lead, abs=0.005)
    table = verdict_part(page_of(name)).tables[0]
    assert [row[0] for row in table.rows] == ranked
    for solver, ratio, *_ in table.rows:
        assert float(ratio) == pytest.approx(means[solver], rel=0.05)


def test_why_by_the_records() -> None:
    """The median share of preparing where the winner won, from the lines of the file."""
    times = penalized_times("quick")
    lines = (RECORDS / "quick.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    won = [p for p, s in times["bitset"].items() if s == min(own[p] for own in times.values())]
    own = [r for r in records if r["backend"] == "bitset" and r["puzzle"] in won]
    share = median(r["prepare_s"] / (r["prepare_s"] + r["solve_s"]) for r in own)
    part = verdict_part(page_of("quick"))
    (row,) = (row for row in part.tables[1].rows if row[0] == "bitset")
    assert (row[1], row[-1]) == (str(len(won)), f"{100 * share:.0f} %")
    assert part.paragraphs[0].startswith("Where bitset won, it was ")


def test_the_worked_example() -> None:
    """Ahead in the mean is one thing, fastest most often is another, and chance a third."""
    page = report_page(answers())
    assert page.headline == (
        "A is 1.21 times ahead of B in the geometric mean of 6 puzzles; C and D are fastest most "
        "often, on 2 each."
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
    assert page.headline.endswith(" Disqualified for wrong counts: D.")
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


def test_an_interrupted_bench_is_ranked_by_what_was_run_in_common() -> None:
    """A further puzzle of one solver, or of two, does not undo the comparison of three."""
    times = {"A": (1,) * 5, "B": (2,) * 5, "C": (4,) * 5}
    for extra in ("A", "AB"):
        further = [result("further", solver, 1.0) for solver in extra]
        page = report_page([*answers(times), *further])
        assert page.headline == (
            "A is fastest on 5 of 5 puzzles, 2.00 times ahead of B in the geometric mean."
        )
        assert "Not run by all of these solvers: further." in verdict_part(page).paragraphs


def test_few_puzzles_claim_nothing() -> None:
    page = report_page(answers({"A": (1, 1), "B": (2, 2)}))
    sure = next(text for text in verdict_part(page).paragraphs if text.startswith("Among"))
    assert sure.endswith("2 puzzles cannot show more than chance.")


def test_unanswered_puzzles_are_set_apart() -> None:
    """The lead with a penalty for what was not answered, and without."""
    times = {"A": (1, 1, 1, 1, 1, 1), "B": (2, 2, 2, 2, 2, STOPPED)}
    page = report_page(answers(times))
    assert "4.31 times ahead of B" in page.headline
    sure = next(text for text in verdict_part(page).paragraphs if text.startswith("Among"))
    assert sure.endswith(
        "Where both answered it is 2.00 times; the other 1 puzzle counted as twice the limit."
    )


def test_puzzles_that_share_a_name_cold_and_warm() -> None:
    """Names of solvers and puzzles are those of the whole page."""
    cold = [result("a", s, 1.0, digest="x", cold_start=True, warm_up_s=9.0) for s in "AB"]
    jobs = [replace(one, job=f"{one.job}, cold") for one in cold]
    page = report_page([*answers({"A": (1,), "B": (2,)}), result("a", "A"), *jobs])
    titles = [row[0] for row in verdict_part(page).tables[-1].rows]
    assert "other, start-up + prepare + solve" in titles


def test_a_leader_that_wins_nothing() -> None:
    """Second everywhere, and first by the mean."""
    times = {"A": (2, 2, 2, 2), "B": (1, 1, 64, 64), "C": (64, 64, 1, 1)}
    page = report_page(answers(times))
    assert page.headline.startswith("A is 4.00 times ahead of B in the geometric mean of 4 puzzles")
    first = verdict_part(page).paragraphs[0]
    assert first == "A is fastest on no puzzle and leads by the mean alone."


def test_runs_that_were_interrupted_are_no_runs() -> None:
    """And zeros without a limit have a ratio."""
    stopped = result("puzzle 2", "B", 0.1, status="interrupted", count=0)
    page = report_page([*answers({"A": (1, 1), "B": (2,)}), stopped])
    assert page.headline == "A is fastest on 1 of 1 puzzle, 2.00 times ahead of B."
    unlimited = [
        result("zero", "A", 0.0, limits=None),
        result("zero", "B", 0.0, limits=None, status="node-limit", count=0),
    ]
    page = report_page(unlimited)
    assert page.headline == "A is fastest on 1 of 1 puzzle, 2.00 times ahead of B."


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
