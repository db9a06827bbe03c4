"""Input files from anywhere, read within bounds, and output files written in one step."""
