"""Files from anywhere, read within bounds, and written whole."""
