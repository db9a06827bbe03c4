"""From a job to a plan: symmetry breaking, reductions and a backend, named or chosen by `auto`."""

AUTO = "auto"
