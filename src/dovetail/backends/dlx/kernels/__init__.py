"""The compiled parts of `dlx`."""
