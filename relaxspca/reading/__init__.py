"""The user's files and data that do not fit in memory, read into a covariance."""
