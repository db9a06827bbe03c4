"""Checks solutions against the puzzle itself.

Nothing here looks at the cover problem, the placements' masks or the lowering: a mistake
there cannot hide here. Solutions come as a table of what lies where, and rows of line
numbers into that table, so that thousands are checked at once; a line is made, and checked alone,
when a solution first has it.
"""
