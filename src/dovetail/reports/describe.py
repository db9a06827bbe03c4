"""Puzzles and results in words and text pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dovetail.backends.registry import counts_probably, solver_label
from dovetail.errors import PuzzleError, how_many
from dovetail.harness.run.events import Chosen, Finished, Parallel, Searched
from dovetail.harness.run.job import Job
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle, Tile, canonical_turn
from dovetail.models.frame import class_of_tile
from dovetail.models.lattice import Cell, Cells, Lattice
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.task import Puzzle
from dovetail.models.text_drawing import OPTIONAL, OUTSIDE, draw_cells
from dovetail.printable import printable
from dovetail.reports.numbers import show_count, show_rate, show_seconds, show_whole
from dovetail.reports.pictures.motifs import paint_numbers
from dovetail.reports.pictures.paint import PLAIN, Paint
from dovetail.reports.pictures.palette import GREY, PIECES

MAX_OPTIONS_SHOWN = 12


MAX_BACKTRACKS_SHOWN = 6  # of one trigger


def describe_puzzle(puzzle: Puzzle, paint: Paint = PLAIN) -> str:
    """What a puzzle is: its region and pieces, its board and tiles, or its items and options."""
    match puzzle:
        case PackingPuzzle():
            return _describe_packing(puzzle, paint)
        case EdgePuzzle():
            return _describe_edges(puzzle, paint)
        case CoverProblem():
            return _describe_cover(puzzle)


def headline(puzzle: Puzzle) -> str:
    """What a puzzle is, in one line."""
    match puzzle:
        case PackingPuzzle():
            return (
                f"{puzzle.name}: {len(puzzle.pieces)} "
                f"{'kind' if len(puzzle.pieces) == 1 else 'kinds'} of piece, "
                f"{how_many(len(puzzle.open_cells), 'open cell')} {puzzle.lattice.phrase}, "
                f"digest {puzzle.digest}"
            )
        case EdgePuzzle():
            colours = {abs(colour) for tile in puzzle.tiles for colour in tile}
            hints = len(puzzle.hints)
            return (
                f"{puzzle.name}: {puzzle.width} wide, {puzzle.height} high, "
                f"{how_many(len(colours), 'colour')} including the frame's, "
                f"{how_many(hints, 'hint')}, "
                f"{'signed colours, ' if puzzle.signed else ''}digest {puzzle.digest}"
            )
        case CoverProblem():
            return (
                f"{puzzle.name}: {puzzle.primary_count} primary and "
                f"{how_many(puzzle.item_count - puzzle.primary_count, 'secondary item')}, "
                f"{how_many(puzzle.option_count, 'option')}, {len(puzzle.symmetries)} "
                f"{'symmetry' if len(puzzle.symmetries) == 1 else 'symmetries'}, "
                f"digest {puzzle.digest}"
            )


def piece_title(piece: Piece) -> str:
    """A piece's name and size, how it may be turned and how often it is used."""
    times = (
        str(piece.min_count)
        if piece.min_count == piece.max_count
        else f"{piece.min_count} to {piece.max_count}"
    )
    title = f"{piece.name}: {how_many(len(piece.cells), 'cell')}, {piece.motions}"
    if (piece.min_count, piece.max_count) != (1, 1):
        title += f", used {times} times"
    if piece.placements is not None:
        title += f", only in {how_many(len(piece.placements), 'listed place')}"
    return title


