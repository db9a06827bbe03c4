"""The scores of improvers, by improver, by board and over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean

from dovetail.errors import how_many
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import SeedRuns, best_run, by_objective, seed_runs
from dovetail.harness.run.job import Limits
from dovetail.models.boards.partial_board import Objective
from dovetail.reports.charts.chart import Axis, Chart, Point, Series, logarithmic_axis
from dovetail.reports.charts.kinds import BANDS
from dovetail.reports.columns import scores_table, short_name, show_range
from dovetail.reports.numbers import show_seconds
from dovetail.reports.page import Section, definitions
from dovetail.reports.pictures.drawing import Figure
from dovetail.reports.results.provenance import show_limits
from dovetail.reports.results.questions import PuzzlePictures
from dovetail.reports.table import Column, Table, Topic, linked

FEWEST_BOARDS = 2  # minimum number of boards in a table of means
MAX_OPEN = 12  # with more boards, all sections of boards are folded
MAX_SOLVED_CELLS = 12_000  # maximum number of cells drawn in total
EARLIEST_S = 1e-3  # shortest time on a logarithmic axis
# Maximum distance from the bound to the lower end of an axis, as a multiple of the distance from
# the bound to the worst last score.
AXIS_DEPTH = 4


def improvements_section(results: Sequence[Record]) -> Section | None:
    """Return a section of the scores by improver and by board; None without improvements."""
    groups = _groups(results)
    if not groups:
        return None
    boards: dict[tuple[str, Objective], list[SeedRuns]] = {}
    for group in groups:
        boards.setdefault((group.digest, group.objective), []).append(group)
    styles = {name: style for style, name in enumerate(dict.fromkeys(g.solver for g in groups))}
    pictures = PuzzlePictures(MAX_SOLVED_CELLS)
    sections = [
        Section(
            f"board-{number}",
            short_name(of_board[0].puzzle) + by_objective(of_board[0].objective),
            [_chart(of_board, styles), _best_board(of_board, pictures)],
            folded=len(boards) > MAX_OPEN,
        )
        for number, of_board in enumerate(boards.values(), start=1)
    ]
    shown = [section for section in sections if any(section.contents)]
    by_board = replace(scores_table(groups), caption="by board")
    return Section(
        "improvements",
        "Best boards",
        [_means_table(groups), by_board, *shown],
        definitions=definitions("improvements"),
        about_charts=definitions("improvements-charts"),
    )


def improvements_headline(results: Sequence[Record]) -> str:
    """Return a sentence on the improver with the best mean score.

    The sentence is empty if the improvers ran on different boards, and if there are no improvers.
    """
    improvers = _by_improver(_groups(results))
    if not improvers or any(improver.boards != improvers[0].boards for improver in improvers):
        return ""
    best = max(improvers, key=lambda improver: improver.mean_score)
    bound, objective = mean(group.bound or 0 for group in best.groups), best.groups[0].objective
    return (
        f"{short_name(best.name)} has the best mean score: {best.mean_score:.1f} of "
        f"{bound:g} {objective} {objective.verb}, on {how_many(len(best.boards), 'board')}."
    )


def _groups(results: Iterable[Record]) -> list[SeedRuns]:
    """Return the groups of runs; an improver with several limits is an improver for each of them.

    The limits are then added to its name.
    """
    groups = seed_runs(results)
    limits: dict[str, set[Limits | None]] = {}
    for group in groups:
        limits.setdefault(group.solver, set()).add(group.limits)
    return [
        replace(group, solver=f"{group.solver}, {show_limits(group.limits)}")
        if len(limits[group.solver]) > 1
        else group
        for group in groups
    ]


@dataclass(frozen=True)
class _Improver:
    """The runs of an improver on several boards by the same objective."""

    name: str
    groups: Sequence[SeedRuns]

    @property
    def boards(self) -> set[tuple[str, Objective]]:
        """Digests of the boards, with the objective."""
        return {(group.digest, group.objective) for group in self.groups}

    @property
    def scores(self) -> list[int]:
        """Scores of all runs with a board."""
        return [run.result.score or 0 for group in self.groups for run in group.runs]

    @property
    def mean_score(self) -> float:
        """Mean of the mean scores of the groups, so that a board with more seeds weighs no more."""
        return mean(mean(run.result.score or 0 for run in group.runs) for group in self.groups)


MEANS: tuple[Column[_Improver], ...] = (
    linked(Topic.SOLVER, "improver", lambda improver: improver.name, short_name),
    Column("runs", lambda improver: len(improver.scores)),
    Column("mean score", lambda improver: f"{improver.mean_score:.1f}"),
    Column("range", lambda improver: show_range(min(improver.scores), max(improver.scores))),
    Column("solved", lambda improver: sum(group.solved for group in improver.groups)),
)


def _by_improver(groups: Iterable[SeedRuns]) -> list[_Improver]:
    """Return the improvers by name and objective, without groups that have no board."""
    found: dict[str, list[SeedRuns]] = {}
    for group in groups:
        if group.runs:
            name = group.solver + by_objective(group.objective)
            found.setdefault(name, []).append(group)
    return [_Improver(name, members) for name, members in found.items()]


def _means_table(groups: Sequence[SeedRuns]) -> Table | None:
    """Return the scores of each improver over the boards that all improvers ran on.

    Returns None for fewer than two such boards.
    """
    boards = [improver.boards for improver in _by_improver(groups)]
    common = set.intersection(*boards) if boards else set()
    if len(common) < FEWEST_BOARDS:
        return None
    improvers = _by_improver(g for g in groups if (g.digest, g.objective) in common)
    caption = f"by improver, on the {len(common)} boards that all of them ran on"
    return Table(MEANS, improvers, caption)


def _chart(groups: Sequence[SeedRuns], styles: Mapping[str, int]) -> Chart | None:
    """Return the scores of all improvers on a board over time; None without scores."""
    bands = tuple(filter(None, (_band(group, styles[group.solver]) for group in groups)))
    if not bands:
        return None
    bound = max(group.bound or 0 for group in groups)
    times = [band.end for band in bands] + [point.x for band in bands for point in band.points]
    last = ", ".join(f"{band.name} {band.points[-1].y:g}" for band in bands)
    return Chart(
        "Score over time",
        f"Score over time on a logarithmic scale, up to the bound of {bound}. At the end, median "
        f"of the seeds: {last}.",
        logarithmic_axis("time", times, show_seconds, "seconds", is_fitted=True),
        Axis(
            groups[0].objective.unit, _lowest(bands, bound), bound, False, "{:g}".format, whole=True
        ),
        bands,
        BANDS,
        "score",
    )


def _lowest(bands: Sequence[Series], bound: int) -> float:
    """Return the lower end of an axis that makes the differences of the improvers visible."""
    worst = min(band.points[-1].lowest for band in bands)
    first = min(point.lowest for band in bands for point in band.points)
    lowest = max(first, bound - AXIS_DEPTH * (bound - worst)) if worst < bound else first
    return min(lowest, bound - 1)


def _band(group: SeedRuns, style: int) -> Series | None:
    """Return the scores of an improver over time; None without scores."""
    points = []
    for seconds in group.improved_at:
        scores = group.scores(seconds)
        assert scores is not None, "a group with an improvement has a score"
        x = max(EARLIEST_S, seconds)
        points.append(Point(x, scores.middle, low=scores.low, high=scores.high))
    if not points:
        return None
    end = max(EARLIEST_S, *(run.result.solve_s for run in group.runs))
    return Series(group.solver, style, tuple(points), end)


def _best_board(groups: Sequence[SeedRuns], pictures: PuzzlePictures) -> Figure | None:
    """Return a picture of the best recorded board; None if there is no board or it is too large."""
    run = best_run(run for group in groups for run in group.runs if run.example is not None)
    if run is None:
        return None
    matching = groups[0].objective.result_text(run.result.score or 0, run.result.bound or 0)
    return pictures.solution(run, f"{matching}: {run.job.backend}, seed {run.job.seed}")
