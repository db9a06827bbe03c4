"""Reductions: removal of placements before the search begins."""
