"""A page that shows packings in three dimensions, and the data for its script."""
