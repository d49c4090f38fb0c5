"""SSA values, and what one is during an execution: an integer, a truth, or the sizes of a tensor."""

from __future__ import annotations

from dataclasses import dataclass

Sizes = tuple[int, ...]
Datum = int | Sizes  # truths are 0 and 1


@dataclass(frozen=True)
class Value:
    """An SSA value. Its name, with the %, is unique in the function.

    >>> Value("%t", "tensor<?x4xf32>").sizes
    (None, 4)
    """

    name: str
    type: str = "index"

    @property
    def sizes(self) -> tuple[int | None, ...]:
        """The sizes that the type tells; none unless this is a tensor."""
        if not self.is_tensor:
            return ()
        texts = self.type.removeprefix("tensor<").removesuffix("xf32>").split("x")
        return tuple(None if text == "?" else int(text) for text in texts)

    @property
    def is_tensor(self) -> bool:
        """Whether this is a tensor; the only others are index and i1."""
        return self.type.startswith("tensor<")

    def __str__(self) -> str:
        return self.name


def tensor_type(sizes: tuple[int | None, ...]) -> str:
    """The type of a tensor of f32.

    >>> tensor_type((None, 4))
    'tensor<?x4xf32>'
    """
    return f"tensor<{'x'.join('?' if size is None else str(size) for size in sizes)}xf32>"
