"""`auto`: a backend and a config chosen for a puzzle, by rules first and then by short trials.

It is no backend of the registry, since it tries those that are. A run whose job names it is first
resolved to a job that names one of them; `decide` does that, `execution` goes on from there.
"""

AUTO = "auto"
