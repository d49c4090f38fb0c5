"""Memory while a program runs: which access wrote what another one reads, and what nobody reads."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Cell = TypeVar("Cell", bound=Hashable)
Writer = TypeVar("Writer", bound=Hashable)


class Memory(Generic[Cell, Writer]):
    """Cells, each with its last writer: an element of a buffer, or a byte.

    >>> memory = Memory[str, int]()
    >>> memory.write("a", 1), memory.write("a", 2), memory.read("a"), memory.read("b")
    (None, None, 2, None)
    >>> memory.unread
    {1}
    """

    def __init__(self) -> None:
        self.last: dict[Cell, Writer] = {}
        self.unread: set[Writer] = set()

    def write(self, cell: Cell, writer: Writer) -> None:
        """WRITER writes CELL; nobody has read that yet."""
        self.last[cell] = writer
        self.unread.add(writer)

    def read(self, cell: Cell) -> Writer | None:
        """Who wrote CELL; None if nobody did."""
        writer = self.last.get(cell)
        if writer is not None:
            self.unread.discard(writer)
        return writer

    def release(self, is_gone: Callable[[Cell], bool]) -> None:
        """The cells that are GONE are new ones from now on."""
        for cell in [cell for cell in self.last if is_gone(cell)]:
            del self.last[cell]

    def outlive(self, survives: Callable[[Cell], bool]) -> None:
        """What is in cells that SURVIVE the function may be read behind it."""
        for cell, writer in self.last.items():
            if survives(cell):
                self.unread.discard(writer)
