"""The progress of runs and benches, and estimates of their remaining time."""
