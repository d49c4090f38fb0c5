"""The reader under fire: broken texts, each of which is to be read or refused with a place, soon and in bounds.

    python -m tests.campaigns.reader --inputs 5000 --seed 0

An input is a mutant of a program (see `tests.frontend.mutants`), or a well-formed text of malformed operations (see
`tests.frontend.malformed`), of which nothing but these may be lost. It goes through `load_source`, the passes with a small
budget, and the printer, in a process with a bounded memory. Failures are an exception other than UsageError, an
internal error (V900), more than SECONDS, more than MEGABYTES, and the death of the process. The first input of
each kind of failure is made smaller, by leaving out lines, then bytes, and saved. Exits 1 if there was any.
"""

from __future__ import annotations

import argparse
import multiprocessing as mp
import resource
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from tests.frontend.malformed import correct_programs, malformed
from tests.frontend.mutants import mutant, seeds
from volcli.diagnostics import UsageError
from volcli.frontend.print.printer import print_module
from volcli.frontend.text.source import decode
from volcli.loading.driver import load_source

PASSES = "infer-shapes,element-maps{of=all},sparsity-regions{of=all}"
KINDS = ("broken", "malformed")
_NOT_SEEN = (
    "is used but never defined",
    "is already in use",
    "has been previously used or defined with type",
    "is defined with type",
)
BUDGET = 2_000  # isl operations a query
SECONDS = 10.0  # of this process alone: what else the machine does is nobody's fault
PATIENCE = 90.0  # seconds by the clock, after which nothing will come any more
MEGABYTES = 1024
WORKER_INPUTS = 2_000  # then a new process: what inputs leave behind is not the next one's fault
SHRINKING_SECONDS = 15.0
FRAMES = 4  # of the traceback, the innermost first
_FORK = mp.get_context("fork")

Check = Callable[[bytes], "str | None"]
"""What is wrong with volcli, as an input shows; None if nothing is."""


def read_and_analyse(data: bytes) -> str | None:
    """What is wrong with volcli, as DATA shows; None if nothing is."""
    try:
        program = load_source(decode(data, "fuzz.mlir"), via="xdsl", budget=BUDGET)
        program.run(PASSES)
        for unit in program.units:
            print_module(unit.parsed)
    except UsageError:
        return None
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)[: -FRAMES - 1 : -1]
        where = " < ".join(f"{Path(frame.filename).stem}.{frame.name}" for frame in frames)
        return f"{type(error).__name__} in {where}: {str(error)[:200]}"
    internal = [each.message for each in program.diagnostics if each.code == "V900"]
    if internal:
        return f"V900 {internal[0][:200]}"
    used = _used() - _at_first
    return f"more than {MEGABYTES} MB: {used}" if used > MEGABYTES else None


def read_all_and_analyse(data: bytes) -> str | None:
    """The same of DATA in generic form, whose operations may be malformed: each of them is to be read."""
    try:
        program = load_source(decode(data, "fuzz.mlir"), via="xdsl", budget=BUDGET)
    except Exception:
        return read_and_analyse(data)
    unread = [op.reason.message for unit in program.units for op in unit.parsed.unread]
    # An operation that was moved may use what its new place does not see: that is a syntax error.
    lost = [each for each in unread if not any(reason in each for reason in _NOT_SEEN)]
    return f"lost: {lost[0][:200]}" if lost else read_and_analyse(data)


_at_first = 0  # megabytes that the process had of its parent


