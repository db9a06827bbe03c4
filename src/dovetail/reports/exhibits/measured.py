"""Measured exhibits: exhibits with the records of their runs, and their figures, also as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import PLACEMENT_MADE
from dovetail.harness.confidence import Interval, ratio_interval
from dovetail.harness.exhibits import Exhibit, ExhibitSeries, ExhibitType, LevelsRun, RatePoint
from dovetail.harness.records.published import measured_rate
from dovetail.harness.records.record import Record
from dovetail.harness.run.result import RateInterval, Searched
from dovetail.harness.suite.bench import plan_results
from dovetail.harness.suite.plan import SuitePlan
from dovetail.harness.suite.reproduction import FINISHED, Verdict
from dovetail.reports.measures import CPU, NODES, SOLVE, TIME, Measure
from dovetail.reports.results.profiles import COUNTS, LEVEL_FIGURES, Figures, levels
from dovetail.reports.table import csv_lines

# Minimum number of rows for a rank correlation.
MIN_ROWS = 3
COLUMNS = (
    *("exhibit", "source", "board", "kept", "series", "status", "nodes", "prepare_s", "solve_s"),
    *("seconds", "nodes_per_s", "nodes_change", "seconds_change", "x", "rate", "rate_low"),
    *("rate_high", "solutions", "trials", "solve_cpu_s", "solve_change"),
    *(f"{name}_change_{end}" for name in ("nodes", "solve", "seconds") for end in ("low", "high")),
    *LEVEL_FIGURES,
)
Line = dict[str, object]


@dataclass(frozen=True)
class MeasuredBoard:
    """A board and its runs by the names of the series, in their order."""

    puzzle: str
    runs: Mapping[str, Record]

    @property
    def best_s(self) -> float | None:
        """Shortest time of the series that finished the board; None if no series finished it."""
        times = (run.result.total_s for run in self.runs.values() if run.result.is_finished)
        return min(times, default=None)

    @property
    def fastest(self) -> str:
        """Name of the series that finished in the shortest time; the first of several such series.

        If no series finished the board, all series are compared.
        """
        results = {name: run.result for name, run in self.runs.items()}
        return min(results, key=lambda name: (not results[name].is_finished, results[name].total_s))

    def is_finished_by(self, *names: str) -> bool:
        """Return whether all series with these names finished the board."""
        return all(self.runs[name].result.is_finished for name in names)


@dataclass(frozen=True)
class MeasuredRate:
    """The measured rate of a row; unknown values are None."""

    point: RatePoint
    rate: float | None = None
    # 95 % interval of the rate.
    interval: RateInterval | None = None
    # Totals of the trials.
    searched: Searched | None = None
    # Solutions per million fits.
    per_fits: float | None = None


@dataclass(frozen=True)
class MeasuredLevel:
    """Figures by name for a number of pieces left; unknown figures are missing."""

    # None for the sum over all levels.
    left: int | None
    published: Figures
    measured: Figures
    # None without published figures.
    verdict: Verdict | None


@dataclass(frozen=True)
class Measured:
    """An exhibit with its measured figures, and with the boards that all of its series ran."""

    exhibit: Exhibit
    boards: tuple[MeasuredBoard, ...]
    rates: tuple[MeasuredRate, ...] = ()
    levels: tuple[MeasuredLevel, ...] = ()

    def finished_by_some(self) -> list[MeasuredBoard]:
        """Return the boards that any series finished, sorted by their shortest time."""
        timed = [(board.best_s, board) for board in self.boards]
        finished = [(time, board) for time, board in timed if time is not None]
        return [board for _, board in sorted(finished, key=lambda pair: pair[0])]

    def finishing(self) -> list[ExhibitSeries]:
        """Return the series that finished any board."""
        return [series for series in self.exhibit.series if self.finished_by(series.name)]

    def finished_by_all(self) -> list[MeasuredBoard]:
        """Return the boards that all series finished.

        Series with `apart` and series that finished no board do not count.
        """
        together = [series.name for series in self.finishing() if not series.apart]
        return self.finished_by(*together) if together else []

    def finished_by(self, *names: str) -> list[MeasuredBoard]:
        """Return the boards that all series with these names finished."""
        return [board for board in self.boards if board.is_finished_by(*names)]


def measured(exhibit: Exhibit, results: Iterable[Record]) -> Measured:
    """Return an exhibit with its runs from `results`, the value of `plan_results`."""
    by_job = {result.job.digest: result for result in results}
    boards = tuple(
        MeasuredBoard(board.puzzle, _runs(exhibit, [by_job[job] for job in board.jobs]))
        for board in exhibit.boards
        if all(job in by_job for job in board.jobs)
    )
    rates = tuple(_rate(point, by_job.get(point.job)) for point in exhibit.points)
    run = exhibit.run
    by_level = () if run is None else tuple(_levels(run, by_job.get(run.job)))
    return Measured(exhibit, boards, rates, by_level)


def _runs(exhibit: Exhibit, results: Iterable[Record]) -> dict[str, Record]:
    """Return the results by series name; their nodes are the counter that the series shows.

    The nodes of a run without a search are None.
    """
    runs = {}
    for series, record in zip(exhibit.series, results, strict=True):
        nodes: object = record.result.nodes
        if series.native is not None:
            nodes = record.result.counters.native.get(series.native)
        counted = nodes if isinstance(nodes, int) and record.result.status.has_searched else None
        counters = replace(record.result.counters, nodes=counted)
        runs[series.name] = replace(record, result=replace(record.result, counters=counters))
    return runs


def _rate(point: RatePoint, record: Record | None) -> MeasuredRate:
    if record is None or record.result.searched is None or not record.result.status.has_answer:
        return MeasuredRate(point)
    searched, fits, per_fits = record.result.searched, record.result.nodes, None
    parallel = record.result.parallel
    of_same_trials = parallel is None or parallel.same_nodes
    if fits and of_same_trials and record.job.node_meaning == PLACEMENT_MADE:
        per_fits = 1e6 * searched.found / fits
    return MeasuredRate(point, *measured_rate(record), searched, per_fits)


def _levels(run: LevelsRun, record: Record | None) -> Iterator[MeasuredLevel]:
    """Yield the levels of a run in ascending order of the pieces left, and then their sum."""
    published = {
        level.left: _known({name: getattr(level, name) for name in LEVEL_FIGURES})
        for level in run.levels
    }
    # The nodes of some backends are not fits.
    is_counted = record is not None and record.job.node_meaning == PLACEMENT_MADE
    measured = levels(record) if record is not None and is_counted else {}
    for remaining in sorted({*published, *measured}):
        yield _level(remaining, published.get(remaining, {}), measured.get(remaining, {}), record)
    sums = {
        count: sum(level[count] for level in measured.values())
        for count in COUNTS
        if measured and all(count in level for level in measured.values())
    }
    total = _known({"fits": run.published.fits, "no_fits": run.published.all_no_fits})
    yield _level(None, total, sums, record)


def _known(figures: Mapping[str, float | None]) -> Figures:
    return {name: figure for name, figure in figures.items() if figure is not None}


def _level(
    remaining: int | None,
    published: Figures,
    measured: Figures,
    record: Record | None,
) -> MeasuredLevel:
    if not published:
        verdict = None
    elif record is None:
        verdict = Verdict.NOT_RUN
    elif record.result.status not in FINISHED:
        verdict = Verdict.UNFINISHED
    else:
        agrees = record.result.is_finished and all(
            _agrees(figure, measured.get(name)) for name, figure in published.items()
        )
        verdict = Verdict.EXACT if agrees else Verdict.DIFFERS
    return MeasuredLevel(remaining, published, measured, verdict)


def _agrees(published: float, measured: float | None) -> bool:
    """Return whether a measured figure rounds to the published digits."""
    exact = f"{Decimal(str(published)):f}"  # without an exponent, as of 0.00002
    digits = len(exact.partition(".")[2]) if isinstance(published, float) else 0
    return measured is not None and round(measured, digits) == published


@dataclass(frozen=True)
class RelativeChange:
    """The change relative to the sum of the base; 0 for the base itself."""

    value: float
    # 95 % interval, estimated from the spread of the boards. None if fewer than ten boards have a
    # figure above 0, and if a figure of the base is 0.
    interval: Interval | None = None


@dataclass(frozen=True)
class SeriesRuns:
    """The runs of a series on several boards, and the runs of the base on the same boards."""

    series: ExhibitSeries
    runs: Sequence[Record]
    # None without a base.
    base: Sequence[Record] | None = None

    def sum(self, measure: Measure) -> float | None:
        """Return the sum of a measure; None if a run does not have it, or without runs."""
        values = list(map(measure.of, self.runs))
        known = [value for value in values if value is not None]
        return sum(known) if known and len(known) == len(values) else None

    def change(self, measure: Measure) -> RelativeChange | None:
        """Return the change of the sum of a measure relative to the base.

        Returns None if there is no base, if a run has no figure, or if the sum of the base is 0.
        """
        if self.base is None:
            return None
        pairs = list(zip(map(measure.of, self.runs), map(measure.of, self.base), strict=True))
        known = [
            (value, other) for value, other in pairs if value is not None and other is not None
        ]
        total = sum(other for _, other in known)
        if len(known) < len(pairs) or not total > 0:
            return None
        more = sum(value for value, _ in known) - total
        figures, base_figures = np.array(known, dtype=float).T
        ratio = ratio_interval(figures, base_figures) if (base_figures > 0).all() else None
        interval = ratio and Interval(ratio.mean - 1, ratio.low - 1, ratio.high - 1)
        return RelativeChange(more / total, interval)


def has_cpu_time(measured: Measured) -> bool:
    """Return True if every finished run has the processor time of its search.

    This time includes all threads and native libraries of the process. Rounds of pytest-benchmark
    do not have it.
    """
    runs = (run.result for board in measured.boards for run in board.runs.values())
    return all(run.solve_cpu_s is not None for run in runs if run.is_finished)


def compared_measures(measured: Measured) -> dict[str, Measure]:
    """Return the measures that are summed: nodes, solve time, and time of prepare and solve.

    The solve time is processor time if `has_cpu_time`, otherwise wall-clock time.
    """
    return {"nodes": NODES, "solve": CPU if has_cpu_time(measured) else SOLVE, "seconds": TIME}


def series_to_sum(measured: Measured) -> list[SeriesRuns]:
    """Return the runs of each series that finished a board, on the boards to sum.

    The boards to sum are those of `Measured.finished_by_all`. For a series with `apart`, they are
    the boards that the series and the base finished. A base that finished no board is left out.
    """
    finishing = measured.finishing()
    base = next((s.name for s in finishing if s.name == measured.exhibit.base), None)
    summed = []
    for series in finishing:
        boards = measured.finished_by_all()
        if series.apart and base is not None:
            boards = measured.finished_by(series.name, base)
        base_runs = None if base is None else [board.runs[base] for board in boards]
        summed.append(SeriesRuns(series, [b.runs[series.name] for b in boards], base_runs))
    return summed


@dataclass(frozen=True)
class RateOrder:
    """Order of the measured rates of rows, compared with the published order."""

    # Number of rows that have both rates.
    rows: int
    # Spearman's rank correlation. None if there are fewer than `MIN_ROWS` rows, or if all measured
    # or all published rates are equal.
    correlation: float | None
    # Number of pairs of rows in the published order whose intervals do not overlap.
    agreeing: int
    # Pairs of rows in the opposite order whose intervals do not overlap. The row with the higher
    # published rate is first.
    opposed: tuple[tuple[str, str], ...]
    # Number of pairs whose intervals overlap or are unknown.
    undecided: int

    @property
    def pairs(self) -> int:
        """Number of pairs of rows with different published rates."""
        return self.agreeing + len(self.opposed) + self.undecided


def rate_order(rates: Sequence[MeasuredRate]) -> RateOrder:
    """Compare the measured and the published order of the rows that have both rates."""
    known = [
        (row.point.published, row.rate, row)
        for row in rates
        if row.point.published is not None and row.rate is not None
    ]
    agreeing, undecided, opposed = 0, 0, list[tuple[str, str]]()
    for (x, _, row), (y, _, other_row) in combinations(known, 2):
        higher, lower = (row, other_row) if x > y else (other_row, row)
        if x == y:
            continue
        if _is_above(higher, lower):
            agreeing += 1
        elif _is_above(lower, higher):
            opposed.append((higher.point.row, lower.point.row))
        else:
            undecided += 1
    published, rate = (np.array([pair[side] for pair in known], dtype=float) for side in (0, 1))
    correlation = _rank_correlation(published, rate)
    return RateOrder(len(known), correlation, agreeing, tuple(opposed), undecided)


def _is_above(row: MeasuredRate, other_row: MeasuredRate) -> bool:
    """Return True if the interval of `row` is above the interval of `other_row`."""
    if row.interval is None or other_row.interval is None:
        return False
    return row.interval.low > other_row.interval.high


def _rank_correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float | None:
    """Return Spearman's rank correlation; equal values share the mean of their ranks."""
    if len(x) < MIN_ROWS or len(set(x)) == 1 or len(set(y)) == 1:
        return None
    # Twice the rank: the number of smaller values plus the number of smaller or equal values.
    ranks = [(v[:, None] > v).sum(axis=1) + (v[:, None] >= v).sum(axis=1) for v in (x, y)]
    return float(np.corrcoef(*ranks)[0, 1])


