"""The processes of joblib and the workers of dask, as pools to which tasks can be sent."""

from __future__ import annotations

import functools
import os
import pickle
import sys
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any, ParamSpec, TypeVar

import numpy as np

from relaxspca.errors import InputError
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.lazy import needed

MOST_JOBS = 64  # processes allowed on any machine
SECONDS_TO_ANSWER = 10

P = ParamSpec("P")
R = TypeVar("R")

_place: ContextVar[Any] = ContextVar("place", default=None)  # number of processes or client of a cluster


class Shared:
    """What many tasks need, such as a matrix: it is sent to a worker once.

    Examples
    --------
    >>> vars(Shared(matrix=[1, 2]))
    {'matrix': [1, 2]}
    """

    def __init__(self, **parts: Any) -> None:
        vars(self).update(parts)


class Pool(ABC):
    """Where tasks can be done beside this process."""

    room: int  # how many tasks it is sent at most at a time
    is_ready: bool  # whether it has begun to work, or is only being started
    losses: tuple[type[BaseException], ...]  # what sending and results raise when the work is lost

    def __init__(self) -> None:
        self._places: dict[Shared, Any] = {}

    @abstractmethod
    def packed(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return a task as it is now."""

    @abstractmethod
    def submit(self, packed: Any) -> Any:
        """Return the future of what a function returns."""

    @abstractmethod
    def after(self, error: BaseException) -> Pool | None:
        """Return the pool to go on with after a loss."""

    @abstractmethod
    def place(self, shared: Shared) -> Any:
        """Put something where every worker finds it, and return what stands for it in a task."""

    def placed(self, arguments: Iterable[Any]) -> Iterator[Any]:
        """Yield the arguments; what is shared is placed once."""
        for argument in arguments:
            if isinstance(argument, Shared) and argument not in self._places:
                self._places[argument] = self.place(argument)
            yield self._places[argument] if isinstance(argument, Shared) else argument


@contextmanager
def workers() -> Iterator[Pool | None]:
    """Yield where tasks can be done beside this process, None for nowhere: what `parallel` or joblib was told.

    Examples
    --------
    >>> with workers() as pool:
    ...     pool is None
    True
    """
    place = _place.get()
    if place != 1 and (isinstance(place, int) or (place is None and "joblib" in sys.modules)):
        joblib = _joblib()
        client = getattr(joblib.parallel.get_active_backend()[0], "client", None)  # of joblib's backend "dask"
        place = client or joblib.effective_n_jobs(place)
    if place in (None, 1):
        yield None
    elif isinstance(place, int):
        with TemporaryDirectory(prefix="relaxspca", ignore_cleanup_errors=True) as folder:
            yield _Processes(place - 1, folder)
    else:
        yield _Cluster(place)


class _Processes(Pool):
    """Processes of this machine: one less than asked for, as this one works, too."""

    is_ready = False
    losses = (BrokenProcessPool, OSError)  # a process was killed; there is no room for the file

    def __init__(self, room: int, folder: str) -> None:
        super().__init__()
        self.room, self._folder = room, folder

    def packed(self, function: Callable[..., Any], *arguments: Any) -> bytes:
        from joblib.externals.loky.backend.reduction import dumps

        return bytes(dumps((os.getcwd(), function, *self.placed(arguments))))

    def submit(self, packed: bytes) -> Any:
        return _executor(self.room).submit(_called, packed)

    def after(self, error: BaseException) -> _Processes | None:
        _executor.cache_clear()
        return None if isinstance(error, OSError) else self

    def place(self, shared: Shared) -> _File:
        file = _File(os.path.join(self._folder, str(len(self._places))))
        _joblib().dump(shared, file.path)
        return file


@dataclass(frozen=True)
class _File:
    """Where the processes of this machine find what they share."""

    path: str


@functools.cache
def _executor(count: int) -> Any:
    """Return processes that later searches find again. Those that joblib has for itself are left alone."""
    from joblib.externals.loky import ProcessPoolExecutor

    return ProcessPoolExecutor(count, timeout=300)  # seconds without work, as in joblib


def _called(packed: bytes) -> Any:
    place, function, *arguments = pickle.loads(packed)
    os.chdir(place)  # where relative paths are meant, which may have changed since the process was started
    return function(*(_read(part.path) if isinstance(part, _File) else part for part in arguments))


@functools.lru_cache(maxsize=1)
def _read(path: str) -> Any:
    return _joblib().load(path, mmap_mode="r")


class _Cluster(Pool):
    """The workers of a dask cluster."""

    is_ready = True

    def __init__(self, client: Any) -> None:
        super().__init__()
        self._room, self._until = 1, Deadline.after(0)
        from distributed import KilledWorker
        from distributed.client import ClosedClientError
        from distributed.comm import CommClosedError

        self.losses = (CancelledError, ClosedClientError, CommClosedError, KilledWorker, TimeoutError)
        self._client = client

    @property
    def room(self) -> int:  # type: ignore[override]
        """The threads of the workers, which come and go, counted once a second."""
        if self._client.status == "closed":
            raise CancelledError
        if self._until.is_over:
            self._room, self._until = max(1, sum(self._client.nthreads().values())), Deadline.after(1)
        return self._room

    def packed(self, function: Callable[..., Any], *arguments: Any) -> tuple[Any, ...]:
        return function, *self.placed(arguments)

    def submit(self, packed: tuple[Any, ...]) -> Any:
        return self._client.submit(*packed, pure=False)

    def after(self, error: BaseException) -> None:
        warnings.warn(
            f"the dask cluster does not answer any more ({type(error).__name__}): the work goes on in this "
            "process, and what was proved is kept",
            UserWarning,
            stacklevel=2,
        )

    def place(self, shared: Shared) -> Any:
        return self._client.scatter(shared, broadcast=True, hash=False)


def parallel(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function with keywords `n_jobs` and `client`, so that `workers` takes them."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        with on_workers(kwargs.get("n_jobs"), kwargs.get("client")):
            return function(*args, **kwargs)

    return run


@contextmanager
def on_workers(n_jobs: Any, client: Any = None) -> Iterator[None]:
    """Let `workers` find so many processes inside the block, or a cluster; None for both changes nothing.

    A cluster is one of dask: a client or the address of its scheduler. An `InputError` says that no scheduler
    answers, or that its workers do not have this version of the package.

    Examples
    --------
    >>> with on_workers(1), workers() as pool:
    ...     pool is None
    True
    """
    if n_jobs is not None and client is not None:
        raise InputError("give n_jobs, processes of this machine, or client, a cluster, not both")
    with nullcontext(_place.get()) if client is None else _connected(client) as place:
        token = _place.set(place if n_jobs is None else _checked_jobs(n_jobs))
        try:
            yield
        finally:
            _place.reset(token)


def _checked_jobs(n_jobs: Any) -> int:
    if not isinstance(n_jobs, int | np.integer) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise InputError(
            "n_jobs must be a number of processes, or negative: -1 is one per core, -2 one fewer, and so on; "
            f"not {n_jobs!r}"
        )
    most = max(MOST_JOBS, 4 * (os.cpu_count() or 1))
    if n_jobs > most:
        raise InputError(
            f"n_jobs = {n_jobs} processes are more than this machine can use: ask for at most {most}"
        )
    return int(n_jobs)


@contextmanager
def _connected(client: Any) -> Iterator[Any]:
    """Yield the client of a cluster."""
    with needed("a cluster needs distributed", "distributed"):
        from distributed import Client
    if not isinstance(client, str | Client):
        raise InputError(
            f"client must be a distributed.Client or an address such as tcp://host:8786, not {client!r}"
        )
    is_address = isinstance(client, str)
    try:
        opened: Any = Client(client, timeout=SECONDS_TO_ANSWER, set_as_default=False) if is_address else client
    except (OSError, ValueError) as error:
        raise InputError(f"no dask scheduler answers at {client!r} ({type(error).__name__})") from None
    if opened.status != "running":
        raise InputError(f"the client is {opened.status}: it has no cluster to send work to")
    with opened if is_address else nullcontext():
        _check_version(opened)
        yield opened


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
