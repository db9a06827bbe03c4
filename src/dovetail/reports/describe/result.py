"""Results of counts, improvements and verifications in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.backends.registry import counts_probably, solver_label
from dovetail.errors import how_many
from dovetail.harness.run.job import Chosen, Job
from dovetail.harness.run.result import BestBoard, Parallel, Result, Searched
from dovetail.harness.sizes import about_s
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.partial_board import Objective
from dovetail.models.cover import CoverProblem, states_no_symmetries
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import AssemblyCount, PackingPuzzle
from dovetail.models.request import Symmetry
from dovetail.models.task import Puzzle
from dovetail.printable import printable
from dovetail.reports.numbers import show_count, show_rate, show_seconds, show_whole

if TYPE_CHECKING:
    from dovetail.puzzles.verification import Verification


MAX_BACKTRACKS_SHOWN = 6  # maximum number of counts shown for a trigger
# Words for the statuses of improvements.
ENDINGS = {
    Status.SOLVED: "solved",
    Status.TIME_LIMIT: "time limit",
    Status.NODE_LIMIT: "node limit",
    Status.INTERRUPTED: "interrupted",
    Status.EXHAUSTED: "nothing left to try",
}


@dataclass(frozen=True)
class SolutionNoun:
    """The noun for the solutions of a puzzle: singular and plural."""

    one: str
    many: str

    def of(self, number: int) -> str:
        """Return a number with the noun, such as `3 assemblies`."""
        return how_many(number, self.one, self.many)


SOLUTION = SolutionNoun("solution", "solutions")
ASSEMBLY = SolutionNoun("assembly", "assemblies")


def solution_noun(puzzle: Puzzle) -> SolutionNoun:
    """Return the noun for the solutions of a puzzle."""
    assembled = isinstance(puzzle, PackingPuzzle) and puzzle.assembled
    return ASSEMBLY if assembled else SOLUTION


def explained(chosen: Chosen) -> str:
    """Return the reason for a choice of `auto`, and the forecast if there is any."""
    if chosen.forecast_s is None:
        return chosen.why
    return f"{chosen.why}; forecast: {about_s(chosen.forecast_s)}"


def describe_result(job: Job, result: Result) -> str:
    """Return the lines about a count: the count and its status, then the work and the times."""
    exact = result.status == Status.EXHAUSTED
    counts_all = states_no_symmetries(job.puzzle)
    solver = solver_label(job.backend, job.config)
    if result.status == Status.SKIPPED:
        return printable(f"{job.puzzle.name}: {solver} refuses: {result.reason}")
    noun = solution_noun(job.puzzle)
    line = f"{job.puzzle.name}: {_describe_counts(job, result, noun)}"
    line += "" if exact else f" ({result.status})"
    if result.reason:
        line += f": {result.reason}"
    chosen = result.chosen
    took = [
        solver if chosen is None else chosen.backend,
        "" if result.nodes is None else how_many(result.nodes, "node"),
        f"prepare {show_seconds(result.prepare_s)}",
        f"solve {show_seconds(result.solve_s)}",
        f"check {show_seconds(result.check_s)}",
        f"{noun.of(result.verified)} verified",
    ]
    lines = [line]
    if result.disassembled is not None:
        from dovetail.reports.describe.disassembly import totals_rows

        (_, summary), *rows = totals_rows(result.disassembled)
        lines += [f"  {summary}", *(f"  {label}: {text}" for label, text in rows)]
        took.append(f"taking apart {show_seconds(result.disassembled.seconds)}")
    lines.append(f"  {', '.join(filter(None, took))}")
    if counts_all:
        lines.append("  the cover problem states no symmetries, so every solution counts")
    assembled = job.puzzle.assembled if isinstance(job.puzzle, PackingPuzzle) else None
    if assembled is not None:
        if result.disassembled is None:
            lines.append("  --disassemble examines whether assemblies can be taken apart")
        lines += _describe_recorded(job, result, assembled)
    if chosen is not None:
        lines.append(f"  {job.backend} chose {_describe_chosen(chosen, job.puzzle)}")
    if result.searched is not None:
        lines.append(f"  {_describe_searched(job, result, result.searched)}")
    if result.parallel is not None:
        lines.append(f"  {_describe_parallel(result.parallel)}")
    if job.request.reductions or (chosen is not None and chosen.reductions):
        lines.append(f"  {_describe_reductions(result)}")
    for trigger, counts in (result.counters.backtracks_by_trigger or {}).items():
        lines.append(f"  {_describe_backtracks(trigger, counts)}")
    return "\n".join(map(printable, lines))


def _describe_counts(job: Job, result: Result, noun: SolutionNoun) -> str:
    """Return the count with its convention, and the counts by other symmetries.

    If an exhausted search has no solutions, or has the same number by two conventions, the text is
    the count alone.
    """
    exact = result.status == Status.EXHAUSTED
    probable, others = counts_probably(job.backend, job.config), result.other_counts
    labelled = "labelled " if job.request.labelled else ""
    text = f"{show_count(result.count, exact, probable=probable)} {labelled}"
    text += noun.one if result.count == 1 else noun.many
    if exact and (result.count == 0 or result.count in others.values()):
        return text
    text += f" {convention(job.puzzle, job.request.symmetry)}"
    return "; ".join(
        [text]
        + [
            f"{show_count(count, exact, probable=probable)} {convention(job.puzzle, symmetry)}"
            for symmetry, count in others.items()
        ]
    )


def convention(puzzle: Puzzle, symmetry: str) -> str:
    """Return which solutions count, such as `in all` or `up to rotation`."""
    if symmetry == Symmetry.ALL:
        return "in all"
    if isinstance(puzzle, CoverProblem):
        return "up to symmetry"
    reflects = isinstance(puzzle, PackingPuzzle) and (
        symmetry == Symmetry.MIRROR or puzzle.lattice.flips
    )
    return "up to rotation and reflection" if reflects else "up to rotation"


def _describe_recorded(job: Job, result: Result, assembled: AssemblyCount) -> Iterator[str]:
    """Yield the number of assemblies that the file records, and how the number was counted.

    If the file records no number or another number, reasons for a difference follow.
    """
    recorded, count = assembled.recorded, result.count
    if recorded is not None:
        line = f"  the file records {ASSEMBLY.of(recorded)}"
        if result.status != Status.EXHAUSTED:
            yield line
        elif recorded == count:
            labelled = " --labelled" if job.request.labelled else ""
            yield f"{line}, the count by --symmetry {job.request.symmetry}{labelled}"
        else:
            yield line + _compared(job)
    if recorded is None or recorded != count:
        yield from (f"  {doubt}" for doubt in assembled.doubts)


def _compared(job: Job) -> str:
    """Return the counts by all conventions if none of them is the number in the file, else ""."""
    from dovetail.harness.parameters import comparison

    found = comparison(job.puzzle, labelled=job.request.labelled)
    if found is None or found.convention is not None:
        return ""
    counts = found.counts.items()
    exact = ", ".join(f"{count:,} {name}" for name, count in counts if count is not None)
    late = ", ".join(str(name) for name, count in counts if count is None)
    line = f", which is none of the counts {exact}" if exact else ""
    return f"{line} (too long to compare: {late})" if late else line


def _describe_chosen(chosen: Chosen, puzzle: Puzzle) -> str:
    """Return the chosen backend with its settings and reductions, and the reason."""
    what = "tile" if isinstance(puzzle, EdgePuzzle) else "piece"
    settings = [
        f"{key}={','.join(value) if isinstance(value, list) else value}"
        for key, value in chosen.config.items()
    ]
    broken = f"symmetry broken with {what} "
    reductions = [reduction.replace("redundancy=", broken) for reduction in chosen.reductions]
    with_it = "; ".join(", ".join(part) for part in (settings, reductions) if part)
    return f"{chosen.backend}{f' ({with_it})' if with_it else ''}: {explained(chosen)}"


def _describe_parallel(parallel: Parallel) -> str:
    """Return the numbers of workers and sub-problems, or why the search was not divided."""
    if parallel.why_whole is not None:
        return f"not divided: {parallel.why_whole}"
    parts = [
        f"{parallel.workers_range} {'worker' if parallel.workers == 1 else 'workers'}",
        how_many(parallel.done + parallel.cut, "sub-problem"),
        f"{parallel.redone:,} redone" if parallel.redone else "",
        f"{parallel.audited:,} audited" if parallel.audited else "",
        f"{parallel.sittings:,} sittings" if parallel.sittings > 1 else "",
        "" if parallel.same_nodes else "nodes depend on where the search was divided",
    ]
    return ", ".join(filter(None, parts))


def _describe_searched(job: Job, result: Result, searched: Searched) -> str:
    """Return the totals of several searches; for trials, also their rates of solutions."""
    noun = solution_noun(job.puzzle)
    if job.trials is None:
        kind = "search" if searched.begun == 1 else "searches"
        return f"{searched.begun:,} {kind}, {searched.with_solutions:,} with {noun.many}"
    rates = {"solve time": result.solve_s, "total time": result.total_s}
    if result.parallel is not None:  # the time of all workers together
        rates = {"processor time": searched.cpu_s or 0.0}
    shown = (
        f"{show_rate(searched.found, took_s)} per second of {time}"
        for time, took_s in rates.items()
    )
    return (
        f"{searched.begun:,} of {how_many(job.trials.count, 'trial')}, "
        f"{searched.with_solutions:,} with {noun.many}; {noun.of(searched.found)} in "
        f"all, {', '.join(shown)}"
    )


def _describe_backtracks(trigger: str, counts: Mapping[int, int]) -> str:
    """Return the number of backtracks of a trigger, by pieces remaining."""
    texts = [f"{show_whole(count)} with {pieces}" for pieces, count in counts.items() if count]
    more = ["…"] if len(texts) > MAX_BACKTRACKS_SHOWN else []
    where = ", ".join([*texts[:MAX_BACKTRACKS_SHOWN], *more])
    line = f"{trigger} trigger: {how_many(sum(counts.values()), 'backtrack')}"
    noun = "piece" if where.endswith("with 1") else "pieces"
    return f"{line} ({where} {noun} remaining)" if where else line


def _describe_reductions(result: Result) -> str:
    """Return the placements before and after reductions, and notes on duplicates and sampling."""
    left = [
        f"{show_whole(count)} {when if when == 'before' else f'after {when}'}"
        for when, count in result.placements.items()
    ]
    described = f"placements: {', '.join(left)}"
    if result.symmetry_expansion in ("canonical forms", "least forms"):
        described += "; removed the remaining symmetric duplicates by canonical form"
    if result.symmetry_expansion == "least images":
        described += "; searched only for solutions that are the least of their images"
    if (selection := result.piece_selection) is not None:
        tried = how_many(len(selection.pieces), "piece")
        described += f"; sampled {tried}, chose {selection.chosen or 'none'}"
    return described


def improved_line(job: Job, best: BestBoard) -> str:
    """Return a line about a better board: `e2: 451 of 480 after 1.2 s`."""
    seconds = show_seconds(best.trace[-1].seconds)
    return printable(f"{job.puzzle.name}: {best.score} of {best.bound} after {seconds}")


def describe_improvement(job: Job, result: Result) -> str:
    """Return the lines about an improvement: the score and the end, then the work and the time."""
    best = result.best
    assert best is not None, "an improvement has a board"
    found, left = job.objective.result_text(best.score, best.bound), best.bound - best.score
    rest = f"{left:,} do not" if job.objective is Objective.EDGES else f"{how_many(left, 'hole')}"
    found += f", {rest}" if left else ": a solution"
    last = f", last improved after {show_seconds(best.trace[-1].seconds)}" if best.trace else ""
    nodes = result.nodes or 0
    rate = show_rate(nodes, result.solve_s)
    lines = [
        f"{job.puzzle.name}: {found} ({ENDINGS.get(result.status, result.reason)})",
        f"  {job.backend}, seed {job.seed}, {show_seconds(result.solve_s)}{last}, "
        f"{how_many(nodes, 'node')} ({rate} per second)",
    ]
    if result.parallel is not None:
        parallel = result.parallel
        replaced = f", {parallel.redone:,} replaced" if parallel.redone else ""
        sittings = f", {parallel.sittings:,} sittings" if parallel.sittings > 1 else ""
        lines.append(f"  {how_many(parallel.workers, 'island')}{replaced}{sittings}")
    return "\n".join(map(printable, lines))


def describe_verification(puzzle: Puzzle, found: Verification) -> str:
    """Return the number of solutions, whether they are valid, and why solutions are wrong."""
    verdict = "all valid" if found.valid else f"{len(found.wrong)} WRONG"
    repeated = found.total - found.distinct
    again = f", {repeated} repeated" if repeated else ""
    lines = [f"{puzzle.name}: {solution_noun(puzzle).of(found.total)}{again}, {verdict}"]
    for wrong in found.wrong:
        where = f"solution {wrong.number}" if wrong.line is None else f"{found.file}:{wrong.line}"
        lines.append(f"  {where}: {wrong.reason}")
    return "\n".join(map(printable, lines))
