"""Tables of several components: proposals, and what they are proved to explain."""
