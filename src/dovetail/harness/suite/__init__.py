"""Suites: files that list runs, and the bench that runs them."""
