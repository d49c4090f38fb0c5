"""Types and constraints that the operations of several dialects share."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    AnyFloatConstr,
    IndexType,
    IntegerType,
    MemRefType,
    SignlessIntegerConstraint,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
    container_of,
    i1,
)
from xdsl.ir import Attribute
from xdsl.irdl import AnyOf, AttrConstraint, ParamAttrConstraint, base


def like(element: AttrConstraint) -> AttrConstraint:
    """An element type, or vectors and (ranked or unranked) tensors of it.

    `like(base(IndexType))` admits `index`, `vector<4xindex>` and `tensor<*xindex>`.
    """
    return AnyOf.get(container_of(element), ParamAttrConstraint(UnrankedTensorType, (element,)))


INTEGERS = like(base(IntegerType) | base(IndexType))
FLOATS = like(AnyFloatConstr)
FIXED_INTEGERS = like(SignlessIntegerConstraint)
ANY_MEMREF = base(MemRefType) | base(UnrankedMemRefType)
ANY_TENSOR = base(TensorType) | base(UnrankedTensorType)


def like_or_memref(element: AttrConstraint) -> AttrConstraint:
    """What `like` admits, and ranked buffers of the element type."""
    return like(element) | MemRefType.constr(element)


def with_element(kind: Attribute, element: Attribute) -> Attribute:
    """The type KIND with other elements: `vector<[4]xi1>` for `vector<[4]xf32>` and i1."""
    match kind:
        case VectorType():
            return VectorType(element, kind.shape, kind.scalable_dims)
        case TensorType():
            return TensorType(element, kind.shape, kind.encoding)
        case UnrankedTensorType():
            return UnrankedTensorType(element)
        case _:
            return element


def truth_of(kind: Attribute) -> Attribute:
    """The type of a comparison of values of type KIND: i1, or i1 in the same shape."""
    return with_element(kind, i1)
