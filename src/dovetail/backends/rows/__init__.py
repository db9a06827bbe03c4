"""Brute force for edge matching: cells filled in a fixed order, candidates as bit sets."""
