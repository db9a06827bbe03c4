"""What kernels of several packages use."""
