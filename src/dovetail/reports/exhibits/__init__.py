"""Exhibits of suites: measured from records, and as sections of pages."""
