"""Facts of a puzzle that need no search."""
