"""The parts of a run: clock, plan, session, and collector of solutions."""

from typing import Literal

WITHIN_ITEMS = "random-within-items"
# Order in which a search tries options. `random-within-items`: an independent order for each item.
RandomOptionOrder = Literal["random", "random-within-items"]
OptionOrder = Literal["given", RandomOptionOrder]
