"""What a user asks, a verb a file."""
