"""What is wrong with operations of affine, in the words of mlir-opt 22.

A map has an operand for each of its dimensions and symbols. A symbol is fixed within its affine scope (the
function, say): a constant, a size, an argument of the scope, or an affine function of symbols. A dimension is
a symbol, an induction variable of affine, or an affine function of dimensions. A bound has one map or
several, a reduction a kind that fits the type of its value, and a body yields what the operation returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, IndexType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from volcli_dialects.affine.index import ApplyOp, DelinearizeIndexOp, LinearizeIndexOp, MaxOp, MinOp
from volcli_dialects.affine.loops import ForOp, IfOp, ParallelOp, YieldOp
from volcli_dialects.affine.memory import LoadOp, PrefetchOp, StoreOp, VectorLoadOp, VectorStoreOp
from volcli_dialects.syntax.properties import atomic_kind
from volcli_dialects.verification.problems import as_memref, element_of, messages, no_arguments_problem

_LOOPS = ("affine.for", "affine.parallel")
_MAPS = ("affine.apply", "affine.delinearize_index", "affine.linearize_index", "affine.max", "affine.min")
_SIZES = ("memref.dim", "tensor.dim")
_DIMENSION = "operand cannot be used as a dimension id"
_SYMBOL = "operand cannot be used as a symbol"


def is_known(op: Operation) -> bool:
    return op.name != "builtin.unregistered"


def _is_inside(parent: Operation | None) -> bool:
    """Whether the regions of PARENT are known to be no scopes of their own."""
    if parent is None or parent.name == "scf.execute_region":
        return False
    return parent.name.startswith(("affine.", "scf.", "linalg.", "tensor."))


def _stands_on_top(op: Operation) -> bool:
    """Whether OP stands in the scope itself and not in a loop or a branch of it."""
    return not _is_inside(op.parent_op())


def is_symbol(value: SSAValue) -> bool:
    """Whether VALUE may be a symbol; true as well where that is not known."""
    if not isinstance(value, OpResult):
        return not _is_inside(value.owner.parent_op() if isinstance(value, BlockArgument) else None)
    op = value.op
    if op.name.endswith(".constant") or _stands_on_top(op) or not is_known(op):
        return True
    if op.name in _MAPS or op.name.startswith("arith."):
        return all(is_symbol(operand) for operand in op.operands)
    return op.name in _SIZES or op.name not in _FIXED_NOWHERE


def is_dimension(value: SSAValue) -> bool:
    """Whether VALUE may be a dimension."""
    if isinstance(value, BlockArgument):
        return _is_loop_variable(value) or is_symbol(value)
    if isinstance(value, OpResult) and value.op.name in _MAPS:
        return all(is_dimension(operand) for operand in value.op.operands)
    return is_symbol(value)


_FIXED_NOWHERE = frozenset(
    {
        "memref.load", "affine.load", "tensor.extract", "linalg.index", "func.call",
    }
)  # fmt: skip
"""Operations whose results are no symbols if they stand in a loop or a branch."""


def operand_problem(op: Operation, operands: Sequence[SSAValue], dims: int) -> str | None:
    """The first DIMS of OPERANDS are dimensions, the others symbols, if OP's scope is its function."""
    scope = op.parent_op()
    while scope is not None and _is_inside(scope):
        scope = scope.parent_op()
    if scope is None or scope.name != "func.func":
        return None
    for index, operand in enumerate(operands):
        if index < dims and not is_dimension(operand):
            return _DIMENSION
        if index >= dims and not is_symbol(operand):
            return _SYMBOL
    return None


@messages(ApplyOp)
def apply_problems(op: ApplyOp) -> Iterator[str | None]:
    """One result; an operand for each dimension and symbol."""
    map_ = op.map.data
    if len(op.operands) != map_.num_dims + map_.num_symbols:
        yield "operand count and affine map dimension and symbol count must match"
    if len(map_.results) != 1:
        yield "mapping must produce one value"
    if any(_is_loop_variable(operand) for operand in op.operands[map_.num_dims :]):
        yield "dimensional operand cannot be used as a symbol"


