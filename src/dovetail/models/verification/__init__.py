"""Verification of solutions against the puzzle itself.

Nothing here uses the cover problem, the placements' masks or the lowering: verification is
independent of mistakes there. Solutions are rows of line numbers into a table of placed pieces or
tiles, so that thousands are checked at once. A line is added, and checked alone, when a solution
first has it.
"""
