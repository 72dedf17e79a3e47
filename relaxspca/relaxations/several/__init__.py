"""Several components, bounded together: a price matrix between them, and ordinary bounds of what is left."""
