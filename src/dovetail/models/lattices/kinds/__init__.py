"""Built-in lattices: squares and cubes, other cells of the plane, solids, spheres, and edges."""
