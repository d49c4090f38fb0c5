"""What elements of a buffer are computed from: the answer about memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import islpy as isl
from xdsl.ir import Operation, SSAValue

from volcli.limits import volumes as limits
from volcli.presburger.limits.budget import BudgetExceeded, budget

Source = tuple[SSAValue, Operation | None]
"""A value that memory is computed from, and who uses it, if that is an operation that stores it."""


@dataclass(frozen=True, eq=False)
class BufferContents:
    """What elements of a buffer are computed from, `{ [e] -> [of a source] }`; if INEXACT, at most."""

    sources: Mapping[Source, isl.Map]
    copies: Callable[[], Mapping[Source, isl.Map]]
    """The elements that are copies of a constant, or of a tensor's; asked for by `constants`."""
    inexact: str | None
    assumptions: tuple[str, ...]
    fixed: frozenset[SSAValue]
    """The sources that are memory which nobody changes."""
    copied: frozenset[Source]
    """The constants that are stored somewhere, and not only computed with."""
    written: isl.Set
    """The elements that something writes."""

    @cached_property
    def constants(self) -> Mapping[Source, isl.Map]:
        """The elements that are such copies; none of them where that is not known."""
        try:
            with budget(limits.MEMORY_OPERATIONS):
                return self.copies()
        except BudgetExceeded:
            return {}

    def of_view(self, elements: isl.Map) -> BufferContents:
        """The same of a view, each of whose elements is one of the buffer's: `{ [e of the view] -> [e] }`."""
        of_buffer = elements.reverse()
        return replace(
            self,
            sources={source: elements.apply_range(each) for source, each in self.sources.items()},
            copies=lambda: {s: elements.apply_range(each) for s, each in self.constants.items()},
            written=self.written.apply(of_buffer),
        )
