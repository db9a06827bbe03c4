"""A page that shows packings in three dimensions, with the data of its script."""
