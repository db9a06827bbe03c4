"""The lattices of the registry."""
