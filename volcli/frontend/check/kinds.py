"""The kinds of attributes and types that a constraint of xDSL admits, and what mlir-opt calls them.

>>> from xdsl.dialects.builtin import IndexType, MemRefType, f32
>>> from xdsl.irdl import base
>>> what_is_wanted(base(IndexType)), what_is_wanted(base(MemRefType)), admits(base(IndexType), f32)
('index', 'memref of any type values', False)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DictionaryAttr,
    FloatAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorBaseTypeAndRankConstraint,
    VectorBaseTypeConstraint,
    VectorRankConstraint,
    VectorType,
)
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import (
    AllOf,
    AnyOf,
    BaseAttr,
    EqAttrConstraint,
    MessageConstraint,
    ParamAttrConstraint,
    RangeLengthConstraint,
    RangeOf,
    VarConstraint,
)
from xdsl.irdl.constraints import VerificationContext
from xdsl.utils.exceptions import PyRDLError, VerifyException

_NAMES: dict[type[Attribute], str] = {
    ArrayAttr: "array",
    DictionaryAttr: "dictionary",
    FloatAttr: "float",
    FunctionType: "type attribute of function type",
    IndexType: "index",
    IntegerAttr: "integer",
    StringAttr: "string",
    SymbolRefAttr: "symbol reference",
    UnitAttr: "unit",
    VectorType: "vector of any type values",
}
_SHAPED: dict[frozenset[type[Attribute]], str] = {
    frozenset((MemRefType,)): "memref of any type values",
    frozenset((UnrankedMemRefType,)): "unranked.memref of any type values",
    frozenset((MemRefType, UnrankedMemRefType)): "ranked or unranked memref of any type values",
    frozenset((TensorType,)): "ranked tensor of any type values",
    frozenset((UnrankedTensorType,)): "unranked tensor of any type values",
    frozenset((TensorType, UnrankedTensorType)): "tensor of any type values",
}
_VECTORS = (VectorBaseTypeConstraint, VectorRankConstraint, VectorBaseTypeAndRankConstraint)
_CONTAINERS = frozenset((TensorType, UnrankedTensorType, VectorType))


def element_constraint(constraint: Any) -> Any:
    """What a constraint on a list of types says of each of them."""
    if type(constraint) is RangeLengthConstraint:
        return element_constraint(constraint.constraint)
    return constraint.constr if type(constraint) is RangeOf else constraint


def admits(constraint: Any, attribute: Attribute, is_exact: bool = True) -> bool:
    """Whether CONSTRAINT admits ATTRIBUTE; unless it is exact, only classes and whole attributes count."""
    constraint = element_constraint(constraint)
    if is_exact:
        try:
            constraint.verify(attribute, VerificationContext())
        except (VerifyException, PyRDLError):
            return False
        return True
    kind = cast("Any", type(constraint))
    if kind is EqAttrConstraint:
        return bool(constraint.attr == attribute)
    if kind is BaseAttr:
        return isinstance(attribute, constraint.attr)
    if kind is ParamAttrConstraint:
        return isinstance(attribute, constraint.base_attr)
    if kind is VarConstraint:
        return admits(constraint.constraint, attribute, is_exact)
    if kind is MessageConstraint:
        return admits(constraint.constr, attribute, is_exact)
    if kind is AnyOf:
        return any(admits(each, attribute, is_exact) for each in constraint.attr_constrs)
    if kind in _VECTORS:
        return isinstance(attribute, VectorType)
    if kind is AllOf:
        return all(admits(each, attribute, is_exact) for each in constraint.attr_constrs)
    classes = cast("set[type[Attribute]] | None", constraint.get_bases())
    return classes is None or isinstance(attribute, tuple(classes))


class Binding(NamedTuple):
    """A variable of a definition and what a type makes of it; IS_WHOLE: it is the type, and no part of it."""

    variable: str
    value: Attribute
    is_whole: bool


def bindings(constraint: Any, attribute: Attribute, is_whole: bool = True) -> Iterator[Binding]:
    """What ATTRIBUTE makes of the variables of CONSTRAINT, but for those in alternatives.

    >>> from xdsl.dialects.builtin import ComplexType, f32
    >>> from xdsl.irdl import AnyAttr
    >>> constraint = ParamAttrConstraint(ComplexType, (VarConstraint("T", AnyAttr()),))
    >>> [(each.variable, str(each.value)) for each in bindings(constraint, ComplexType(f32))]
    [('T', 'f32')]
    """
    constraint = element_constraint(constraint)
    kind = cast("Any", type(constraint))
    if kind is VarConstraint:
        yield Binding(constraint.name, attribute, is_whole)
        yield from bindings(constraint.constraint, attribute, is_whole)
    elif kind is MessageConstraint:
        yield from bindings(constraint.constr, attribute, is_whole)
    elif kind is ParamAttrConstraint and isinstance(attribute, constraint.base_attr):
        parameters = cast("ParametrizedAttribute", attribute).parameters
        for each, parameter in zip(constraint.param_constrs, parameters, strict=True):
            yield from bindings(each, parameter, is_whole=False)


def _alternatives(constraint: Any) -> Iterator[Any]:
    """What each alternative of CONSTRAINT asks for; none of them is an alternative again."""
    kind = cast("Any", type(constraint))
    if kind is AnyOf:
        for each in constraint.attr_constrs:
            yield from _alternatives(each)
    elif kind is VarConstraint:
        yield from _alternatives(constraint.constraint)
    elif kind is MessageConstraint:
        yield from _alternatives(constraint.constr)
    else:
        yield constraint


def what_is_wanted(constraint: Any) -> str | None:
    """What CONSTRAINT admits, as mlir-opt says it; None if it has no short name."""
    found = list(_alternatives(element_constraint(constraint)))
    kinds = [_kind(each) for each in found]
    if None in kinds:
        return None
    classes = frozenset(kind for kind in kinds if kind is not None)
    if classes in _SHAPED:
        return _SHAPED[classes]
    if MemRefType in classes:
        rest = AnyOf(tuple(each for each in found if _kind(each) is not MemRefType))
        wanted = what_is_wanted(rest)
        return wanted and f"{wanted} or memref of {wanted.removesuffix('-like')}"
    scalars = classes - _CONTAINERS
    like = "-like" if classes & _CONTAINERS else ""
    if all(_is_i1(each) or _kind(each) in _CONTAINERS for each in found) and scalars:
        return "bool-like" if like else "1-bit signless integer"
    if scalars == frozenset[type[Attribute]]((IntegerType, IndexType)):
        return "signless-integer-like" if like else "signless integer or index"
    if scalars == frozenset[type[Attribute]]((IntegerType,)):
        return "signless-fixed-width-integer-like" if like else "signless integer"
    floats = [kind for kind in scalars if issubclass(kind, AnyFloat)]
    if floats and scalars <= {IntegerType, *floats}:
        return f"{'signless-integer-or-float' if IntegerType in scalars else 'floating-point'}{like}"
    if like or len(classes) != 1:
        return None
    return _NAMES.get(next(iter(classes)))


def _is_i1(constraint: Any) -> bool:
    return type(constraint) is EqAttrConstraint and bool(constraint.attr == IntegerType(1))


def _kind(constraint: Any) -> type[Attribute] | None:
    """The one class of the attributes that CONSTRAINT admits, if it is known."""
    kind = cast("Any", type(constraint))
    if kind is EqAttrConstraint:
        return cast("type[Attribute]", type(constraint.attr))
    if kind is BaseAttr:
        return cast("type[Attribute]", constraint.attr)
    return cast("type[Attribute]", constraint.base_attr) if kind is ParamAttrConstraint else None
