"""Which state of a set a node is."""

from dovetail.jit import kernel

NOWHERE = -1


@kernel
def state_of(node, nodes, low, last):
    """Which of some states, ascending, is a node; −1 if none is."""
    high = last
    while low < high:
        middle = (low + high) // 2
        if nodes[middle] < node:
            low = middle + 1
        else:
            high = middle
    if low < last and nodes[low] == node:
        return low
    return NOWHERE
