"""Apply a function to many items in order: in this process, with joblib, or on dask workers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice, starmap
from typing import Any, TypeVar

from relaxspca.errors import InputError, MissingExtra

__all__ = ["joblib_map", "on_cluster", "ordered_map"]

SECONDS_TO_ANSWER = 10

Item = TypeVar("Item")
Result = TypeVar("Result")


def ordered_map(
    function: Callable[[Item], Result], items: Iterable[Item], scheduler: Any = None
) -> Iterator[Result]:
    """Apply a function to items and yield the results in the order of the items, a few at a time.

    Parameters
    ----------
    function : callable
        Picklable when the workers are processes.
    items : iterable
    scheduler : None, "threads", "processes", address or distributed.Client
        None works in this process, item by item. A name is one of dask's own schedulers; an address
        such as ``tcp://host:8786`` or a client stands for a cluster.

    Notes
    -----
    Results come in the order of the items, so that sums of them do not depend on the scheduler. At most
    twice as many items as workers are held at a time.

    Examples
    --------
    >>> list(ordered_map(abs, [-1, 2]))
    [1, 2]
    """
    if scheduler is None:
        yield from map(function, items)
        return
    try:
        import dask
    except ImportError:
        raise MissingExtra("a scheduler needs dask: pip install 'relaxspca[distributed]'") from None
    client, opened = _client(scheduler)
    if isinstance(scheduler, str) and client is None and scheduler not in dask.base.named_schedulers:
        raise InputError(f"scheduler must be 'threads', 'processes', an address or a client, not {scheduler!r}")
    workers = sum(client.nthreads().values()) if client is not None else os.cpu_count() or 1
    remaining = iter(items)
    try:
        while batch := list(islice(remaining, max(2 * workers, 1))):
            tasks = [dask.delayed(function, pure=False)(item) for item in batch]
            yield from dask.compute(*tasks, scheduler=scheduler if client is None else client)
    finally:
        if opened:
            client.close()


@contextmanager
def joblib_map(
    n_jobs: int | None,
) -> Iterator[Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], list[Any]] | None]:
    """Yield a function that applies another to lists of arguments in parallel, or None for one process.

    Parameters
    ----------
    n_jobs : processes; None takes the number from `joblib.parallel_config`, one by default.

    Examples
    --------
    >>> with joblib_map(1) as spread:
    ...     spread is None
    True
    """
    if n_jobs == 1 or (n_jobs is None and "joblib" not in sys.modules):
        yield None
        return
    try:
        import joblib
    except ImportError:
        raise MissingExtra("n_jobs other than 1 needs joblib: pip install 'relaxspca[distributed]'") from None
    if joblib.effective_n_jobs(n_jobs) == 1:
        yield None
        return
    with joblib.Parallel(n_jobs=n_jobs) as pool:

        def spread(function: Callable[..., Any], items: Iterable[tuple[Any, ...]]) -> list[Any]:
            tasks = list(items)
            try:
                return list(pool(joblib.delayed(function)(*task) for task in tasks))
            except BrokenProcessPool:  # a worker was killed: its work is done again, here
                return list(starmap(function, tasks))

        yield spread


@contextmanager
def on_cluster(scheduler: str | None) -> Iterator[None]:
    """Run the nodes of searches and the candidates of paths on a dask cluster, through joblib.

    Parameters
    ----------
    scheduler : str, optional
        Address, such as ``tcp://host:8786``; None changes nothing.

    Raises
    ------
    InputError
        No scheduler answers there.

    Examples
    --------
    >>> with on_cluster(None):
    ...     pass
    """
    if scheduler is None:
        yield
        return
    try:
        import joblib
        from distributed import Client
    except ImportError:
        raise MissingExtra("a cluster needs distributed: pip install 'relaxspca[distributed]'") from None
    try:
        client = Client(scheduler, timeout=SECONDS_TO_ANSWER)
    except (OSError, ValueError) as error:
        raise InputError(f"no dask scheduler answers at {scheduler!r} ({type(error).__name__})") from None
    with client, joblib.parallel_config(backend="dask", n_jobs=-1):
        yield


def _client(scheduler: Any) -> tuple[Any, bool]:
    """Return a client for a cluster, None for a local dask scheduler, and whether we must close it."""
    if not isinstance(scheduler, str):
        return scheduler, False
    if "://" not in scheduler:
        return None, False
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtra("a cluster needs distributed: pip install 'relaxspca[distributed]'") from None
    return Client(scheduler, set_as_default=False), True
