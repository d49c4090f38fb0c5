"""reify-bounds: sizes of results in terms of operands, and allocations of a constant size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    MemRefType,
    NoneAttr,
    ShapedType,
    StridedLayoutAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from volcli import questions
from volcli.expressions import Atom, Dim, Expression, NotAffine, Product, Value, substitute, value_of
from volcli.interface import operation_name
from volcli.model.bounds.definitions import Variable
from volcli.model.bounds.elimination import Kept
from volcli.model.bounds.store import BoundsStore
from volcli.model.function import FunctionModel
from volcli.passes.base import Pass, Unit, option
from volcli.passes.discovery import discovery_order, visible
from volcli.passes.materialize import Materializer, Site

AnyTensor = TensorType[Attribute]
AnyMemRef = MemRefType[Attribute]

_DIMENSIONS = ("tensor.dim", "memref.dim")
_ALLOCATIONS = ("tensor.empty", "memref.alloc", "memref.alloca")


@dataclass(frozen=True)
class ReifyBounds(Pass):
    """Replace each `tensor.dim` and `memref.dim` of a result by what that size is.

    The size is a constant, or an expression over index values and over sizes that nothing determines, as
    operations of affine (or of arith). The operation that made the result is then often dead: it was only
    asked for its size.

    With `pad-allocs`, a `tensor.empty`, `memref.alloc` or `memref.alloca` gets a constant size wherever a
    constant bounds a dynamic one; what uses it sees the same type and sizes as before: a slice of the tensor,
    or the beginning of the memory, whose elements lie as they did.
    """

    name = "reify-bounds"
    summary = "sizes of results by sizes of operands; with pad-allocs, allocations of constant size"
    rewrites = True

    pad_allocs: bool = option(False, help="allocate the largest size where that is a constant")
    use_arith_ops: bool = option(False, help="make operations of arith, not of affine")

    def apply(self, unit: Unit) -> None:
        changed = [_Sizes(unit, model, self.use_arith_ops).replace() for model in unit.models()]
        if any(changed):
            unit.rewrote()
        if self.pad_allocs and sum(_pad_all(unit, model) for model in unit.models()):
            unit.rewrote()


# -- sizes -------------------------------------------------------------------------------------------------


class _Sizes:
    """The sizes that the operations of one function ask for."""

    def __init__(self, unit: Unit, model: FunctionModel, use_arith: bool) -> None:
        self._context = unit.parsed.context
        self._model = model
        self._use_arith = use_arith
        self._store = BoundsStore(model.function, model.name_of, stops=_is_index, like=model.bounds)
        self._replaced: dict[SSAValue, SSAValue] = {}

    def replace(self) -> bool:
        """Replace what can be; whether anything was."""
        asked = [(op, size) for op in self._model.function.walk() if (size := _asked(op)) is not None]
        known = [(op, size, found) for op, size in asked if (found := self._size(op, size)) is not None]
        for op, size, found in known:
            self._replace(op, size, found)
        return bool(known)

    def _size(self, op: Operation, size: Dim) -> Expression | None:
        """What SIZE is, over what may be spoken of where OP stands; None if that is nothing new."""
        for store, kept in ((self._store, _index_values(self._store)), self._leaves()):
            expression = store.value(size.value, size.dimension)
            found = store.bounds_of(expression, op, kept).equal
            if found is None or found.single_atom == size:
                continue
            variables = [atom for atom in found.atoms() if isinstance(atom, Value | Dim)]
            if all(visible(v.value, op, store.definitions) for v in variables) and not _has_product(found):
                return found
        return None

    def _leaves(self) -> tuple[BoundsStore, Kept]:
        """The second choice: by what nothing determines."""
        store = self._model.bounds
        leaves = store.leaves()
        return store, Kept("index leaves", lambda v: leaves.contains(v) and (_is_size(v) or _is_index(v)))

    def _replace(self, op: Operation, size: Dim, found: Expression) -> None:
        order = discovery_order(size)
        ranked = {v: order(v) for v in found.atoms() if isinstance(v, Value | Dim)}

        def current(atom: Atom) -> Expression | None:
            if not isinstance(atom, Value) or atom.value not in self._replaced:
                return None
            new = Value(self._replaced[atom.value])
            ranked[new] = ranked[atom]
            return value_of(new.value)

        never_negative = _NeverNegative(self._model.bounds, op)
        expression = substitute(found, current)
        site = Site(op, self._context)
        made = Materializer(site, lambda v: ranked[v], self._use_arith, never_negative).value(expression)
        self._replaced[op.results[0]] = made
        Rewriter.replace_op(op, [], [made])


@dataclass
class _NeverNegative:
    """Whether an expression is known to be at least 0 where OP stands."""

    store: BoundsStore
    op: Operation

    def __call__(self, expression: Expression) -> bool:
        low = self.store.constant_bounds_of(self.store.definitions.resolve(expression), self.op).lower
        return low is not None and low >= 0


def _asked(op: Operation) -> Dim | None:
    """The size that OP asks for, if it is one of a result."""
    if operation_name(op) not in _DIMENSIONS or not isinstance(op.operands[0], OpResult):
        return None
    kind = op.operands[0].type
    try:
        stated = questions.value_of_result(op.results[0])
    except NotAffine:
        return None
    atom = None if stated is None else stated.single_atom
    if isinstance(atom, Dim) and isinstance(kind, ShapedType) and atom.dimension < len(kind.get_shape()):
        return atom
    return None


def _is_index(variable: Variable) -> bool:
    return isinstance(variable, Value) and isinstance(variable.value.type, IndexType)


def _is_size(variable: Variable) -> bool:
    return isinstance(variable, Dim)


def _index_values(store: BoundsStore) -> Kept:
    """Index values, and sizes that nothing determines."""
    return Kept(
        "index values",
        lambda v: _is_index(v) or (isinstance(v, Dim) and store.definitions.definition(v).is_leaf),
    )


def _has_product(expression: Expression) -> bool:
    return any(isinstance(atom, Product) for atom in expression.atoms())


# -- allocations -------------------------------------------------------------------------------------------


def _pad_all(unit: Unit, model: FunctionModel) -> bool:
    """Pad the allocations of one function; whether there were any."""
    padded: list[tuple[Operation, list[int]]] = []
    for op in model.function.walk():
        if operation_name(op) in _ALLOCATIONS and (sizes := _padded_sizes(model.bounds, op)) is not None:
            padded.append((op, sizes))
    for op, sizes in padded:
        if isa(op.results[0].type, AnyTensor):
            _pad_tensor(Site(op, unit.parsed.context), op, sizes)
        else:
            _pad_memref(Site(op, unit.parsed.context), op, sizes)
    return bool(padded)


def _padded_sizes(store: BoundsStore, op: Operation) -> list[int] | None:
    """OP's sizes with a constant for each dynamic one that has a bound; None if none has."""
    value = op.results[0]
    kind = value.type
    if isa(kind, AnyMemRef):
        is_plain = isinstance(kind.layout, NoneAttr)
    else:
        is_plain = isa(kind, AnyTensor) and isinstance(kind.encoding, NoneAttr)
    assert isinstance(kind, ShapedType)
    sizes = list(kind.get_shape())
    if not is_plain or len(op.operands) != sizes.count(DYNAMIC_INDEX):
        return None
    for dimension, size in enumerate(sizes):
        if size == DYNAMIC_INDEX:
            upper = store.constant_bounds(value, dimension, at=op).upper
            sizes[dimension] = upper if upper is not None and upper >= 0 else DYNAMIC_INDEX
    return None if sizes == list(kind.get_shape()) else sizes


