"""Files of solvers of other kinds: what they read, and what they print."""
