"""The parts of a report that compare the results of solvers, from records alone."""
