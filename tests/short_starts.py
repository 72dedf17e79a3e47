"""A first table of a joint search that is found quickly, for tests that do not ask how good it is."""


def shorten(patch):
    """Let the walk over tables be short: it takes most of the time."""
    patch.setattr("relaxspca.candidates.several.restarts.MOST", 2)
    patch.setattr("relaxspca.candidates.several.restarts.STALE", 1)
