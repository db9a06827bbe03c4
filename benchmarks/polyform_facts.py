"""Published counts of polyforms beside those of a backend, each under a limit: a table.

    python benchmarks/polyform_facts.py FACTS.json [-b BACKEND] [--time-limit S] [--only TEXT]

FACTS.json has `puzzles`, each with `name`, `lattice`, `one_sided`, `region`, `pieces` (one hand of
each) and `unique`. Prints a row per puzzle: published and counted solutions up to symmetry, their
ratio, nodes and seconds of processor time; then how many match. Exit status 1 if one differs.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dovetail.harness.run.job import Job, Limits
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece
from dovetail.models.request import Reduction, Request, Symmetry


def fact_puzzle(fact: Mapping[str, Any]) -> PackingPuzzle:
    """The puzzle of a published count; one-sided sets get the other hand of every chiral piece."""
    lattice = lattice_named(fact["lattice"])
    motions = Motions.ONE_SIDED if fact["one_sided"] else Motions.FREE
    pieces = []
    for name, rows in fact["pieces"].items():
        cells = tuple(map(tuple, rows))
        pieces.append(Piece(name, cells, motions=motions))
        turned = set(lattice.orientations(cells, reflections=False))
        mirrored = [
            one for one in lattice.orientations(cells, reflections=True) if one not in turned
        ]
        if fact["one_sided"] and mirrored:
            pieces.append(Piece(f"{name}'", mirrored[0], motions=motions))
    region = tuple(map(tuple, fact["region"]))
    return PackingPuzzle(fact["name"], lattice, region, tuple(pieces))


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("facts", type=Path)
    parser.add_argument("-b", "--backend", default="bitset")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds per puzzle")
    parser.add_argument("--only", default="", help="puzzles with this in their names")
    arguments = parser.parse_args()
    facts = json.loads(arguments.facts.read_text(encoding="utf-8"))["puzzles"]
    print("| puzzle | lattice | cells | pieces | published | counted | ratio | nodes | seconds |")
    print("|---|---|---|---|---|---|---|---|---|")
    matching = different = cut = refused = 0
    for fact in facts:
        if arguments.only not in fact["name"]:
            continue
        puzzle = fact_puzzle(fact)
        request = Request(Symmetry.UNIQUE, reductions=(Reduction.parse("redundancy"),))
        limits = Limits(time_s=arguments.time_limit)
        begun = time.process_time()
        done = finish(execute(Job(puzzle, request, arguments.backend, limits=limits)))
        seconds = time.process_time() - begun
        published, whole = fact["unique"], done.status == Status.EXHAUSTED
        matching += whole and done.count == published
        different += whole and done.count != published
        refused += done.status == Status.SKIPPED
        cut += not whole and done.status != Status.SKIPPED
        ratio = f"{done.count / published:.3f}" if published and done.count is not None else "-"
        bound = "" if whole else f"{done.status}: ≥ "
        counted = f"{bound}{done.count:,}" if done.count is not None else str(done.status)
        print(
            f"| {fact['name']} | {fact['lattice']} | {len(puzzle.region)} | {len(puzzle.pieces)} "
            f"| {published:,} | {counted} | {ratio} | {done.nodes or 0:,} | {seconds:.1f} |",
            flush=True,
        )
    print(f"\n{matching} match, {different} differ, {cut} were cut, {refused} refused.")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
