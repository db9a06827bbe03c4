"""Run records: their type, their files, and summaries and comparisons of them."""