def describe_result(job: Job, finished: Finished) -> str:
    """One or two lines: the count, what it is worth, and what it took."""
    outcome = finished.outcome
    exact = outcome.status == Status.EXHAUSTED
    kind = "" if job.request.symmetry == "all" else f"{job.request.symmetry} "
    kind += "labelled " if job.request.labelled else ""
    solver = solver_label(job.backend, job.config)
    if outcome.status == Status.SKIPPED:
        return f"{job.puzzle.name}: {solver} refuses: {outcome.reason}"
    count = show_count(outcome.count, exact, probable=counts_probably(job.backend, job.config))
    status = "" if exact else f" ({outcome.status})"
    noun = "solution" if outcome.count == 1 else "solutions"
    line = f"{job.puzzle.name}: {count} {kind}{noun}{status}"
    if outcome.reason:
        line += f": {outcome.reason}"
    nodes = outcome.counters.nodes
    chosen = finished.chosen
    took = [
        solver if chosen is None else chosen.backend,
        "" if nodes is None else how_many(nodes, "node"),
        f"prepare {show_seconds(finished.prepare_s)}",
        f"solve {show_seconds(finished.solve_s)}",
        f"check {show_seconds(finished.check_s)}",
        f"{how_many(finished.verified, 'solution')} verified",
    ]
    lines = [line, f"  {', '.join(part for part in took if part)}"]
    if chosen is not None:
        lines.append(f"  {job.backend} chose {_describe_chosen(chosen, job.puzzle)}")
    if finished.searched is not None:
        lines.append(f"  {_describe_searched(job, finished, finished.searched)}")
    if finished.parallel is not None:
        lines.append(f"  {_describe_parallel(finished.parallel)}")
    if job.request.reductions or (chosen is not None and chosen.reductions):
        lines.append(f"  {_describe_reductions(finished)}")
    for trigger, counts in (outcome.counters.backtracks_by_trigger or {}).items():
        lines.append(f"  {_describe_backtracks(trigger, counts)}")
    return "\n".join(lines)


def _describe_chosen(chosen: Chosen, puzzle: Puzzle) -> str:
    """A backend with its config and the reductions of the request, and why."""
    what = "tile" if isinstance(puzzle, EdgePuzzle) else "piece"
    settings = [
        f"{key}={','.join(value) if isinstance(value, list) else value}"
        for key, value in chosen.config.items()
    ]
    broken = f"symmetry broken with {what} "
    reductions = [reduction.replace("redundancy=", broken) for reduction in chosen.reductions]
    with_it = "; ".join(", ".join(part) for part in (settings, reductions) if part)
    return f"{chosen.backend}{f' ({with_it})' if with_it else ''}: {chosen.why}"


def _describe_parallel(parallel: Parallel) -> str:
    """The workers, and what became of the sub-problems."""
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
    return ", ".join(part for part in parts if part)


def _describe_searched(job: Job, finished: Finished, searched: Searched) -> str:
    """What several searches found, and for trials how fast."""
    if job.trials is None:
        kind = "search" if searched.begun == 1 else "searches"
        return f"{searched.begun:,} {kind}, {searched.with_solutions:,} with solutions"
    solving, whole = finished.solve_s, finished.prepare_s + finished.solve_s
    return (
        f"{searched.begun:,} of {how_many(job.trials.count, 'trial')}, "
        f"{searched.with_solutions:,} with solutions; {how_many(searched.found, 'solution')} in "
        f"all, {show_rate(searched.found, solving)} per second of solve time, "
        f"{show_rate(searched.found, whole)} per second of total time"
    )


def _describe_backtracks(trigger: str, counts: Mapping[int, int]) -> str:
    """How often a trigger took a placement back, and with how many pieces remaining."""
    texts = [f"{show_whole(count)} with {left}" for left, count in counts.items() if count]
    where = ", ".join(
        texts if len(texts) <= MAX_BACKTRACKS_SHOWN else [*texts[:MAX_BACKTRACKS_SHOWN], "…"]
    )
    line = f"{trigger} trigger: {how_many(sum(counts.values()), 'backtrack')}"
    noun = "piece" if where.endswith("with 1") else "pieces"
    return f"{line} ({where} {noun} remaining)" if where else line


