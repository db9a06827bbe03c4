"""Who wins, by how much, and why: from records alone."""
