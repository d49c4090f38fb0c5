"""What is answered of the flow of values through memory."""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl

from volcli.model.memory.accesses.comparable_indices import ComparableIndices
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Root


@dataclass(frozen=True, eq=False)
class LastWriter:
    """`{ [iteration of the writer] -> [iteration of the reader] }` between which a value flows.

    If not `exact`, it holds more pairs than there are; those in `certain` are.
    """

    writer: Site
    reader: Site
    pairs: isl.Map
    certain: isl.Map
    exact: bool
    because: str | None = None


@dataclass(frozen=True, eq=False)
class ReadFlow:
    """Where one read's values come from.

    `unwritten` is `{ [iteration] -> [element] }` that nothing in the function has written before, at most;
    what is `never_written` certainly is not. None: it is not known, and `because` says why.
    """

    site: Site
    writers: tuple[LastWriter, ...] = ()
    unwritten: isl.Map | None = None
    never_written: isl.Map | None = None
    because: str | None = None
    assumptions: tuple[str, ...] = ()

    @property
    def is_exact(self) -> bool:
        return self.because is None


@dataclass(frozen=True, eq=False)
class WriteFlow:
    """What one write is good for: `dead` are iterations in which nothing may read what it writes.

    Those in `read` are certainly read, or left behind by the function. None: it is not known.
    """

    site: Site
    dead: isl.Set | None = None
    read: isl.Set | None = None
    runs: isl.Set | None = None
    is_exact: bool = False
    because: str | None = None
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class BufferFlow:
    """What a buffer brings into the function that is read there, and what of it the function leaves behind.

    `live_in` and `live_out` are sets of elements, at most if not exact; None: not known, or not asked (what
    is allocated in a loop has other elements in each iteration). Where there are DIGITS, they stand for
    elements in all of these sets.
    """

    root: Root
    reads: tuple[ReadFlow, ...]
    writes: tuple[WriteFlow, ...]
    outlives: bool
    live_in: isl.Set | None = None
    live_out: isl.Set | None = None
    is_exact: bool = False
    because: str | None = None
    assumptions: tuple[str, ...] = ()
    digits: ComparableIndices | None = None
