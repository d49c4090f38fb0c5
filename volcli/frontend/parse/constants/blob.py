"""Constants written as the bytes of their elements, kept as text until someone asks for an element."""

from __future__ import annotations

import math
import re
import sys
from typing import Any

from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, i1
from xdsl.printer import Printer

from volcli.diagnostics.counted import counted
from volcli.frontend.parse.constants.splat import Extensible, splat
from volcli.limits import frontend as limits

_HEXADECIMAL = re.compile(r"0x([0-9A-Fa-f]*+)")


class BlobElementsAttr(Extensible, DenseIntOrFPElementsAttr[Any]):
    """`dense<"0x...">` with its text in `digits`, and its bytes, `data`, decoded on first use.

    It is a DenseIntOrFPElementsAttr for everyone who asks. Elements of i1 are bits, the lowest first.

    >>> from xdsl.dialects.builtin import TensorType, i1, i16
    >>> blob("0x01000200", TensorType(i16, [2])).get_values()
    (1, 2)
    >>> blob("0x05", TensorType(i1, [3])).get_values()
    (1, 0, 1)
    """

    __class__ = property(lambda self: DenseIntOrFPElementsAttr)  # pyright: ignore

    digits: str

    @property
    def data(self) -> BytesAttr:  # pyright: ignore[reportIncompatibleVariableOverride]
        decoded = vars(self).get("decoded")
        if decoded is None:
            content = bytes.fromhex(self.digits)
            if _is_bit(self.type):
                content = bytes(content[i // 8] >> i % 8 & 1 for i in range(len(self)))
            decoded = vars(self)["decoded"] = BytesAttr(content)
        return decoded

    def __len__(self) -> int:
        return math.prod(self.type.get_shape())

    def is_splat(self) -> bool:
        """Whether all elements are equal; MLIR would write them as one."""
        content, count = self.data.data, len(self)
        return content[: len(content) // count] * count == content if count else False

    @property
    def shape_is_complete(self) -> bool:
        return True

    def get_type(self) -> Any:
        return self.type  # without a look at the other parameter

    def verify(self) -> None:
        """Nothing is left to check: `blob` counted the bytes."""

    def print_without_type(self, printer: Printer) -> None:
        if len(self) <= limits.LISTED_ELEMENTS and all(
            value == value for value in self.iter_values()
        ):  # no NaN
            super().print_without_type(printer)
        else:
            printer.print_string(f'dense<"0x{self.digits}">')


def _is_bit(type_: Any) -> bool:
    return type_.element_type == i1


def blob(text: str, type_: Any, start: int = 0, end: int = sys.maxsize) -> DenseIntOrFPElementsAttr[Any]:
    """The constant with the bytes of TEXT, `0x` and two digits a byte; the bytes of one element are a splat.

    TEXT may be megabytes long: START and END say what to leave out of it, without a copy. Raises ValueError
    if it is not of this form or not of the length that the type asks for.
    """
    match = _HEXADECIMAL.fullmatch(text, start, end)
    if match is None or (match.end() - match.start()) % 2:
        raise ValueError("expected '0x' and two hexadecimal digits for each byte")
    digits, count = match[1], math.prod(type_.get_shape())
    size = type_.element_type.compile_time_size
    if _is_bit(type_):
        if digits.lower() in ("00", "ff"):
            return splat([int(digits, 16) & 1], type_)
        needed = (count + 7) // 8
    elif len(digits) == 2 * size and count > 1:
        return splat(list(type_.element_type.unpack(bytes.fromhex(digits), 1)), type_)
    else:
        needed = size * count
    if len(digits) != 2 * needed:
        taken = counted(count, "element takes", "elements take")
        raise ValueError(f"{taken} {counted(needed, 'byte')}, not {len(digits) // 2}")
    constant = object.__new__(BlobElementsAttr)
    vars(constant).update(type=type_, digits=digits)
    return constant
