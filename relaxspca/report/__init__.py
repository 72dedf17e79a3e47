"""Pages and archives of certificates."""