def exhibits_csv(plan: SuitePlan, records: Iterable[Record]) -> str:
    """Return all figures of the exhibits of a plan as CSV, with empty cells for unknown values.

    `seconds` is the sum of `prepare_s` and `solve_s`. Changes are fractions of the sums of the
    base. `kept` is 1 for boards that the exhibit shows or sums. Figures of a run whose `status` is
    a limit are lower bounds. The changes of a series and their 95 % intervals are in a line without
    a board; `solve_change` is the change of processor time if all finished runs have it, otherwise
    of wall-clock time. Rates are solutions per second; the names of their rows are in the column
    `series`. For a level of an exhibit of levels, `x` is the number of pieces left; it is empty for
    the sum.
    """
    results = plan_results(plan, records)
    lines: list[Line] = []
    for exhibit in plan.exhibits:
        shown = measured(exhibit, results)
        found = (*_board_lines(shown), *_change_lines(shown), *map(_rate_line, shown.rates))
        by_level = [(_level_line(exhibit, level), level) for level in shown.levels]
        found = (*found, *(line | dict(level.measured) for line, level in by_level))
        lines += ({"exhibit": exhibit.name, "source": "measured", **line} for line in found)
        known = (line | dict(level.published) for line, level in by_level if level.published)
        published = (*_published_lines(exhibit), *known)
        lines += ({"exhibit": exhibit.name, "source": "published", **line} for line in published)
    return csv_lines([COLUMNS, *([line.get(column) for column in COLUMNS] for line in lines)])


