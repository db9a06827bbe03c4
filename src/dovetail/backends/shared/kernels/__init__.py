"""What the compiled parts of several backends have in common."""
