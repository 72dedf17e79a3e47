"""Branch and bound whose tree is the proof."""
