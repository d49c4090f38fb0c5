"""Work on an existing cluster of dask: the scheduler at an address, and whatever workers it has.

What is sent is plain data, the text of files included, so that no worker needs the files. It has to have the
same volcli, on which results depend. A worker that is lost is dask's matter: the scheduler gives its work to
others; work that has ended several of them comes back as lost, and is treated as that of a local worker.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any

from volcli import __version__
from volcli.diagnostics import Diagnostic, UsageError
from volcli.gate.work.executor import WorkerLostError
from volcli.gate.work.work import FileResult, Work, checked
from volcli.limits import gate as limits

_LOOKS = 5.0  # seconds between two of them


class Cluster:
    """The workers of the scheduler at ADDRESS. Raises UsageError (V007) if there is none, or no dask."""

    is_interruptible = False

    def __init__(self, address: str, check: Callable[[Work], FileResult] = checked) -> None:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            note = "pip install 'volcli[dask]'"
            raise UsageError(Diagnostic("V007", "--executor: dask is not installed", note=note)) from None
        try:
            self._client: Any = distributed.Client(
                address, timeout=limits.CLUSTER_SECONDS, set_as_default=False
            )
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            message = f"--executor: no scheduler of dask answers at '{address}': {error}"
            note = "give the address that `dask scheduler` prints: --executor dask:tcp://HOST:8786"
            raise UsageError(Diagnostic("V007", message, note=note)) from None
        self._killed: type[Exception] = distributed.KilledWorker
        self._check = check
        self._see_that_versions_agree()
        threads: dict[str, int] = self._client.nthreads()
        self.slots = max(1, limits.IN_ADVANCE * sum(threads.values()))
        self._had_workers = self._looked = time.monotonic()
        self._unanswered = 0

    def submit(self, work: Work) -> Future[Any]:
        """Send WORK."""
        found: Future[Any] = Future()
        sent = self._client.submit(self._check, work, pure=False)
        # It holds SENT, to which dask has only weak references. `Client.get_executor` would do so, but its
        # futures stay open if a worker is lost after its work and the repetition fails meanwhile.
        self._client.loop.add_callback(_complete, found, sent)
        return found

    def result(self, future: Future[Any]) -> FileResult:
        """What came of it. Raises WorkerLostError, and UsageError (V007) if the scheduler is gone."""
        try:
            return future.result()
        except self._killed:
            raise WorkerLostError from None
        except (CancelledError, OSError):
            raise self._gone("the scheduler is gone") from None

    def see_that_it_lives(self) -> None:
        """Ask the scheduler now and then whether it has workers: without any it waits for ever.

        Raises UsageError (V007) after two minutes without, or if the scheduler is gone.
        """
        if time.monotonic() - self._looked < _LOOKS:
            return
        if self._client.status not in ("running", "connecting"):
            raise self._gone("the scheduler is gone")
        try:
            threads = self._client.sync(
                self._client.scheduler.ncores, callback_timeout=limits.CLUSTER_SECONDS
            )
        except (OSError, TypeError) as error:  # TypeError: of a client that looks for its scheduler
            self._unanswered += 1
            if self._unanswered == limits.CLUSTER_QUESTIONS:
                raise self._gone("the scheduler is gone") from error
            threads = {}
        else:
            self._unanswered = 0
        self._looked = now = time.monotonic()
        if threads:
            self._had_workers = now
        elif now - self._had_workers > limits.SECONDS_WITHOUT_WORKERS:
            raise self._gone(
                f"no worker of the cluster has been there for {limits.SECONDS_WITHOUT_WORKERS:.0f} s"
            )

    def end(self, *, at_once: bool) -> None:
        """Leave the cluster; what has been sent is not done any more."""
        with suppress(OSError):  # without an answer, it takes too long
            self._client.close()

    @staticmethod
    def _gone(why: str) -> UsageError:
        note = "completed work is in the cache: run it again when the cluster is available"
        return UsageError(Diagnostic("V007", f"--executor: {why}", note=note))

    def _see_that_versions_agree(self) -> None:
        """Raises UsageError (V007) if a worker has another volcli, or none; one that just left has no say."""
        answers: dict[str, object] = self._client.run(_version, on_error="return")
        for worker, answer in sorted(answers.items()):
            if answer != __version__ and not isinstance(answer, OSError):
                self._client.close()
                version = answer if isinstance(answer, str) else f"none ({answer})"
                message = f"--executor: volcli is {__version__} here, and {version} on {worker}"
                raise UsageError(Diagnostic("V007", message, note="install the same version there"))


async def _complete(found: Future[Any], sent: Any) -> None:
    """FOUND becomes what comes of SENT, whatever fetching it raises."""
    try:
        result = await sent._result()
    except BaseException as error:
        found.set_exception(error)
    else:
        found.set_result(result)


def _version() -> str:
    """The version of volcli on a worker."""
    from volcli import __version__

    return __version__