def _used() -> int:
    """The most megabytes that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _bound_memory() -> None:
    """Let this process have MEGABYTES more than it has."""
    global _at_first
    _at_first = _used()
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if sys.platform == "linux" else 0
    bound = (MEGABYTES << 20) + pages * resource.getpagesize()
    if pages:
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


def _work(inputs: Iterator[bytes], check: Check, connection: Any) -> None:
    _bound_memory()
    for data in inputs:
        started = time.process_time()
        what = check(data)
        if what is None and time.process_time() - started > SECONDS:
            what = f"slow: more than {SECONDS:g} s"
        connection.send(what)


@dataclass(frozen=True)
class Failure:
    """What volcli did wrong on an input."""

    index: int
    data: bytes
    what: str

    @property
    def kind(self) -> str:
        """The failure without its details: equal for inputs that show the same mistake.

        >>> Failure(0, b"", "V900 unknown: internal error in 'add', a case of p.q (TypeError: no)").kind
        "V900 unknown: internal error in 'add', a case of p.q"
        """
        if self.what.startswith("V900"):
            return self.what.partition(" (")[0]
        return self.what.partition(":")[0]


def outcomes(
    make: Callable[[int], bytes],
    indices: Sequence[int],
    check: Check = read_and_analyse,
    seconds: float = PATIENCE,
) -> Iterator[Failure | None]:
    """For each index what CHECK says of its input; that a process dies is the fault of the input it had."""
    at = 0
    while at < len(indices):
        here, there = _FORK.Pipe(duplex=False)
        batch = indices[at : at + WORKER_INPUTS]
        worker = _FORK.Process(target=_work, args=(map(make, batch), check, there), daemon=True)
        worker.start()
        there.close()
        for index in batch:
            what, is_usable = _next_outcome(here, worker, seconds)
            at += 1
            yield None if what is None else Failure(index, make(index), what)
            if not is_usable:
                break
        worker.kill()
        worker.join()
        here.close()


def _next_outcome(connection: Any, worker: Any, seconds: float) -> tuple[str | None, bool]:
    """What went wrong with the next input, and whether the worker may be given another."""
    if not connection.poll(seconds):
        return f"more than {seconds:g} s", False
    try:
        what: str | None = connection.recv()
    except EOFError:
        worker.join()
        return f"the process died: exit code {worker.exitcode}", False
    return what, what is None or not what.startswith("more than")


def shrunk(failure: Failure, check: Check = read_and_analyse) -> Failure:
    """The same failure of an input with less text: without ever smaller pieces, of lines, then of bytes."""
    data, deadline = failure.data, time.monotonic() + SHRINKING_SECONDS

    def fails(candidate: bytes) -> bool:
        if time.monotonic() > deadline:
            return False
        (found,) = outcomes(lambda _: candidate, [0], check)
        return found is not None and found.kind == failure.kind

    for pieces in (data.splitlines(keepends=True), None):
        parts = [data[i : i + 1] for i in range(len(data))] if pieces is None else pieces
        data = b"".join(_without(parts, lambda kept: fails(b"".join(kept)), deadline))
    return Failure(failure.index, data, failure.what)


def _without(parts: list[bytes], fails: Callable[[list[bytes]], bool], deadline: float) -> list[bytes]:
    """PARTS without what is not needed for them to fail, as far as that is found before DEADLINE."""
    size = len(parts) // 2
    while size:
        at = 0
        while at < len(parts) and time.monotonic() < deadline:
            kept = parts[:at] + parts[at + size :]
            if fails(kept):
                parts = kept
            else:
                at += size
        size //= 2
    return parts


def campaign(count: int, seed: int, progress: bool = True, kind: str = "broken") -> Iterator[Failure]:
    """The failures among COUNT inputs; the input of an index is the same in every run with this SEED.

    They are "broken" texts, or well-formed ones of "malformed" operations (see `tests.frontend.malformed`).
    """
    is_broken, started = kind == "broken", time.monotonic()
    pool = seeds(seed) if is_broken else correct_programs(seed)
    make, check = (mutant, read_and_analyse) if is_broken else (malformed, read_all_and_analyse)
    indices = range(seed, seed + count)
    for done, failure in enumerate(outcomes(lambda index: make(index, pool), indices, check), start=1):
        if failure is not None:
            yield failure
        if progress and (done % 100 == 0 or done == count):
            rate = done / (time.monotonic() - started)
            print(f"\r{done}/{count} inputs, {rate:.0f}/s", end="", file=sys.stderr, flush=True)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=5000, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="the first input's seed; the others follow")
    parser.add_argument("--save", type=Path, default=Path("."), help="the folder for failing inputs")
    parser.add_argument("--kind", choices=KINDS, help="broken texts, or malformed operations; default: both")
    options = parser.parse_args()
    kinds: dict[str, int] = {}
    share = options.inputs // (1 if options.kind else len(KINDS))
    for failure in chain.from_iterable(
        campaign(share, options.seed, kind=kind) for kind in ((options.kind,) if options.kind else KINDS)
    ):
        kinds[failure.kind] = kinds.get(failure.kind, 0) + 1
        if kinds[failure.kind] == 1:
            small = shrunk(
                failure, read_all_and_analyse if failure.what.startswith("lost") else read_and_analyse
            )
            path = options.save / f"fuzz-{failure.index}.mlir"
            path.write_bytes(small.data)
            print(f"\ninput {failure.index}: {failure.what}\n  {len(small.data)} bytes in {path}", flush=True)
    for kind, number in kinds.items():
        print(f"{number:6} {kind}")
    print(f"\n{sum(kinds.values())} failures of {len(kinds)} kinds in {options.inputs} inputs")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
