"""The improver `repair`: large neighbourhood search from any board."""
