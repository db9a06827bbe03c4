"""`beam`: beam search that keeps the colours left easy to pair."""
