"""Run records: one frozen type, files of them, and what several come to together."""
