"""Estimates of variants of the search of OP3 and OP4 (Busche 2018, table 1).

Run `python -m benchmarks.op3_variants [-w WIDTH] [-v VARIANT]...`. The search begins with
the cell of fewest options, as `dlx` does, and fills the first open cell from 17 pieces left on, as
`fila` does. Each variant changes one or two rules. From each level of the tree a systematic sample
of `WIDTH` nodes goes on. A line for each variant: placements made, their standard error over 4
rounds, and attempts by placement without and with NOF. `base` is the control: exact are 15.059 G,
6.430 and 2.869.

Source: P. Chen, "Heuristic sampling", 1992, with one stratum for each level.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from dovetail.models.packings.placements import Placements, cell_masks
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load

NAME, REDUCE = "one-sided-pentominoes-5x18", ("redundancy:one-sided", "volume")
FIRST, NEIGHBOURS_FITS, FITS, NO_FIT = range(4)  # how a cell is picked from `loose_from` on
SEEDS = range(4)
ZERO, ONE = np.uint64(0), np.uint64(1)
HANDED, BY_FILA, COLUMNS = 2, 4, 5  # of a node: a board, the one at the hand-over, whether it was
kernel: Callable[[Any], Any] = numba.njit


class Rules(NamedTuple):
    """A variant. `dlx` picks the first open cell unless a cell or piece has 0 or 1 options.

    Lists of cells from `loose_from` on keep images that cover lower cells from `loose_from` on.
    """

    fila_from: int = 17  # pieces left
    least: int = 2  # options of every cell and piece at the hand-over, 0: it does not look
    fewest: bool = False  # until then `dlx` picks the cell or piece with fewest options
    loose_from: int = 90
    picked_by: int = FIRST  # how a cell is picked among those from `loose_from` on


VARIANTS = {
    "base": Rules(),
    **{f"hand-over at {n} options or more": Rules(least=n) for n in (0, 3, 4)},
    **{f"fila from {n}": Rules(n) for n in (16, 15, 14, 13, 12)},
    **{f"dlx by s, fila from {n}": Rules(n, fewest=True) for n in (16, 15, 14, 13, 12)},
    **{f"loose from {n}": Rules(loose_from=n) for n in (62, 63, 64)},
    **{f"fila from {n}, loose from 63": Rules(n, loose_from=63) for n in (16, 13, 12)},
    **{f"e from cell {n}": Rules(loose_from=n, picked_by=NEIGHBOURS_FITS) for n in (63, 64)},
    **{f"s from cell {n}": Rules(loose_from=n, picked_by=FITS) for n in (63, 64)},
    **{f"no fit first from cell {n}": Rules(loose_from=n, picked_by=NO_FIT) for n in (63, 64)},
}


class Tables(NamedTuple):
    """Images as masks of two words. Items are cells, then shapes: one bit each.

    `start` and `image` list the images of each item, `near` has the neighbours of each cell.
    """

    masks: NDArray[np.uint64]
    first: NDArray[np.int32]
    start: NDArray[np.int64]
    image: NDArray[np.int64]
    near: NDArray[np.uint64]


def tables(placements: Placements) -> Tables:
    """Return the tables of a puzzle of at most 128 cells and shapes."""
    cells, count = placements.cells, placements.cell_count
    items = np.hstack([cells, count + placements.shape[:, None]])
    order = np.argsort(items.ravel(), kind="stable")
    ends = np.arange(count + len(placements.shapes) + 1)
    start, image = np.searchsorted(items.ravel()[order], ends), order // items.shape[1]
    near = cell_masks(placements.neighbours, 128)
    return Tables(cell_masks(items, 128), cells.min(axis=1), start, image, near)


@kernel
def meets(a: Any, b: Any) -> Any:
    return ((a[0] & b[0]) | (a[1] & b[1])) != ZERO


@kernel
def is_set(words: Any, bit: int) -> Any:
    return (words[bit >> 6] >> np.uint64(bit & 63)) & ONE != ZERO


@kernel
def options(t: Any, node: Any, item: int, most: int) -> int:
    """Count the images of an item that fit, up to `most`."""
    found = 0
    for at in range(t.start[item], t.start[item + 1]):
        found += not meets(t.masks[t.image[at]], node)
        if found == most:
            break
    return found


@kernel
def fewest_options(t: Any, node: Any) -> tuple[int, int]:
    """Return the first item with fewest options, and their number."""
    best, least = -1, 1 << 30
    for item in range(len(t.start) - 1):
        if not is_set(node, item):
            found = options(t, node, item, least)
            if found < least:
                best, least = item, found
    return best, least


@kernel
def cell_to_fill(t: Any, node: Any, rules: Any) -> int:
    """Return the cell that FILA fills."""
    cell = 0
    while is_set(node, cell):
        cell += 1
    best, least = cell, 1 << 30
    if cell >= rules.loose_from and rules.picked_by != FIRST:
        for other in range(cell, len(t.near)):
            if not is_set(node, other):
                size = options(t, node, other, 1 if rules.picked_by == NO_FIT else 1000)
                for near in range(len(t.near) if rules.picked_by == NEIGHBOURS_FITS else 0):
                    size += 1000 * (is_set(t.near[other], near) and not is_set(node, near))
                if size < least:
                    best, least = other, size
    return best


@kernel
def expand(t: Any, rules: Any, nodes: Any, left: int, children: Any, attempts: Any) -> int:
    """Write the children of all nodes, and add the attempts without and with NOF."""
    made, cells = 0, len(t.near)
    for node in nodes:
        item, before = -1, made
        if node[BY_FILA] == ZERO:
            item, least = fewest_options(t, node)
            if least == 0 < rules.least:
                continue
            if left <= rules.fila_from and least >= rules.least:
                node[BY_FILA], node[HANDED], node[HANDED + 1] = ONE, node[0], node[1]
            elif least > 1 and left <= 17 and not rules.fewest:
                item = cell_to_fill(t, node, rules)
        by_fila = node[BY_FILA] == ONE
        if by_fila:
            item = cell_to_fill(t, node, rules)
        lowest, near = min(item, rules.loose_from), t.near[min(item, cells - 1)]
        for at in range(t.start[item], t.start[item + 1]):
            mask = t.masks[t.image[at]]
            used = (mask[1] & node[1]) >> np.uint64(cells - 64) != ZERO
            listed = by_fila and not used and t.first[t.image[at]] >= lowest
            if listed and not meets(mask, node[HANDED:]):
                filled = (mask[0] & near[0] & node[0]) | (mask[1] & near[1] & node[1])
                attempts[0] += 1
                attempts[1] += filled == ZERO
            if not meets(mask, node):
                children[made] = node
                children[made, 0] |= mask[0]
                children[made, 1] |= mask[1]
                made += 1
        if not by_fila:
            attempts += made - before
    return made


def estimate(t: Tables, rules: Rules, width: int, seed: int) -> NDArray[np.float64]:
    """Return an estimate of the placements made, and of the attempts without and with NOF."""
    random = np.random.default_rng(seed)
    nodes = np.zeros((1, COLUMNS), dtype=np.uint64)
    children = np.zeros((16 * width, COLUMNS), dtype=np.uint64)
    total, weight = np.zeros(3), 1.0
    for left in range(len(t.start) - 1 - len(t.near), 0, -1):
        attempts = np.zeros(2, dtype=np.int64)
        made = expand(t, rules, nodes, left, children, attempts)
        total += weight * np.array([made, *attempts])
        step = max(1.0, made / width)
        chosen = (step * (random.random() + np.arange(int(made / step)))).astype(np.int64)
        nodes = children[np.minimum(chosen, made - 1) if step > 1 else np.arange(made)]
        weight *= step
    return total


def main() -> None:
    """Print a line for each variant."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-w", "--width", type=int, default=50_000)
    parser.add_argument("-v", "--variant", action="append", choices=VARIANTS)
    given = parser.parse_args()
    request = Request(Symmetry.UNIQUE, reductions=tuple(map(Reduction.parse, REDUCE)))
    placements = build_task(load(NAME), request).placements
    assert placements is not None
    table = tables(placements)
    for name in given.variant or VARIANTS:
        found = np.array([estimate(table, VARIANTS[name], given.width, seed) for seed in SEEDS])
        fits, without, with_nof = found.mean(axis=0)
        error = found[:, 0].std(ddof=1) / len(SEEDS) ** 0.5
        attempts = f"{without / fits:.3f} / {with_nof / fits:.3f}"
        print(f"{name}: {fits / 1e9:.3f} G ± {error / 1e9:.3f}; {attempts}", flush=True)


if __name__ == "__main__":
    main()
