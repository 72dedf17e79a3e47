"""A first table of a joint search that is found quickly, for tests that do not ask how good it is."""


def shorten(patch):
    """Let the local search over tables be short: it takes most of the time."""
    patch.setattr("relaxspca.candidates.several.local_search.STALE", 0.5)
