"""What several backends are built of."""
