"""What can be said of a puzzle before any search."""