def _is_loop_variable(value: SSAValue) -> bool:
    owner = value.owner.parent_op() if isinstance(value, BlockArgument) else None
    return owner is not None and owner.name in _LOOPS


@messages(MinOp, MaxOp)
def extremum_problems(op: MinOp | MaxOp) -> Iterator[str | None]:
    map_ = op.map.data
    if len(op.operands) != map_.num_dims + map_.num_symbols:
        yield "operand count and affine map dimension and symbol count must match"
    if not map_.results:
        yield "affine map expect at least one result"


def _access_problem(
    op: Operation, kind: Attribute, map_: AffineMapAttr, indices: Sequence[SSAValue]
) -> Iterator[str | None]:
    """A subscript for each dimension of the buffer."""
    memref = as_memref(kind)
    if memref is not None and len(map_.data.results) != len(memref.get_shape()):
        yield "affine map num results must equal memref rank"
    if len(indices) != map_.data.num_dims + map_.data.num_symbols:
        yield "expects as many subscripts as affine map inputs"
    else:
        yield operand_problem(op, indices, map_.data.num_dims)


@messages(LoadOp)
def load_problems(op: LoadOp) -> Iterator[str | None]:
    if op.result.type != element_of(op.memref.type):
        yield "result type must match element type of memref"
    yield from _access_problem(op, op.memref.type, op.map, op.indices)


@messages(StoreOp)
def store_problems(op: StoreOp) -> Iterator[str | None]:
    if op.value.type != element_of(op.memref.type):
        yield "value to store must have the same type as memref element type"
    yield from _access_problem(op, op.memref.type, op.map, op.indices)


def _vector_access(
    op: Operation, memref: Attribute, vector: Attribute, map_: AffineMapAttr, indices: Sequence[SSAValue]
) -> Iterator[str | None]:
    yield from _access_problem(op, memref, map_, indices)
    if element_of(vector) != element_of(memref):
        yield "requires memref and vector types of the same elemental type"


@messages(PrefetchOp)
def prefetch_problems(op: PrefetchOp) -> Iterator[str | None]:
    if op.locality_hint.value.data not in range(4):
        yield (
            "attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose "
            "minimum value is 0 whose maximum value is 3"
        )
    kind = op.memref.type
    memref = as_memref(kind)
    if memref is not None and len(op.map.data.results) != len(memref.get_shape()):
        yield "affine.prefetch affine map num results must equal memref rank"
    yield from _access_problem(op, kind, op.map, op.indices)


@messages(DelinearizeIndexOp)
def delinearize_problems(op: DelinearizeIndexOp) -> Iterator[str | None]:
    sizes = op.static_basis.get_values()
    if len(op.results) not in (len(sizes), len(sizes) + 1):
        yield "should return an index for each basis element and up to one extra index"
    yield from _basis_problems(sizes, len(op.dynamic_basis))


@messages(LinearizeIndexOp)
def linearize_problems(op: LinearizeIndexOp) -> Iterator[str | None]:
    sizes = op.static_basis.get_values()
    if len(sizes) not in (len(op.multi_index), len(op.multi_index) - 1):
        yield "should be passed a basis element for each index except possibly the first"
    yield from _basis_problems(sizes, len(op.dynamic_basis))


def _basis_problems(sizes: Sequence[int], dynamic: int) -> Iterator[str | None]:
    if list(sizes).count(DYNAMIC_INDEX) != dynamic:
        yield "mismatch between dynamic and static basis"
    if any(size <= 0 and size != DYNAMIC_INDEX for size in sizes):
        yield "no basis element may be statically non-positive"


messages(VectorLoadOp)(lambda op: _vector_access(op, op.memref.type, op.result.type, op.map, op.indices))
messages(VectorStoreOp)(lambda op: _vector_access(op, op.memref.type, op.value.type, op.map, op.indices))


