"""Boards that nobody can finish: the scores of improvers, over time and board by board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean, median

from dovetail.errors import how_many, shorten
from dovetail.harness.evaluation.solver_runs import LONGEST_NAME
from dovetail.harness.records.outline import cell_count
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import (
    Scores,
    SeedRuns,
    best_run,
    last_improved_s,
    seed_runs,
)
from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.charts.chart import Chart, Point, Series
from dovetail.reports.charts.kinds import BANDS
from dovetail.reports.numbers import ABSENT, show_rate, show_seconds
from dovetail.reports.page import Drawing, Part, Table
from dovetail.reports.pictures.drawing import svg_element
from dovetail.reports.pictures.picture import example_drawing

TITLE = "Best boards"
ABOUT = (
    "The score of a board is the number of inner edges that match; its bound is the score of a "
    "solution. Each improver ran with several seeds; every board was verified and scored by "
    "dovetail. last improved: the median over seeds of the time after which the score did not "
    "rise. Times are wall-clock and without warm-up (imports, compiling)."
)
ABOUT_CHARTS = (
    "A line shows the median score of the seeds after each time, and the band about it their "
    "range, from the lowest to the highest. Scores below the axis are drawn at its end."
)
COLUMNS = (
    *("board", "improver", "time limit", "seeds", "median", "range", "bound"),
    *("best known", "solved", "last improved", "nodes per s"),
)
FEWEST_BOARDS = 2  # of a table of means
MAX_OPEN = 12  # of more boards, each is shown when one opens it
MAX_CELLS = 4_000  # drawn in all
EARLIEST_S = 1e-3  # of a time on a logarithmic axis
AXIS_DEPTH = 4  # how many times as far as the last scores, below the bound, an axis begins


def improvements_part(results: Sequence[Record]) -> Part | None:
    """The scores by improver, board by board, and over time; None without improvements."""
    groups = seed_runs(results)
    if not groups:
        return None
    boards: dict[str, list[SeedRuns]] = {}
    for group in groups:
        boards.setdefault(group.digest, []).append(group)
    styles = {name: style for style, name in enumerate(dict.fromkeys(g.solver for g in groups))}
    allowance = MAX_CELLS
    parts = []
    for number, of_board in enumerate(boards.values(), start=1):
        drawing, cells = _best_board(of_board, allowance)
        allowance -= cells
        chart = _chart(of_board, styles)
        parts.append(
            Part(
                f"board-{number}",
                shorten(of_board[0].puzzle, LONGEST_NAME),
                charts=() if chart is None else (chart,),
                drawings=() if drawing is None else (drawing,),
                folded=len(boards) > MAX_OPEN,
            )
        )
    means = _means(groups)
    tables = (_table(groups),) if means is None else (means, _table(groups))
    return Part(
        "improvements",
        TITLE,
        tables=tables,
        parts=tuple(part for part in parts if part.charts or part.drawings),
        definitions=(ABOUT,),
        about_charts=(ABOUT_CHARTS,),
    )


def improvements_headline(results: Sequence[Record]) -> str:
    """The improver with the best mean score among those that ran on the same boards, in words."""
    by_solver = _by_solver([group for group in seed_runs(results) if group.runs])
    boards = {solver: {group.digest for group in own} for solver, own in by_solver.items()}
    means = {solver: mean(_scores(own)) for solver, own in by_solver.items()}
    if not means or any(one != next(iter(boards.values())) for one in boards.values()):
        return ""
    best = max(means, key=means.__getitem__)
    where = how_many(len(boards[best]), "board")
    bound = mean(group.bound or 0 for group in by_solver[best])
    return (
        f"{shorten(best, LONGEST_NAME)} has the best mean score: {means[best]:.1f} of "
        f"{bound:g} edges match, on {where}."
    )


def improvement_rows(groups: Sequence[SeedRuns]) -> Iterator[dict[str, str]]:
    """The texts of `COLUMNS` for each improver on each board."""
    for group in groups:
        scores, runs = group.scores(), group.runs
        limit_s = None if (limits := group.limits) is None else limits.time_s
        values = (
            shorten(group.puzzle, LONGEST_NAME),
            shorten(group.solver, LONGEST_NAME),
            ABSENT if limit_s is None else show_seconds(limit_s),
            f"{len(runs)}" + (f" ({len(group.lost)} lost)" if group.lost else ""),
            ABSENT if scores is None else f"{scores.middle:g}",
            ABSENT if scores is None else _range(scores),
            ABSENT if group.bound is None else f"{group.bound:,}",
            ABSENT if group.best_known is None else f"{group.best_known:,}",
            f"{group.solved}" if runs else ABSENT,
            show_seconds(median(map(last_improved_s, runs))) if runs else ABSENT,
            show_rate(
                sum(run.result.nodes or 0 for run in runs), sum(run.result.solve_s for run in runs)
            ),
        )
        yield dict(zip(COLUMNS, values, strict=True))


def _table(groups: Sequence[SeedRuns]) -> Table:
    rows = tuple(tuple(row.values()) for row in improvement_rows(groups))
    lost = frozenset(number for number, group in enumerate(groups) if group.lost)
    return Table(COLUMNS, rows, "by board", left=2, marked=lost)


def _means(groups: Sequence[SeedRuns]) -> Table | None:
    """Each improver's scores over the boards that all have run on; None for fewer than two.

    Improvers without a board of theirs are left out.
    """
    by_solver = _by_solver([group for group in groups if group.runs])
    digests = [{group.digest for group in own} for own in by_solver.values()]
    common = set.intersection(*digests) if digests else set()
    if len(common) < FEWEST_BOARDS:
        return None
    rows = []
    for solver, every in by_solver.items():
        own = [group for group in every if group.digest in common]
        scores = _scores(own)
        rows.append(
            (
                shorten(solver, LONGEST_NAME),
                f"{len(scores)}",
                f"{mean(scores):.1f}",
                _range(Scores(min(scores), median(scores), max(scores))),
                f"{sum(group.solved for group in own)}",
            )
        )
    columns = ("improver", "runs", "mean score", "range", "solved")
    caption = f"by improver, on the {len(common)} boards that all of them ran on"
    return Table(columns, tuple(rows), caption)


def _by_solver(groups: Sequence[SeedRuns]) -> dict[str, list[SeedRuns]]:
    by_solver: dict[str, list[SeedRuns]] = {}
    for group in groups:
        by_solver.setdefault(group.solver, []).append(group)
    return by_solver


def _scores(groups: Sequence[SeedRuns]) -> list[int]:
    """The scores of all runs that have a board."""
    return [run.result.score or 0 for group in groups for run in group.runs]


def _range(scores: Scores) -> str:
    return f"{scores.low}–{scores.high}" if scores.low < scores.high else f"{scores.low}"


def _chart(groups: Sequence[SeedRuns], styles: Mapping[str, int]) -> Chart | None:
    """Scores over time of all improvers on one board."""
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
        Axis("matched edges", _lowest(bands, bound), bound, False, "{:g}".format, whole=True),
        bands,
        BANDS,
        "score",
    )


def _lowest(bands: Sequence[Series], bound: int) -> float:
    """Where an axis of scores begins: where what the improvers differ in can be seen."""
    worst = min(band.points[-1].lowest for band in bands)
    first = min(point.lowest for band in bands for point in band.points)
    lowest = max(first, bound - AXIS_DEPTH * (bound - worst)) if worst < bound else first
    return min(lowest, bound - 1)


def _band(group: SeedRuns, style: int) -> Series | None:
    """The scores of an improver after each improvement of any seed."""
    points = []
    for seconds in group.improved_at:
        scores = group.scores(seconds)
        assert scores is not None, "what has improved has a score"
        x = max(EARLIEST_S, seconds)
        points.append(Point(x, scores.middle, low=scores.low, high=scores.high))
    if not points:
        return None
    end = max(EARLIEST_S, *(run.result.solve_s for run in group.runs))
    return Series(group.solver, style, tuple(points), end)


def _best_board(groups: Sequence[SeedRuns], allowance: int) -> tuple[Drawing | None, int]:
    """The best board of all improvers, and its cells; None if it has more cells than allowed."""
    run = best_run(run for group in groups for run in group.runs if run.example is not None)
    if run is None or run.example is None or run.outline is None:
        return None, 0
    cells = cell_count(run.outline)
    if cells > allowance:
        return None, 0
    svg = svg_element(example_drawing(run.example, run.outline))
    words = (
        f"{how_many(run.result.score or 0, 'edge')} of {run.result.bound} match: {run.job.backend}"
    )
    return Drawing(svg, f"{words}, seed {run.job.seed}"), cells
