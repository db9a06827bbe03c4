"""Reductions: placements that need not be searched, found before the search begins."""
