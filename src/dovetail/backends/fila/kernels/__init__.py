"""The compiled parts of `fila`."""
