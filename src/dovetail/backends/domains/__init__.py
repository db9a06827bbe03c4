"""Edge matching with domains: bit sets of tiles for cells, sets of colours for edges."""
