"""A local page in which puzzles are chosen or drawn, and solvers race on them.

Needs the extra `ui`. `static` has the page and `serving` the web server. The other modules answer
requests with the functions that the command uses.
"""
