"""All rules, until nothing follows."""

import numpy as np

from dovetail.backends.colorpair.kernels.layout import (
    CYCLES,
    PENDING_COUNT,
    PREEMPTION,
    SHARED_EDGES,
    THREE_KNOWN,
)
from dovetail.backends.colorpair.kernels.pairs import ZERO
from dovetail.backends.colorpair.kernels.preempt import NOTHING_PUT, SHORT, SOME_PUT, preempt
from dovetail.backends.colorpair.kernels.remaining import can_close, can_share
from dovetail.backends.colorpair.kernels.settle import settle
from dovetail.backends.colorpair.kernels.single_colours import settle_colours
from dovetail.jit import kernel


@kernel
def propagate(tables, memory, at, rules, words):
    """Draw all conclusions from what has been put into the record at `at`.

    False: it has no completion, for the reason that is in `WHY` then.
    """
    while True:
        holds = settle(tables, memory, at, rules, words)
        if holds and len(words.colours) > 0:
            outcome = settle_colours(tables, memory, at, rules, words)
            if outcome == SOME_PUT:
                continue
            holds = outcome != SHORT
        if holds and rules & SHARED_EDGES:
            holds = can_share(tables, memory, at, rules, words)
        if holds and rules & CYCLES:
            holds = can_close(tables, memory, at, rules, words)
        several = ZERO  # cells with more than two known sides
        for word in range(np.uint64(len(words[1]))):
            several |= memory[at + tables[THREE_KNOWN] + word]
        outcome = NOTHING_PUT
        if holds and rules & PREEMPTION and several == ZERO:
            outcome = preempt(tables, memory, at, rules, words)
        if not holds or outcome == SHORT:
            memory[PENDING_COUNT] = ZERO
            return False
        if outcome == NOTHING_PUT:
            return True
