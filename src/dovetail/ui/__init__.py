"""A local page in which puzzles are chosen or drawn, and solvers race on them.

Needs the extra `ui`. The page is in `static`; the other modules answer its requests with the
functions that the command uses.
"""
