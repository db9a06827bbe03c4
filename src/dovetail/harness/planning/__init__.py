"""From a job to a plan: symmetry breaking, reductions and a backend, named or chosen.

A job whose backend is `auto` is no job of the registry's: rules first and then short trials choose
one of those that are. The plan names what was chosen.
"""

AUTO = "auto"
