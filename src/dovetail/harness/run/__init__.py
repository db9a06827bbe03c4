"""The engine of a run: clocks, a plan, its session, and the collector of solutions."""