def _describe_reductions(finished: Finished) -> str:
    """How many placements were left, and what had to be done afterwards."""
    left = [
        f"{show_whole(count)} {when if when == 'before' else f'after {when}'}"
        for when, count in finished.placements.items()
    ]
    described = f"placements: {', '.join(left)}"
    if finished.symmetry_expansion in ("canonical forms", "least forms"):
        described += "; removed the remaining symmetric duplicates by canonical form"
    if finished.piece_selection is not None:
        tried = len(finished.piece_selection.pieces)
        chosen = finished.piece_selection.chosen or "none"
        described += f"; sampled {how_many(tried, 'piece')}, chose {chosen}"
    return described


def _describe_packing(puzzle: PackingPuzzle, paint: Paint) -> str:
    lines = [printable(headline(puzzle))]
    if puzzle.optional:
        cells = how_many(len(puzzle.optional), "cell")
        lines.append(f"{cells} may stay empty (marked {OPTIONAL})")
    labels = dict.fromkeys(puzzle.optional, OPTIONAL)
    for fixed in puzzle.fixed:
        labels |= dict.fromkeys(fixed.cells, printable(fixed.name))
    region = _picture(puzzle.lattice, labels, puzzle.region)
    if region is None:
        lines.append(f"within {_extent(puzzle.region)} along x, y, …")
    else:
        greyed = {printable(piece.name): GREY for piece in puzzle.fixed}
        lines += ["", paint.labels(region, greyed)]
    for number, piece in enumerate(puzzle.pieces):
        lines += ["", printable(piece_title(piece))]
        drawing = _picture(puzzle.lattice, dict.fromkeys(piece.cells, "#"), piece.cells)
        if drawing is None:
            lines.append(" ".join(map(str, piece.cells)))
        else:
            drawing = paint.labels(drawing, {"#": number % PIECES})
            lines.append(drawing.replace(OUTSIDE, " "))
    return "\n".join(lines)


def _picture(lattice: Lattice, labels: Mapping[Cell, str], cells: Cells) -> str | None:
    """The cells in layered text, None where that cannot show the lattice."""
    try:
        return draw_cells(lattice, labels, cells)
    except PuzzleError:
        return None


def _extent(cells: Cells) -> str:
    """How long the box around `cells` is along each axis."""
    axes = zip(*cells, strict=True)
    return " x ".join(str(max(along) - min(along) + 1) for along in axes)


def _describe_edges(puzzle: EdgePuzzle, paint: Paint) -> str:
    lines = [
        printable(headline(puzzle)),
        "",
        "tile: top right bottom left",
        *_tile_lines(puzzle, paint),
    ]
    for hint in puzzle.hints:
        lines.append(
            f"hint: tile {hint.tile} with rotation {hint.rotation} at ({hint.x}, {hint.y})"
        )
    return "\n".join(lines)


def _tile_lines(puzzle: EdgePuzzle, paint: Paint) -> Iterator[str]:
    """Each tile with its kind and, where it has one, the first of the tiles it is identical to."""
    width = max(len(str(colour)) for tile in puzzle.tiles for colour in tile)
    first: dict[Tile, int] = {}
    paints = paint_numbers(puzzle)
    for number, tile in enumerate(puzzle.tiles):
        twin = first.setdefault(canonical_turn(tile), number)
        sides = " ".join(
            paint.word(str(colour).rjust(width), paints[abs(colour)]) for colour in tile
        )
        same = f", identical to {twin}" if twin != number else ""
        yield f"{number:4}: {sides}  {class_of_tile(tile)}{same}"


def _describe_cover(puzzle: CoverProblem) -> str:
    lines = [printable(headline(puzzle)), ""]
    for option in range(min(MAX_OPTIONS_SHOWN, puzzle.option_count)):
        name = f" ({puzzle.option_names[option]})" if puzzle.option_names else ""
        members = (m if isinstance(m, str) else f"{m[0]}={m[1]}" for m in puzzle.members(option))
        lines.append(printable(f"option {option}{name}: {'; '.join(members)}"))
    if puzzle.option_count > MAX_OPTIONS_SHOWN:
        lines.append(f"… and {puzzle.option_count - MAX_OPTIONS_SHOWN} more")
    return "\n".join(lines)
