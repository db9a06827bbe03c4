"""The parts of a run: clock, plan, session, and collector of solutions."""
