"""How nodes lie in `links`, for the code that builds them and the code that walks them."""

# The four entries of a node.
UP, DOWN, ITEM, SPACER = range(4)
ENTRIES = 4
