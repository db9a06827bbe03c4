"""Planning of jobs: symmetry breaking, reductions, and the choice of a backend by `auto`."""

AUTO = "auto"
