"""`frontier`: counting by a dynamic programme over frontier shapes and the pieces used."""
