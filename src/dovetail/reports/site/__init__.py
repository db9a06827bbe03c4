"""Sites of static pages about files of records: leaderboards, puzzles, solvers, history."""
