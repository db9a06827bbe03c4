"""What the code that builds the kernel's arrays and the code that reads them agree on."""

# The four entries of a node in `links`.
UP, DOWN, ITEM, SPACER = range(4)
ENTRIES = 4

# What is done next, kept in `heuristic` by options taken: branch on the item with fewest
# choices; go no deeper and yield what has been taken; branch on the cell with fewest open
# neighbours; from FIRST_ORDER on, on the cell that comes first in one of the orders.
FEWEST_CHOICES, STOP, FEWEST_OPEN, FIRST_ORDER = range(4)
