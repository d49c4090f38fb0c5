"""The operations of affine that compute index values: apply, min, max, and positions in a basis."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import AffineMapAttr, BoolAttr, DenseArrayBase, IndexType, UnitAttr, i64
from xdsl.irdl import (
    AttrSizedOperandSegments,
    base,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from volcli_dialects.affine.syntax import Applied
from volcli_dialects.syntax.pieces import SQUARE, Attributes, IndexList, Inferred, OperandList, Type, Types
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.written import Maybe, Operand, WrittenOperation


class MapOp(WrittenOperation, ABC):
    """A function of a map's results: `affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]`."""

    arguments = var_operand_def(IndexType)
    result = result_def(IndexType)
    map = prop_def(AffineMapAttr)

    traits = traits_def(Pure())

    SYNTAX: ClassVar = (
        " ", Applied("map", dims_optional=True), Attributes(), Inferred("result", lambda _: [IndexType()])
    )  # fmt: skip


@operation("affine.apply")
class ApplyOp(MapOp):
    """The map's only result: `affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]`."""

    SYNTAX: ClassVar = (" ", Applied("map"), *MapOp.SYNTAX[2:])


@operation("affine.min")
class MinOp(MapOp):
    """The smallest of the map's results: `affine.min affine_map<(d0)[s0] -> (d0, s0 + 1)>(%i)[%n]`."""


@operation("affine.max")
class MaxOp(MapOp):
    """The largest of the map's results: `affine.max affine_map<(d0)[s0] -> (d0, s0 + 1)>(%i)[%n]`."""


@operation("affine.delinearize_index")
class DelinearizeIndexOp(WrittenOperation):
    """`%r:3 = affine.delinearize_index %x into (4, %n, 3) : index, index, index`.

    The digits of x: x floordiv 3n, x floordiv 3 mod n, x mod 3. The outermost element of the basis is a
    promise on x only, and may be missing.
    """

    linear_index = operand_def(IndexType)
    dynamic_basis = var_operand_def(IndexType)
    static_basis = prop_def(DenseArrayBase.constr(i64))
    multi_index = var_result_def(IndexType)

    traits = traits_def(Pure())

    SYNTAX: ClassVar = (
        " ", Operand("linear_index", IndexType()), " into ", IndexList("dynamic_basis", "static_basis"),
        Attributes(), Maybe(" : ", Types("multi_index"), when=lambda _: True),
    )  # fmt: skip


@operation("affine.linearize_index")
class LinearizeIndexOp(WrittenOperation):
    """`%x = affine.linearize_index disjoint [%a, %b, %c] by (4, %n, 3) : index`: x = a 3n + b 3 + c.

    `disjoint` promises that the digits lie inside the basis. Its outermost element has no other meaning, and
    may be missing.
    """

    multi_index = var_operand_def(IndexType)
    dynamic_basis = var_operand_def(IndexType)
    static_basis = prop_def(DenseArrayBase.constr(i64))
    # In generic form mlir-opt says `disjoint = false` for what is absent in custom form.
    disjoint = opt_prop_def(base(UnitAttr) | base(BoolAttr))
    linear_index = result_def(IndexType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    @property
    def is_disjoint(self) -> bool:
        """Whether the digits are promised to lie inside the basis."""
        return self.disjoint is not None and self.disjoint != BoolAttr.from_bool(False)

    SYNTAX: ClassVar = (
        Maybe(" disjoint", of="disjoint", when=lambda op: op.is_disjoint), " ",
        OperandList("multi_index", IndexType(), SQUARE), " by ", IndexList("dynamic_basis", "static_basis"),
        Attributes(), " : ", Type("linear_index"),
    )  # fmt: skip
