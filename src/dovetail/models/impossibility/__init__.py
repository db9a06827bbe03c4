"""Proofs that a puzzle has no solution, found without a search."""
