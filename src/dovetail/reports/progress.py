"""The progress of a run or a bench, in two lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from dovetail.errors import how_many
from dovetail.harness.confidence import Interval
from dovetail.harness.progress.run_progress import Fields
from dovetail.models.task import Puzzle
from dovetail.reports.describe_search import show_interval, show_mean
from dovetail.reports.numbers import show_rounded, show_span, show_spans
from dovetail.reports.solution_noun import SOLUTION, SolutionNoun, solution_noun
from dovetail.reports.terminal import plain_text

BAR_WIDTH = 24
MAX_NAMED = 3  # runs side by side
MAX_WORKERS = 8  # with a line each


def progress_lines(fields: Fields, puzzle: Puzzle | None = None) -> RenderableType:
    """Return the lines that show the progress with these fields, of a run those of its `puzzle`."""
    if "planned" in fields:
        return _bench_lines(fields)
    return _run_lines(fields, SOLUTION if puzzle is None else solution_noun(puzzle))


def _run_lines(fields: Fields, noun: SolutionNoun) -> RenderableType:
    """Return the lines of a run: its puzzle, backend, phase and share, then the figures."""
    share = fields["share"]
    figures = [_elapsed(fields), *_left(fields)]
    if fields["count"] is not None:
        figures.append(f"{noun.of(fields['count'])} so far")
    if fields["nodes"] is not None:
        figures.append(how_many(fields["nodes"], "node"))
    if fields["estimate"] is not None:
        estimate = show_interval(Interval(**fields["estimate"]), show_mean)
        figures.append(f"{estimate} nodes expected")
    if fields["nodes_per_s"] is not None:
        figures.append(f"{show_rounded(fields['nodes_per_s'])} nodes/s")
    title = f"{fields['puzzle']}, {fields['backend']}: {fields['phase']}"
    lines = _two_lines(title, share, "" if share is None else f"{share:.1%}", figures)
    return Group(lines, *_worker_lines(fields.get("parallel")))


def _worker_lines(parallel: Fields | None) -> Iterator[RenderableType]:
    """Yield the state of the sub-problems of a run on several workers, and what each one does."""
    if parallel is None:
        return
    totals = parallel["totals"]
    parts = [f"{totals[name]:,} {name}" for name in ("done", "cut", "redone", "audited")]
    yield _text(f"sub-problems: {parallel['waiting']:,} waiting, {', '.join(parts)}", "dim")
    for worker in parallel["running"][:MAX_WORKERS]:
        rate = worker["nodes"] / worker["since_s"] if worker["since_s"] > 0 else 0.0
        yield _text(
            f"{worker['name']}: sub-problem {worker['key']}, {show_span(worker['since_s'])}, "
            f"{show_rounded(rate)} nodes/s",
            "dim",
        )
    more = len(parallel["running"]) - MAX_WORKERS
    if more > 0:
        yield _text(f"and {more:,} more workers", "dim")


def _bench_lines(fields: Fields) -> RenderableType:
    """A bench: how many runs are done and which are under way, then the figures."""
    done, planned = fields["done"], fields["planned"]
    figures = [_elapsed(fields), *_left(fields)]
    if fields["failed"]:
        figures.append(f"{fields['failed']} FAILED")
    share = done / planned if planned else None
    return _two_lines(_bench_title(fields), share, f"{done} of {planned} runs", figures)


def _bench_title(fields: Fields) -> str:
    """Return the names of the runs under way, or a word where there are none."""
    if fields["phase"] == "ended":
        return "finished" if fields["done"] == fields["planned"] else "stopped"
    names = [f"{run['puzzle']}, {run['backend']}" for run in fields["running"]]
    more = [f"{len(names) - MAX_NAMED} more"] if len(names) > MAX_NAMED else []
    return "; ".join([*names[:MAX_NAMED], *more]) or "starting"


def _elapsed(fields: Fields) -> str:
    return show_span(fields["elapsed_s"])


def _left(fields: Fields) -> list[str]:
    """The range that is left, where there is one."""
    if fields["left_s"] is None:
        return []
    return [f"{show_spans(*fields['left_s'])} left"]


def _two_lines(title: str, share: float | None, figure: str, figures: list[str]) -> RenderableType:
    first = Table.grid(padding=(0, 1))
    first.add_column(no_wrap=True, overflow="ellipsis")
    if share is None:
        first.add_row(_text(title))
    else:
        first.add_column(width=BAR_WIDTH)
        first.add_column(no_wrap=True)
        bar = ProgressBar(total=1.0, completed=share, width=BAR_WIDTH)
        first.add_row(_text(title), bar, _text(figure))
    return Group(first, _text(", ".join(figures), "dim"))


def _text(text: str, style: str = "") -> Text:
    """Text that is cut where the line ends."""
    line = plain_text(text, style)
    line.no_wrap, line.overflow = True, "ellipsis"
    return line
