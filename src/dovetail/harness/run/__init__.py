"""The parts of a run: clock, plan, session, and collector of solutions."""

from typing import Literal

WITHIN_ITEMS = "random-within-items"
# The order in which a search tries placements. `random-within-items`: each item has its own order.
RandomOptionOrder = Literal["random", "random-within-items"]
OptionOrder = Literal["given", RandomOptionOrder]
