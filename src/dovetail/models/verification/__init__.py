"""Verification of solutions against the puzzle itself.

Verification uses neither the lowering nor what it produces, such as the placements' masks, so that
mistakes there do not affect it. Only bare cover problems are checked by their own arrays. Solutions
are rows of line numbers into a table of placed pieces or tiles, so that thousands are checked at
once. A line is added, and checked by itself, when it first occurs in a solution.
"""
