"""Solutions of packings in three dimensions, to be turned, exploded and stepped through."""
