"""Suites: files that list runs, and the bench that makes them."""
