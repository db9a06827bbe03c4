"""The best boards that an improver finds in a given time, verified as they are found."""
