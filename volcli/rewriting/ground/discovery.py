"""The order in which variables are visited backwards from a value, and what may be used where."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import AffineMapAttr, ShapedType
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.traits import IsolatedFromAbove

from volcli.language import questions
from volcli.language.expressions import Dim, Expression, NotAffine, Value
from volcli.language.interface import operation_name
from volcli.model.values.definitions.definitions import Definitions

Variable = Value | Dim
DiscoveryOrder = Callable[[Variable], tuple[int, int]]


def discovery_order(root: Variable) -> DiscoveryOrder:
    """Where a variable stands: breadth first from ROOT, along what operations say that their results are.

    The operands of what is made of a bound come in this order, as mlir-opt's do.
    """
    found: dict[Variable, int] = {root: 0}
    queue = deque([root])

    def position(variable: Variable) -> tuple[int, int]:
        while variable not in found and queue:
            for source in _sources(queue.popleft()):
                if source not in found:
                    found[source] = len(found)
                    queue.append(source)
        dimension = variable.dimension if isinstance(variable, Dim) else -1
        return found.setdefault(variable, len(found)), dimension

    return position


def _sources(variable: Variable) -> list[Variable]:
    """What VARIABLE is computed from, in the order of the operands."""
    value = variable.value
    owner = value.op if isinstance(value, OpResult) else _owner_of(value)
    if owner is None:
        return []
    operands = operands_in_order(owner)
    stated = stated_by_operation(variable)
    if stated is not None:
        rank = {operand: position for position, operand in reversed(list(enumerate(operands)))}
        atoms = dict.fromkeys(atom for atom in stated.atoms() if isinstance(atom, Value | Dim))
        return sorted(atoms, key=lambda a: (rank.get(a.value, len(rank)), getattr(a, "dimension", -1)))
    if isinstance(value, OpResult):
        operands += list(_yielded(value))
    return [source for operand in operands for source in _like(variable, operand)]


def _owner_of(argument: SSAValue) -> Operation | None:
    return argument.owner.parent_op()


def stated_by_operation(variable: Variable) -> Expression | None:
    """What the operation that makes VARIABLE says that it is, if it does."""
    value = variable.value
    if not isinstance(value, OpResult):
        return None
    try:
        if isinstance(variable, Value):
            return questions.value_of_result(value)
        sizes = questions.result_sizes(value.op)
        return None if sizes is None else sizes[value.index][variable.dimension]
    except NotAffine:
        return None


def asked_size(value: SSAValue) -> Dim | None:
    """The size that VALUE is: what a `tensor.dim` or a `memref.dim` asks for."""
    stated = stated_by_operation(Value(value))
    return stated.single_atom if stated is not None and isinstance(stated.single_atom, Dim) else None


def _like(variable: Variable, operand: SSAValue) -> Iterator[Variable]:
    """What VARIABLE may be of OPERAND: its value, or the same one of its sizes."""
    kind = operand.type
    if not isinstance(kind, ShapedType):
        yield Value(operand)
    elif isinstance(variable, Dim) and variable.dimension < len(kind.get_shape()):
        yield Dim(operand, variable.dimension)


def _yielded(value: OpResult) -> Iterator[SSAValue]:
    """What the regions of VALUE's operation yield for it."""
    for region in value.op.regions:
        last = region.blocks[-1].last_op if region.blocks else None
        if last is not None:
            yield from last.operands[value.index : value.index + 1]


def operands_in_order(op: Operation) -> list[SSAValue]:
    """OP's operands as mlir-opt looks at them: digits from the inner end, maps composed with those before."""
    match operation_name(op):
        case "affine.linearize_index":
            return list(reversed(op.operands))
        case "affine.apply":
            return _composed(op)
        case _:
            return list(op.operands)


def applications(value: SSAValue) -> Iterator[SSAValue]:
    """VALUE and, if it is an affine.apply, the applications that it is composed with."""
    yield value
    if _is_apply(value):
        assert isinstance(value, OpResult)
        for operand in value.op.operands:
            if _is_apply(operand):
                yield from applications(operand)


def _is_apply(value: SSAValue) -> bool:
    return isinstance(value, OpResult) and operation_name(value.op) == "affine.apply"


def _composed(op: Operation) -> list[SSAValue]:
    """The operands of the map that OP is, composed with the applications that it is of.

    What comes from these applications comes after the rest; once maps were composed, what may be a symbol
    becomes one, after the symbols.
    """
    dims, symbols = _dims_and_symbols(op)
    if not any(map(_is_apply, (*dims, *symbols))):
        return [*dims, *symbols]
    position = 0
    while position < len(dims) + len(symbols):
        group, index = (dims, position) if position < len(dims) else (symbols, position - len(dims))
        value = group[index]
        if not _is_apply(value):
            position += 1
            continue
        assert isinstance(value, OpResult)
        del group[index]
        inner_dims, inner_symbols = _dims_and_symbols(value.op)
        dims += inner_dims
        symbols += inner_symbols
        position = 0
    promoted = [value for value in dims if _may_be_symbol(value)]
    return [*(value for value in dims if not _may_be_symbol(value)), *symbols, *promoted]


def _dims_and_symbols(op: Operation) -> tuple[list[SSAValue], list[SSAValue]]:
    map_ = op.properties.get("map")
    count = map_.data.num_dims if isinstance(map_, AffineMapAttr) else 0
    return list(op.operands[:count]), list(op.operands[count:])


def _may_be_symbol(value: SSAValue) -> bool:
    """Whether VALUE is defined right in a function: not in a loop."""
    block = value.owner if not isinstance(value, OpResult) else value.op.parent
    owner = None if block is None else block.parent_op()
    return owner is not None and owner.has_trait(IsolatedFromAbove)


def visible(value: SSAValue, op: Operation, definitions: Definitions) -> bool:
    """Whether VALUE, of which something that OP uses is computed, may be used where OP stands.

    What is in a region that does not hold OP may not, nor what comes after OP in one that does (what a loop
    carries on, say).
    """
    block = value.op.parent if isinstance(value, OpResult) else value.owner
    if not isinstance(block, Block) or definitions.position(value) > definitions.place(op):
        return False
    region = op.parent_region()
    while region is not None and region is not block.parent:
        parent = region.parent
        region = None if parent is None else parent.parent_region()
    return region is not None
