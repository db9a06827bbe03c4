"""The parts of a report that show exhibits, and their figures as CSV."""
