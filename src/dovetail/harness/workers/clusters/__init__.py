"""Workers on a dask cluster, which SLURM may start."""
