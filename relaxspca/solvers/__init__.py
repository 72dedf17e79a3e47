"""Methods that find good dual points; what they return is never trusted, only evaluated."""