def _dynamic_sizes(op: Operation, sizes: Sequence[int]) -> list[SSAValue]:
    """The operands of OP for the dimensions that stay dynamic in SIZES."""
    kind = op.results[0].type
    assert isinstance(kind, ShapedType)
    dynamic = [new for old, new in zip(kind.get_shape(), sizes, strict=True) if old == DYNAMIC_INDEX]
    return [o for o, size in zip(op.operands, dynamic, strict=True) if size == DYNAMIC_INDEX]


def _larger(site: Site, op: Operation, sizes: Sequence[int], kind: Attribute) -> SSAValue:
    """OP again, of a KIND with these SIZES."""
    operands = _dynamic_sizes(op, sizes)
    properties = dict(op.properties)
    if (segments := properties.get("operandSegmentSizes")) is not None:
        assert isa(segments, DenseArrayBase)
        properties["operandSegmentSizes"] = DenseArrayBase.from_list(segments.elt_type, [len(operands), 0])
    return site.make(operation_name(op), operands, result=kind, properties=properties)


def _slice_lists(offsets: int, shape: Sequence[int], strides: Sequence[int]) -> dict[str, Attribute]:
    """The integers of offsets (all 0), sizes and strides; what is dynamic is an operand."""
    lists = {"offsets": [0] * offsets, "sizes": list(shape), "strides": list(strides)}
    return {f"static_{name}": DenseArrayBase.from_list(i64, numbers) for name, numbers in lists.items()}