def _board_lines(shown: Measured) -> Iterator[Line]:
    sums = shown.exhibit.kind is ExhibitType.SUMS
    kept = shown.finished_by_all() if sums else shown.finished_by_some()
    for board in shown.boards:
        for name, run in board.runs.items():
            result = run.result
            line: Line = {"board": board.puzzle, "kept": int(board in kept), "series": name}
            line |= {"status": result.status, "nodes": result.nodes}
            if result.status.has_searched:
                line |= {"prepare_s": result.prepare_s, "solve_s": result.solve_s}
                line |= {"seconds": result.total_s, "solve_cpu_s": result.solve_cpu_s}
            yield line


def _change_lines(shown: Measured) -> Iterator[Line]:
    """Yield the changes of the series of an exhibit of sums, except the base."""
    if shown.exhibit.kind is not ExhibitType.SUMS:
        return
    for summed in series_to_sum(shown):
        if summed.series.name != shown.exhibit.base and summed.runs:
            line: Line = {"series": summed.series.name}
            for name, measure in compared_measures(shown).items():
                if (change := summed.change(measure)) is not None:
                    line |= _with_ends(f"{name}_change", change.value, change.interval)
            yield line


def _rate_line(rate: MeasuredRate) -> Line:
    line: Line = {"series": rate.point.row, "x": rate.point.x}
    line |= _with_ends("rate", rate.rate, rate.interval)
    if rate.searched is not None:
        line |= {"solutions": rate.searched.found, "trials": rate.searched.begun}
    return line


def _level_line(exhibit: Exhibit, level: MeasuredLevel) -> Line:
    return {"series": None if exhibit.run is None else exhibit.run.row, "x": level.left}


def _with_ends(name: str, value: float | None, ends: Interval | RateInterval | None) -> Line:
    """Return a figure and the ends of its interval."""
    line: Line = {name: value}
    return line if ends is None else line | {f"{name}_low": ends.low, f"{name}_high": ends.high}


def _published_lines(exhibit: Exhibit) -> Iterator[Line]:
    for point in exhibit.points:
        if point.published is not None:
            yield {"series": point.row, "x": point.x, "rate": point.published}
    for series in exhibit.series:
        figures = {key: value for key, value in vars(series.published).items() if value is not None}
        if figures:
            yield {"series": series.name, **figures}
    for row in exhibit.rows:
        for name in dict.fromkeys([*row.nodes, *row.seconds]):
            nodes, seconds = row.nodes.get(name), row.seconds.get(name)
            yield {"board": row.name, "series": name, "nodes": nodes, "seconds": seconds}
