"""What the kernels and those who call them agree on: arrays by name."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Board(NamedTuple):
    """What `expand` fills: c cells, in the order of their numbers, by m moves.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `first_move` | (c + 1,) | int64 | moves whose lowest cell is v: from `first_move[v]` on |
    | `mask` | (m + 8,) | uint64 | the cells of a move, bit 0 the lowest one; eight of none |
    | `size` | (m,) | int64 | how many they are |
    | `optional` | (c,) | uint8 | whether a cell may stay empty |
    | `open_ended` | (c,) | uint8 | whether a part with it may have any volume |
    | `up`, `down` | (c,) | uint64 | neighbours: bit k is cell v + k; bit 63 − k is cell v − k |
    | `fillable` | (c + 1,) | uint8 | volumes that some pieces have together |
    """

    first_move: NDArray[np.int64]
    mask: NDArray[np.uint64]
    size: NDArray[np.int64]
    optional: NDArray[np.uint8]
    open_ended: NDArray[np.uint8]
    up: NDArray[np.uint64]
    down: NDArray[np.uint64]
    fillable: NDArray[np.uint8]


class Nodes(NamedTuple):
    """The nodes found so far, with room for n; the board has c cells.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `area`, `window` | (n,) | int32, uint64 | the nodes, in the order of finding |
    | `next_in_area`, `first_in_area` | (n,), (c + 1,) | int32 | lists of those to be expanded |
    | `table` | (2**k,) | int32 | the numbers of nodes by hash, −1 where there is none |
    """

    area: NDArray[np.int32]
    window: NDArray[np.uint64]
    next_in_area: NDArray[np.int32]
    first_in_area: NDArray[np.int32]
    table: NDArray[np.int32]


class Expanded(NamedTuple):
    """The nodes expanded so far, with room for n, and their edges, with room for e.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `order` | (n,) | int32 | the nodes that were expanded, in that order |
    | `first_edge` | (n + 1,) | int64 | the first edge of each of them, in that order |
    | `accepting` | (n,) | uint8 | of each of them, whether the board may be left like this |
    | `to`, `move` | (e,) | int32 | the node that an edge reaches and the move that reaches it |
    """

    order: NDArray[np.int32]
    first_edge: NDArray[np.int64]
    accepting: NDArray[np.uint8]
    to: NDArray[np.int32]
    move: NDArray[np.int32]


class Trimmed(NamedTuple):
    """The useful nodes alone, n of them, and the e edges between them.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `first_edge` | (n + 1,) | int64 | edges of node v: from `first_edge[v]` on |
    | `to`, `move` | (e,) | int32 | where an edge leads, and the move it makes |
    | `accepting` | (n,) | uint8 | whether the board may be left like this |
    | `before`, `behind` | (n,) | uint64 | shapes used on the ways to a node, and on those behind |
    """

    first_edge: NDArray[np.int64]
    to: NDArray[np.int32]
    move: NDArray[np.int32]
    accepting: NDArray[np.uint8]
    before: NDArray[np.uint64]
    behind: NDArray[np.uint64]


class ClassUses(NamedTuple):
    """What k classes of moves use and fill.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `first` | (k + 1,) | int64 | where the uses of each class begin |
    | `shape`, `times` | (u,) | int64, uint64 | a shape that it uses, and how often |
    | `packed` | (k,) | uint64 | what it adds to a set |
    | `bars` | (k,) | uint64 | sets that have any of these bits do not leave what it uses |
    | `many` | (k,) | uint8 | whether it uses a shape that is used several times |
    | `volume` | (k,) | int64 | how many cells it fills, at least |
    """

    first: NDArray[np.int64]
    shape: NDArray[np.int64]
    times: NDArray[np.uint64]
    packed: NDArray[np.uint64]
    bars: NDArray[np.uint64]
    many: NDArray[np.uint8]
    volume: NDArray[np.int64]


class ShapeBits(NamedTuple):
    """Where each shape is in a packed set, and how often it is used; all (shapes,), uint64.

    | array | meaning |
    |---|---|
    | `shift`, `digit` | the bits of a shape: how far up they are, and as many ones |
    | `min_count`, `max_count` | how often it is used |
    """

    shift: NDArray[np.uint64]
    digit: NDArray[np.uint64]
    min_count: NDArray[np.uint64]
    max_count: NDArray[np.uint64]


class MadeSets(NamedTuple):
    """Sets as `next_sets` makes them.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `packed`, `volume` | (room,) | uint64, int64 | the sets made so far, and their volumes |
    | `progress` | (2,) | int64 | which set is to be gone on with, and how many are made |
    """

    packed: NDArray[np.uint64]
    volume: NDArray[np.int64]
    progress: NDArray[np.int64]


class AboutSets(NamedTuple):
    """What each set of a layer is.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `complete` | (s,) | uint8 | whether a set may be all that is used |
    | `lacking`, `present` | (s,) | uint64 | shapes still to be used, and those used, as bits |
    """

    complete: NDArray[np.uint8]
    lacking: NDArray[np.uint64]
    present: NDArray[np.uint64]


class Links(NamedTuple):
    """The moves between the sets of two layers, grouped by one of the two sets.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `first` | (s + 1,) | int64 | where the links of each set begin |
    | `end`, `move_class` | (l,) | int32 | the set at the other end, and the class of move between |
    """

    first: NDArray[np.int64]
    end: NDArray[np.int32]
    move_class: NDArray[np.int32]


class Edges(NamedTuple):
    """Edges of the automaton by the node at one of their ends.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `first` | (n + 1,) | int64 | where the edges of each node begin |
    | `end`, `move` | (e,) | int32 | the node at the other end, and the move between |
    """

    first: NDArray[np.int64]
    end: NDArray[np.int32]
    move: NDArray[np.int32]


class NodeRange(NamedTuple):
    """The nodes from `low` to `high` − 1, which edges leave, or, `by_target`, which they reach.

    Then edges of nodes from `reach` on are looked at.
    """

    low: int
    high: int
    by_target: bool
    reach: int


class EdgesByClass(NamedTuple):
    """Edges by class of move and by the node at one of their ends; p pairs of these have edges.

    Node v is bit (v − `low`) % 64 of word (v − `low`) // 64 of its class, which has `words` words.

    | field | shape | dtype | meaning |
    |---|---|---|---|
    | `low`, `words` | () | int64 | the first of these nodes, and the words of a class |
    | `present` | (k · `words`,) | uint64 | the nodes that have edges of each class, as bits |
    | `before` | (k · `words`,) | int64 | how many pairs lie before those of a word |
    | `only` | (p,) | int32 | the node at the other end of the only edge of a pair; ~v if it has
    several |
    | `several` | (s,) | int32 | from entry v on, how many they are and the nodes at their ends |
    | `min_end`, `max_end` | () | int64 | the least and the largest of these that a layer's nodes
    have, or 0 and −1 |
    """

    low: int
    words: int
    present: NDArray[np.uint64]
    before: NDArray[np.int64]
    only: NDArray[np.int32]
    several: NDArray[np.int32]
    min_end: int = 0
    max_end: int = -1


class Layer(NamedTuple):
    """The states of s sets; those of set i are from `run[i]` to `run[i + 1]`, ascending by node.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `run` | (s + 1,) | int64 | where the states of each set begin |
    | `node` | (x,) | int32 | the node of the automaton |
    | `ways` | (x,) | uint64 | how many ways lead to the state |
    """

    run: NDArray[np.int64]
    node: NDArray[np.int32]
    ways: NDArray[np.uint64]


class Transition(NamedTuple):
    """What leads from the states of one layer to the next one.

    `links` are those of the sets of the next layer, `edges` those of the nodes of `states`, and
    `weight`, (k,), uint64, how many times a move of a class counts. Ways are counted modulo
    `modulus`; modulo 2**64 if that is 0.
    """

    links: Links
    edges: EdgesByClass
    states: Layer
    weight: NDArray[np.uint64]
    modulus: np.uint64


class Meeting(NamedTuple):
    """Where the two sides meet: from the near side's last layer to the far side's, `behind` it."""

    transition: Transition
    behind: Layer


class Pruning(NamedTuple):
    """Which states are kept: those where all shapes wanted are possible.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `wanted` | (t,) | uint64 | the shapes that every state of a set must have possible |
    | `possible` | (n,) | uint64 | the shapes that are possible at a node |
    """

    wanted: NDArray[np.uint64]
    possible: NDArray[np.uint64]


class Endings(NamedTuple):
    """States that no link leads to.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `complete` | (t,) | uint8 | whether a set may be all that is used |
    | `accepting` | (a,) | int32 | nodes that are a way of their own in such a set |
    """

    complete: NDArray[np.uint8]
    accepting: NDArray[np.int32]


class Joined(NamedTuple):
    """The ways through each of the sets of a layer, modulo a word or a prime, and about how many.

    | array | shape | dtype |
    |---|---|---|
    | `ways` | (sets,) | uint64 |
    | `roughly` | (sets,) | float64 |
    """

    ways: NDArray[np.uint64]
    roughly: NDArray[np.float64]


class Scratch(NamedTuple):
    """What a kernel needs room for while it gathers a set: all 0 before and after, for n nodes.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `sums` | (n,) | uint64 | ways to a node |
    | `touched` | (w = ceil(n / 64),) | uint64 | the nodes that have a sum, as bits |
    | `groups` | (ceil(w / 64),) | uint64 | the words of `touched` that are not 0, as bits |
    """

    sums: NDArray[np.uint64]
    touched: NDArray[np.uint64]
    groups: NDArray[np.uint64]


class AllSets(NamedTuple):
    """The sets of all layers, numbered one layer after another; k classes of moves.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `step` | (s, k) | int32 | the set without a move of a class; on the far side that with it |
    | `complete` | (s,) | uint8 | whether a set may be all that is used |
    | `begin`, `end` | (s,) | int64 | the states of a set among those of its side |
    """

    step: NDArray[np.int32]
    complete: NDArray[np.uint8]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]


class SideWays(NamedTuple):
    """The states of all layers of one side, and the edges that lead on from their nodes.

    On the near side edges are followed back to the start, on the far side on to the end.

    | field | shape | dtype | meaning |
    |---|---|---|---|
    | `node` | (x,) | int32 | the node of a state; in a set ascending |
    | `ways` | (x,) | uint64 | in how many ways the state is reached |
    | `edges` | | | see `Edges` |
    """

    node: NDArray[np.int32]
    ways: NDArray[np.uint64]
    edges: Edges


class Moves(NamedTuple):
    """The classes of moves: `of_move`, (m,), int32; `weight` (k,), uint64, how often one counts."""

    of_move: NDArray[np.int32]
    weight: NDArray[np.uint64]


class Ways(NamedTuple):
    """All that is needed to walk along the edges between states that are reached.

    `accepting`, (n,), uint8, says whether the board may be left like this; no node has more than
    `max_edges`.
    """

    sets: AllSets
    near: SideWays
    far: SideWays
    moves: Moves
    accepting: NDArray[np.uint8]
    max_edges: int


class KnownLinks(NamedTuple):
    """The links of states that were looked up.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `near`, `far` | (x,), (y,) | int32 | where in `rows` those of a state are; −1 if unknown |
    | `rows` | (l, 3) | int32 | see `walk` |
    """

    near: NDArray[np.int32]
    far: NDArray[np.int32]
    rows: NDArray[np.int32]


class Stack(NamedTuple):
    """What a slice of `walk` hands to the next.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `frames` | (moves + 3, 6) | int64 | see `walk` |
    | `path` | (moves,) | int32 | the moves that led to the topmost frame |
    | `progress` | (5,) | int64 | see `walk` |
    """

    frames: NDArray[np.int64]
    path: NDArray[np.int32]
    progress: NDArray[np.int64]


class Unranked(NamedTuple):
    """Solutions by their numbers, n of them, with room for m moves each.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `number` | (n,) | uint64 | its number among them |
    | `through` | (n,) | int64 | the set where both sides meet, whose ways it is among; −1: none |
    | `rows` | (n, m) | int32 | its moves, −1 behind the last |
    | `image` | (n,) | uint64 | which of the times that a move counts is meant |
    """

    number: NDArray[np.uint64]
    through: NDArray[np.int64]
    rows: NDArray[np.int32]
    image: NDArray[np.uint64]
