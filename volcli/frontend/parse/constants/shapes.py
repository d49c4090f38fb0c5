"""Shapes and affine maps: what xDSL reads of them less than MLIR does."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    RankedStructure,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap, AffineSet
from xdsl.irdl import AttrConstraint, base
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRTokenKind

from volcli.frontend.parse.affine.affine_parser import SemiAffineParser
from volcli.frontend.parse.constants.memo import MemoParser
from volcli.limits.widths import GREATEST


@cache
def _dense_types() -> AttrConstraint[Any]:
    # Once: xDSL works the constraint out for each constant, which takes longer than all the rest of it.
    elements: Any = IntegerType | IndexType | AnyFloat | ComplexType
    return base(RankedStructure[elements])


class ShapeParser(MemoParser):
    """xDSL's parser with white space in shapes, semi-affine maps, and memrefs as MLIR simplifies them."""

    def parse_dimension_list(self) -> list[int]:
        """`4x?x8`, with or without white space around each `x`, as in `4 x ? x f32`."""
        dims: list[int] = []
        delimiter: int | None = None
        while self._current_token.kind in (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.QUESTION):
            dims.append(self.parse_shape_dimension())
            delimiter = self.pos
            if self._parse_optional_shape_delimiter() is None:
                return dims
        if delimiter is not None:
            self._resume_from(delimiter)  # the last `x` stands before the element type
        return dims

    def parse_shape_dimension(self, allow_dynamic: bool = True) -> int:
        token = self._current_token
        size = super().parse_shape_dimension(allow_dynamic)
        if size > GREATEST:
            raise ParseError(token.span, "invalid dimension")
        return size

    def _parse_int_or_question(self, context_msg: str = "") -> Any:
        token = self._current_token
        found = super()._parse_int_or_question(context_msg)
        if isinstance(found, int) and abs(found) > GREATEST:
            raise ParseError(token.span, "expected a 64-bit signed integer or '?'")
        return found

    def _parse_memref_attrs(self) -> MemRefType[Any] | UnrankedMemRefType[Any]:
        """As xDSL's; MLIR drops the identity as layout and 0 as memory space."""
        type_ = super()._parse_memref_attrs()
        space: Any = type_.memory_space
        is_default = isinstance(space, IntegerAttr) and space.value.data == 0
        if isinstance(type_, UnrankedMemRefType):
            return UnrankedMemRefType.from_type(type_.element_type) if is_default else type_
        layout = type_.layout
        is_identity = isinstance(layout, AffineMapAttr) and layout.data == AffineMap.identity(
            type_.get_num_dims()
        )
        if not is_identity and not is_default:
            return type_
        return MemRefType(
            type_.element_type,
            type_.shape,
            NoneAttr() if is_identity else layout,
            NoneAttr() if is_default else cast(Attribute, space),
        )

    def parse_affine_map(self) -> AffineMap:
        return SemiAffineParser(self._parser_state).parse_affine_map()

    def parse_affine_set(self) -> AffineSet:
        return SemiAffineParser(self._parser_state).parse_affine_set()

    def _parse_dense_literal_type(self) -> Any:
        type_: Any = self.expect(self.parse_optional_type, "Dense attribute must be typed!")
        if not _dense_types().verifies(type_):
            self.raise_error("expected a vector or tensor of integer, index, float or complex elements")
        if DYNAMIC_INDEX in type_.get_shape():
            self.raise_error("Dense literal attribute should have a static shape.")
        return type_
