"""Improvement by several processes that exchange boards."""
