"""Static pages of many files of records: leaderboards, puzzles, solvers, history, downloads."""
