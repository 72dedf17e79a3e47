"""Apply a function to many items in order: in this process, in others by joblib, or on workers of dask."""

from __future__ import annotations

import functools
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice, starmap
from typing import Any, ParamSpec, TypeVar

from relaxspca.errors import InputError
from relaxspca.runtime.lazy import needed

SECONDS_TO_ANSWER = 10

Item = TypeVar("Item")
Result = TypeVar("Result")
P = ParamSpec("P")
R = TypeVar("R")
Spread = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Iterable[Any]]

_cluster: ContextVar[Any] = ContextVar("cluster", default=None)


def ordered_map(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Apply a function to items, by the workers of `workers` where there are some, and yield results in order.

    Sums of the results do not depend on the workers. At most twice as many items as processors are held at a
    time. The function is picklable where the workers are processes.

    Examples
    --------
    >>> list(ordered_map(abs, [-1, 2]))
    [1, 2]
    """
    with workers(None) as spread:
        if spread is None:
            yield from map(function, items)
            return
        remaining = iter(items)
        while batch := list(islice(remaining, 2 * (os.cpu_count() or 1))):
            yield from spread(function, [(item,) for item in batch])


class Shared:
    """What many tasks need, such as a matrix: it is sent to a worker of a cluster once.

    Examples
    --------
    >>> vars(Shared(matrix=[1, 2]))
    {'matrix': [1, 2]}
    """

    def __init__(self, **parts: Any) -> None:
        vars(self).update(parts)


@contextmanager
def workers(n_jobs: int | None) -> Iterator[Spread | None]:
    """Yield a function that applies another to lists of arguments in parallel, or None for one process.

    Without `n_jobs` it takes the cluster of `on_cluster`, or else the number of `joblib.parallel_config`.

    Examples
    --------
    >>> with workers(1) as spread:
    ...     spread is None
    True
    """
    client = _cluster.get()
    if n_jobs is None and client is not None:
        yield _ClusterSpread(client)
        return
    if n_jobs == 1 or (n_jobs is None and "joblib" not in sys.modules):
        yield None
        return
    joblib = _joblib()
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


class _ClusterSpread:
    """Tasks on the workers of a cluster; on the loss of the cluster they are done in this process."""

    def __init__(self, client: Any) -> None:
        self.client, self.is_lost = client, False
        self.sent: dict[Shared, Any] = {}

    def __call__(self, function: Callable[..., Any], items: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        """Yield results in the order of the tasks."""
        tasks = list(items)
        if not self.is_lost:
            for result in self._remote(function, tasks):
                tasks.pop(0)
                yield result
        yield from starmap(function, tasks)

    def _remote(self, function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        from distributed import KilledWorker
        from distributed.client import ClosedClientError
        from distributed.comm import CommClosedError

        futures: list[Any] = []
        try:
            futures += [self.client.submit(function, *map(self._placed, task), pure=False) for task in tasks]
            for future in futures:
                yield future.result()
        except (CancelledError, ClosedClientError, CommClosedError, KilledWorker, TimeoutError) as error:
            self.is_lost = True
            warnings.warn(
                f"the dask cluster does not answer any more ({type(error).__name__}): the work goes on in this "
                "process, and what was proved is kept",
                UserWarning,
                stacklevel=2,
            )
        finally:
            for future in futures:
                future.release()  # what is not needed any more is not worked on

    def _placed(self, argument: Any) -> Any:
        if not isinstance(argument, Shared):
            return argument
        if argument not in self.sent:
            self.sent[argument] = self.client.scatter(argument, broadcast=True, hash=False)
        return self.sent[argument]


def parallel(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function with keywords `n_jobs` and `client`, so that the searches in it use these workers."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        n_jobs, client = kwargs.get("n_jobs"), kwargs.get("client")
        if client is not None and n_jobs is not None:
            raise InputError("give n_jobs, processes of this machine, or client, a cluster, not both")
        with on_cluster(client), _processes(n_jobs):
            return function(*args, **kwargs)

    return run


@contextmanager
def _processes(n_jobs: Any) -> Iterator[None]:
    """Let `workers` take so many processes; numbers that are none are left to the checks of the function."""
    if not isinstance(n_jobs, int) or n_jobs in (0, 1):
        yield
        return
    joblib = _joblib()
    with joblib.parallel_config(n_jobs=n_jobs):
        yield


@contextmanager
def on_cluster(client: Any) -> Iterator[None]:
    """Send searches and resampled examples to a dask cluster: a client or the address of its scheduler.

    An `InputError` says that no scheduler answers, or that its workers do not have this version of the package.

    Examples
    --------
    >>> with on_cluster(None):
    ...     pass
    """
    if client is None:
        yield
        return
    with needed("a cluster needs distributed", "distributed"):
        from distributed import Client
    if not isinstance(client, str | Client):
        raise InputError(
            f"client must be a distributed.Client or an address such as tcp://host:8786, not {client!r}"
        )
    try:
        opened = (
            Client(client, timeout=SECONDS_TO_ANSWER, set_as_default=False) if isinstance(client, str) else None
        )
    except (OSError, ValueError) as error:
        raise InputError(f"no dask scheduler answers at {client!r} ({type(error).__name__})") from None
    token = _cluster.set(client if opened is None else opened)
    try:
        _check_version(_cluster.get())
        yield
    finally:
        _cluster.reset(token)
        if opened is not None:
            opened.close()


def _check_version(client: Any) -> None:
    """Refuse a cluster whose workers have another version of the package, or none."""
    import relaxspca

    try:  # a lambda, because what has a name in the package would have to be imported from it
        found = set(client.run(lambda: __import__("relaxspca").__version__).values())
    except ImportError as error:
        raise InputError(
            f"a worker of the dask cluster cannot import relaxspca ({error}): install it"
        ) from None
    if found - {relaxspca.__version__}:
        raise InputError(
            f"workers of the dask cluster have relaxspca {', '.join(sorted(found))}, here it is "
            f"{relaxspca.__version__}: install one version everywhere"
        )


def _joblib() -> Any:
    with needed("n_jobs other than 1 needs joblib", "distributed"):
        import joblib
    return joblib
