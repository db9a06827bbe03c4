"""What is different between two files of run records."""
