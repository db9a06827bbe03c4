"""`frontier`: counting by dynamic programming over frontier shapes and the pieces used."""
