"""The SAT solver CaDiCaL on the cover problem, or on models of edge matching."""
