"""How many words are looked at together, for kernels and for the tables that they read."""

LANES = 8
