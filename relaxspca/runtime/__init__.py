"""How work runs: threads, processes, limits of time, progress, interruption, files written whole."""