@messages(ForOp)
def for_problems(op: ForOp) -> Iterator[str | None]:
    """The bounds have values, of dimensions and symbols; the body takes what the loop carries."""
    bounds = (
        ("lower", op.lower_bound_map.data, op.lower_bound_operands),
        ("upper", op.upper_bound_map.data, op.upper_bound_operands),
    )
    for name, map_, operands in bounds:
        if not map_.results:
            yield f"expected {name} bound map to have at least one result"
        if len(operands) == map_.num_dims + map_.num_symbols:
            yield operand_problem(op, operands, map_.num_dims)
        else:
            yield "operand count must match with affine map dimension and symbol count"
    block = op.body.first_block
    if block is not None and (not block.args or not isinstance(block.args[0].type, IndexType)):
        yield "expected body to have a single index argument for the induction variable"
    if len(op.results) != len(op.inits):
        yield "mismatch between the number of loop-carried values and results"
    if block is not None and len(block.args) != 1 + len(op.inits):
        yield (
            "mismatch between the number of basic block args and results"
            if len(block.args) != 1 + len(op.results)
            else "mismatch between the number of loop-carried values and results"
        )


@messages(IfOp)
def if_problems(op: IfOp) -> Iterator[str | None]:
    """An operand for each dimension and symbol of the condition; results need both branches."""
    condition = op.condition.data
    if len(op.arguments) != condition.num_dims + condition.num_symbols:
        yield "operand count and condition integer set dimension and symbol count must match"
    yield operand_problem(op, op.arguments, condition.num_dims)
    yield no_arguments_problem(op.then_region, op.else_region)
    if op.results and not op.else_region.blocks:
        yield (
            "along control flow edge from parent to parent: region branch point has 0 operands, but region "
            f"successor needs {len(op.results)} inputs"
        )


@messages(ParallelOp)
def parallel_problems(op: ParallelOp) -> Iterator[str | None]:
    """A reduction for each result, and positive steps."""
    if len(op.reductions.data) != len(op.results):
        yield "a reduction must be specified for each output"
    steps = [step.value.data for step in op.steps]
    yield _bounds_problem(op, len(steps))
    block = op.body.first_block
    if block is not None and len(block.args) != len(steps):
        yield "the number of region arguments and the number of map groups for lower, upper must match"
    yield from _reduction_messages(op)


def _bounds_problem(op: ParallelOp, rank: int) -> str | None:
    """That there is not a group of bounds for each of RANK variables, or an operand for each input."""
    inputs = 0
    for name, map_, groups in (
        ("lower", op.lower_bounds_map.data, op.lower_bounds_groups),
        ("upper", op.upper_bounds_map.data, op.upper_bounds_groups),
    ):
        counts = [int(count) for count in groups.get_values()]
        if len(counts) != rank:
            return f"the number of region arguments and the number of map groups for {name}, upper must match"
        if sum(counts) != len(map_.results) or 0 in counts:
            return f"expected {name} bounds map to have a result for each bound"
        inputs += map_.num_dims + map_.num_symbols
    if len(op.arguments) != inputs:
        return "operand count must match with affine map dimension and symbol count"
    return None


def _reduction_messages(op: ParallelOp) -> Iterator[str]:
    for kind, result in zip(op.reductions, op.results, strict=True):
        name, element = atomic_kind(kind.value.data), element_of(result.type)
        if name not in ("assign", "unknown") and name.endswith("f") != (
            not str(element).startswith(("i", "s", "u"))
        ):
            yield "result type cannot match reduction attribute"


@messages(YieldOp)
def yield_problems(op: YieldOp) -> Iterator[str | None]:
    """The results of the operation around it."""
    parent = op.parent_op()
    if parent is None or parent.name not in ("affine.for", "affine.if", "affine.parallel"):
        if parent is None or not is_known(parent):
            return
        yield "only terminates affine.if/for/parallel regions"
    if len(parent.results) != len(op.operands):
        yield "parent of yield must have same number of results as the yield operands"
    if any(a.type != b.type for a, b in zip(op.operands, parent.results, strict=True)):
        yield "types mismatch between yield op and its parent"
