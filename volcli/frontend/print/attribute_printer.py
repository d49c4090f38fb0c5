"""Printing attributes and types as mlir-opt spells them, with aliases."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TextIO

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    AnyFloat,
    ArrayAttr,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    UnrankedMemRefType,
    UnregisteredAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute, Operation, Region
from xdsl.ir.affine import AffineMap
from xdsl.printer import Printer

from volcli.frontend.parse.affine.affine_text import map_text, set_text
from volcli.frontend.parse.aliases import AliasTable


class AttributePrinter(Printer):
    """xDSL's printer, with aliases for affine maps and sets, and with mlir-opt's spelling elsewhere.

    The elements of an array, and the memory space of a memref, lack their type if it is i64 or f64.
    Dictionaries are sorted by name.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream=stream)
        self.aliases = AliasTable()
        # The uses of aliases in the regions, and the types, of the operation last printed in generic form.
        self._in_regions = (0, 0)
        self._in_types = (0, 0)

    def print_attribute(self, attribute: Attribute) -> None:
        match attribute:
            case AffineMapAttr():
                self.print_string(self.aliases.reference(f"affine_map<{map_text(attribute.data)}>"))
            case AffineSetAttr():
                self.print_string(self.aliases.reference(f"affine_set<{set_text(attribute.data)}>"))
            case ArrayAttr():
                with self.in_square_brackets():
                    self.print_list(attribute.data, self._print_element)
            case MemRefType() | UnrankedMemRefType():
                self._print_memref(attribute)
            case UnregisteredAttr():
                self.print_string(str(attribute), indent=0)  # its text as it is, in however many lines
            case _:
                super().print_attribute(attribute)

    def print_resource_handle(self, dialect: str, handle: str) -> None:
        """The name of a resource, in quotes where it is no identifier."""
        self.print_identifier_or_string_literal(handle)

    def _print_element(self, attribute: Attribute) -> None:
        """An attribute where i64 and f64 go without saying."""
        match attribute:
            case IntegerAttr(type=kind) if kind == i64:
                self.print_int(attribute.value.data)
            case FloatAttr(type=kind) if kind == f64 and type(attribute) is FloatAttr:
                self.print_float(attribute.value.data, f64)
            case _:
                self.print_attribute(attribute)

    def _print_memref(self, kind: MemRefType | UnrankedMemRefType) -> None:
        self.print_string("memref")
        with self.in_angle_brackets():
            if isinstance(kind, UnrankedMemRefType):
                self.print_string("*x")
            elif kind.shape.data:
                self.print_dimension_list(kind.get_shape())
                self.print_string("x")
            self.print_attribute(kind.element_type)
            if isinstance(kind, MemRefType) and not _is_identity(kind.layout, kind.get_num_dims()):
                self.print_string(", ")
                self.print_attribute(kind.layout)
            if not isinstance(kind.memory_space, NoneAttr):
                self.print_string(", ")
                self._print_element(kind.memory_space)

    def print_float(self, value: float, type: AnyFloat) -> None:
        if math.isfinite(value):
            super().print_float(value, type)
        else:
            self.print_string(f"0x{type.pack((value,))[::-1].hex().upper()}")

    def print_attr_dict(self, attr_dict: Mapping[str, Attribute]) -> None:
        super().print_attr_dict(dict(sorted(attr_dict.items())))

    # The order of the uses of aliases in generic form

    def print_op_with_default_format(self, op: Operation) -> None:
        start = self.aliases.position()
        super().print_op_with_default_format(op)
        self.aliases.reorder(start, [self._in_regions, self._in_types])

    def print_regions(self, regions: Sequence[Region]) -> None:
        start = self.aliases.position()
        super().print_regions(regions)
        self._in_regions = start, self.aliases.position()

    def print_operation_type(self, op: Operation) -> None:
        start = self.aliases.position()
        super().print_operation_type(op)
        self._in_types = start, self.aliases.position()


def _is_identity(layout: Attribute, rank: int) -> bool:
    """Whether a layout is that of a memref without one."""
    if isinstance(layout, AffineMapAttr):
        return layout.data == AffineMap.identity(rank)
    return isinstance(layout, NoneAttr)


def uncounted_aliases(printer: Printer) -> AbstractContextManager[None]:
    """Meanwhile, PRINTER makes no aliases; mlir-opt makes none in attributes of a function's arguments."""
    return printer.aliases.uncounted() if isinstance(printer, AttributePrinter) else nullcontext()
