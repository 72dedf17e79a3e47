"""Threads, processes, time limits, progress, interruption and atomic writing of files."""
