"""A local page in which puzzles are chosen or drawn, and solvers race on them.

Needs the extra `ui`. The page is in `static`; all else answers it. Nothing here solves, counts,
draws or writes by itself: that is done by what the command uses.
"""
