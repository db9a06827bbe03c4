"""The rankings of all contests in full, with tests of significance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dovetail.errors import how_many
from dovetail.extras import install_command
from dovetail.harness.evaluation.contests import Contest
from dovetail.harness.evaluation.ranking import MIN_QUESTIONS, ContestVerdict
from dovetail.harness.evaluation.significance import (
    CriticalDifference,
    PairTest,
    can_test,
    critical_difference,
    pair_tests,
)
from dovetail.reports.charts.chart import Chart
from dovetail.reports.charts.kinds import critical_difference_chart
from dovetail.reports.columns import LEADERS, STANDINGS
from dovetail.reports.numbers import show_seconds
from dovetail.reports.page import Section, definitions
from dovetail.reports.results.solvers import contest_title, how_many_questions
from dovetail.reports.results.verdict import left_out_texts
from dovetail.reports.table import Column, Table, Topic, linked

MAX_TESTED = 20  # maximum number of solvers in a contest with tests


def show_p(p: float) -> str:
    """Format a probability with two significant digits, or as `< 0.0001`."""
    return "< 0.0001" if p < 1e-4 else f"{p:.2g}"


PAIRS: tuple[Column[PairTest], ...] = (
    linked(Topic.SOLVER, "solver", lambda test: test.first),
    linked(Topic.SOLVER, "other solver", lambda test: test.second),
    Column("p", lambda test: test.p, show_p),
    Column("p by Holm", lambda test: test.holm_p, show_p),
    Column("differ", lambda test: "yes" if test.is_significant else "not shown"),
)


def ranking_section(verdicts: Sequence[ContestVerdict]) -> Section | None:
    """Return sections of all contests; the first section is open. Returns None without contests."""
    if not verdicts:
        return None
    sections = (
        _contest_section(number, verdict, folded=number > 1)
        for number, verdict in enumerate(verdicts, start=1)
    )
    missing = (
        f"Tests of pairs and critical differences need scipy: {install_command('evaluation')}."
    )
    return Section(
        "ranking",
        "Rankings in full",
        [
            None if can_test() else missing,
            _leaders_table(verdicts[0], verdicts[1:]) if len(verdicts) > 1 else None,
            *sections,
        ],
        definitions=definitions("ranking"),
    )


def _leaders_table(first: ContestVerdict, others: Sequence[ContestVerdict]) -> Table:
    """Return a table of the first two solvers of the other contests."""
    usual = first.contest.settings, first.contest.clock
    contests = Column[ContestVerdict](
        "other contests", lambda verdict: contest_title(verdict.contest, usual), words=True
    )
    leaders = (LEADERS[name] for name in ("first", "second", "ahead", "wins"))
    return Table((contests, *leaders), others)


def _contest_section(number: int, verdict: ContestVerdict, *, folded: bool) -> Section:
    contest = verdict.contest
    tested = can_test() and len(contest.solvers) <= MAX_TESTED
    difference = critical_difference(contest) if tested else None
    differ = difference is not None and difference.is_significant
    compares = tested and len(contest.questions) >= MIN_QUESTIONS
    contents = [
        *_paragraphs(contest, difference),
        _chart(difference, contest) if difference is not None and differ else None,
        Table(list(STANDINGS.values()), verdict.standings),
        _pairs_table(contest) if compares else None,
    ]
    title = contest_title(contest, usual=())
    return Section(f"ranking-{number}", title, contents, folded=folded)


def _paragraphs(contest: Contest, difference: CriticalDifference | None) -> Iterator[str]:
    best = show_seconds(float(contest.best_s.mean()))
    yield f"{how_many_questions(contest)}; the virtual best solver's mean time is {best}."
    if len(contest.solvers) > MAX_TESTED:
        yield f"More than {MAX_TESTED} solvers are not tested for differences."
    elif len(contest.questions) < MIN_QUESTIONS:
        yield f"Fewer than {MIN_QUESTIONS} puzzles cannot show that solvers differ."
    if contest.disqualified:
        yield f"Disqualified for wrong counts: {', '.join(contest.disqualified)}."
    yield from left_out_texts(contest)
    if difference is not None:
        p = f"p = {show_p(difference.friedman_p)}"
        yield (
            f"By Friedman's test the solvers differ ({p}); the critical difference of average "
            f"ranks is {difference.difference:.2f}."
            if difference.is_significant
            else f"Friedman's test does not show that the solvers differ ({p})."
        )


def _pairs_table(contest: Contest) -> Table:
    tests = pair_tests(contest)
    pairs = how_many(len(tests), "pair")
    caption = f"{pairs} of solvers: probability of such a difference between equal solvers"
    return Table(PAIRS, tests, caption, folded=True)


def _chart(difference: CriticalDifference, contest: Contest) -> Chart:
    ranks = tuple(zip(difference.solvers, difference.ranks, strict=True))
    listed = ", ".join(f"{solver} {rank:.2f}" for solver, rank in ranks)
    return critical_difference_chart(
        f"Average ranks: {contest.family}",
        f"Average ranks of {len(difference.solvers)} solvers on {difference.questions} puzzles: "
        f"{listed}. Critical difference: {difference.difference:.2f}.",
        ranks,
        difference.difference,
        difference.groups,
        "critical-difference",
    )
