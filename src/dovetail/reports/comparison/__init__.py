"""The parts of a report that compare solvers, from records alone."""
