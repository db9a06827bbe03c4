"""Scripts that run solvers which are Python packages, as programs: a file in, lines of JSON out.

They import nothing of dovetail, and are examples of what a program prints.
"""
