"""One search on many cores and machines: its parts, who searches them, and the checkpoint."""
