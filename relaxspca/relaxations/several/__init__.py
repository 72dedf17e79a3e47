"""Several components, bounded together: a multiplier matrix, and ordinary bounds of what is left."""