def _pad_tensor(site: Site, op: Operation, sizes: Sequence[int]) -> None:
    """The first elements of a larger tensor, along each dimension."""
    kind = op.results[0].type
    assert isa(kind, AnyTensor)
    shape = kind.get_shape()
    whole = _larger(site, op, sizes, TensorType(kind.get_element_type(), sizes))
    segments = DenseArrayBase.from_list(i32, [1, 0, len(op.operands), 0])
    lists = _slice_lists(len(shape), shape, [1] * len(shape))
    part = site.make("tensor.extract_slice", [whole, *op.operands], result=kind,
                     properties={**lists, "operandSegmentSizes": segments})  # fmt: skip
    Rewriter.replace_op(op, [], [part])


def _pad_memref(site: Site, op: Operation, sizes: Sequence[int]) -> None:
    """The beginning of a larger memory, with the old sizes and strides, so that the type is the old one."""
    kind = op.results[0].type
    assert isa(kind, AnyMemRef)
    shape = kind.get_shape()
    whole = _larger(site, op, sizes, MemRefType(kind.element_type, sizes, kind.layout, kind.memory_space))
    strides, dynamic_strides = _strides(site, op, shape)
    segments = DenseArrayBase.from_list(i32, [1, 0, len(op.operands), len(dynamic_strides)])
    layout = StridedLayoutAttr([NoneAttr() if s == DYNAMIC_INDEX else s for s in strides], 0)
    strided = MemRefType(kind.element_type, shape, layout, kind.memory_space)
    lists = {**_slice_lists(1, shape, strides), "operandSegmentSizes": segments}
    part = site.make("memref.reinterpret_cast", [whole, *op.operands, *dynamic_strides],
                     result=strided, properties=lists)  # fmt: skip
    same = site.make("memref.cast", [part], result=kind)
    for use in list(op.results[0].uses):
        if operation_name(use.operation) == "memref.dealloc":
            use.operation.operands[use.index] = whole
    Rewriter.replace_op(op, [], [same])


def _strides(site: Site, op: Operation, shape: Sequence[int]) -> tuple[list[int], list[SSAValue]]:
    """The strides of a memref with SHAPE that lies row by row; those that are not constant are operands."""
    operands = list(op.operands)
    strides, dynamic = [1], list[SSAValue]()
    unknown: SSAValue | None = None
    factor = 1
    for size in reversed(shape[1:]):
        if size != DYNAMIC_INDEX:
            factor *= size
        else:
            operand = operands.pop()
            unknown = operand if unknown is None else site.make("arith.muli", [unknown, operand])
        strides.insert(0, factor if unknown is None else DYNAMIC_INDEX)
        if unknown is not None:
            whole = unknown if factor == 1 else site.make("arith.muli", [unknown, site.constant(factor)])
            dynamic.insert(0, whole)
    return strides[-len(shape) :], dynamic
