"""What is wrong with a structured operation, in mlir-opt's words.

The loops, the maps and the operands of a structured operation must fit together: one map for each operand,
all over the same loops, as many subscripts as the operand has dimensions, and every loop the subscript of
some dimension, so that the dimension's size is the loop's range. From these ranges follow the operands'
sizes. In `linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<6x7xf32>) ...` loop k has range 5 by %a,
hence:

    inferred input/output operand #1 has shape's dimension #0 to be 5, but found 6

Source: the answers of mlir-opt 22 (tests/dialects/linalg/test_linalg_problems.py compares). It looks at the
sizes only where all are static; here every size is compared that follows from a static one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from volcli.frontend.parse.affine.affine_text import map_text
from volcli.language.questions import Problem, problems
from volcli.language.reads import element_type
from volcli_dialects.linalg.dimension_problems import dimension_problems, shape_of
from volcli_dialects.linalg.scalars import IndexOp, YieldOp
from volcli_dialects.verification.problems import differences, first, messages, types


@problems.case(LinalgStructuredOperation)
def structure_problems(op: LinalgStructuredOperation) -> list[Problem]:
    """What mlir-opt's verifier would say of the operation, and all of it; an empty list if it is valid.

    Sizes are looked at only if maps and operands fit.
    """
    try:
        maps = [attribute.data for attribute in op.get_indexing_maps()]
    except ValueError as error:
        return [Problem("structure", str(error))]
    if found := first(_fit_problems(op, maps)):
        return found
    return [
        *(Problem("shape", message) for message in _shape_problems(op, maps)),
        *(Problem("structure", message) for message in (*_body_problems(op), *_result_problems(op))),
    ]


@messages(IndexOp)
def index_problems(op: IndexOp) -> Iterator[str | None]:
    """It names a loop of the structured operation around it."""
    parent, dim = op.parent_op(), op.dim.value.data
    if not isinstance(parent, LinalgStructuredOperation):
        if parent is not None and parent.name != "builtin.unregistered":
            yield "expected parent op with LinalgOp interface"
        return
    try:
        loops = len(parent.get_iterator_types())
    except ValueError:
        return
    if not 0 <= dim < loops:
        yield f"expected dim ({dim}) to be lower than the number of loops ({loops}) of the enclosing LinalgOp"


def _fit_problems(op: LinalgStructuredOperation, maps: Sequence[AffineMap]) -> Iterator[str | None]:
    yield from dimension_problems(op)
    yield _map_problem(op, maps)


def _is_tensor(kind: Attribute) -> bool:
    return isinstance(kind, TensorType)


def _map_problem(op: LinalgStructuredOperation, maps: Sequence[AffineMap]) -> str | None:
    """The first reason why the maps do not belong to these operands and loops."""
    kinds = [operand.type for operand in op.operands]
    if any(map(_is_tensor, kinds)) and any(isinstance(kind, MemRefType) for kind in kinds):
        return "expected to have pure tensor or buffer semantics"
    if len(maps) != len(kinds):
        return (
            f"expected the number of indexing_map ({len(maps)}) to be equal to the number of input/output "
            f"operands ({len(kinds)})"
        )
    for index, map_ in enumerate(maps):
        if map_.num_symbols:
            return f"unexpected symbols in indexing_map #{index}"
        if (rank := len(shape_of(op, index))) != len(map_.results):
            return (
                f"expected operand #{index} rank ({rank}) to match the result rank of indexing_map "
                f"({len(map_.results)})"
            )
    return _loop_problem(maps, len(op.get_iterator_types()))


def _loop_problem(maps: Sequence[AffineMap], loops: int) -> str | None:
    """Every loop must be some dimension's subscript, and every map be over all loops."""
    subscripts = tuple(result for map_ in maps for result in map_.results)
    found = {result.position for result in subscripts if isinstance(result, AffineDimExpr)}
    dims = max((map_.num_dims for map_ in maps), default=0)
    if len(found) < dims:
        return f"invalid indexing maps are non-invertible: ({map_text(AffineMap(dims, 0, subscripts))})"
    for index, map_ in enumerate(maps):
        if map_.num_dims != loops:
            return f"expected indexing_map #{index} to have {loops} dim(s) to match the number of loops"
    return None


def _loop_ranges(op: LinalgStructuredOperation, maps: Sequence[AffineMap]) -> dict[int, int]:
    """The range of each loop that subscripts a dimension of static size, by the first such dimension."""
    ranges: dict[int, int] = {}
    for operand, map_ in enumerate(maps):
        for result, size in zip(map_.results, shape_of(op, operand), strict=True):
            if isinstance(result, AffineDimExpr) and size >= 0:
                ranges.setdefault(result.position, size)
    return ranges


def _shape_problems(op: LinalgStructuredOperation, maps: Sequence[AffineMap]) -> Iterator[str]:
    """A subscript's values at the first and at the last iteration must lie in its dimension.

    A single loop reaches every index below its range, which therefore is the size; another expression need
    not fill the dimension.
    """
    ranges = _loop_ranges(op, maps)
    first = [0] * maps[0].num_dims if maps else []
    last = [ranges.get(loop, 1) - 1 for loop in range(len(first))]
    for operand, map_ in enumerate(maps):
        for dim, (result, size) in enumerate(zip(map_.results, shape_of(op, operand), strict=True)):
            if isinstance(result, AffineDimExpr) and ranges.get(result.position) == size:
                continue
            if size <= 0 or not _loops_of(result) <= ranges.keys():
                continue
            start, end = result.eval(first, []), result.eval(last, [])
            if min(start, end) < 0:
                yield f"unexpected result less than 0 at expression #{dim} in {map_text(map_)}"
                continue
            reached, exact = max(start, end) + 1, isinstance(result, AffineDimExpr)
            if reached != size if exact else reached > size:
                relation = f"{reached}" if exact else f"greater than or equal to {reached}"
                yield (
                    f"inferred input/output operand #{operand} has shape's dimension #{dim} to be "
                    f"{relation}, but found {size}"
                )


def _loops_of(expression: AffineExpr) -> set[int]:
    return {part.position for part in expression.dfs() if isinstance(part, AffineDimExpr)}


def _body_problems(op: LinalgStructuredOperation) -> Iterator[str]:
    """The body takes one element of each operand and yields one of each output."""
    if len(op.body.blocks) != 1:
        yield "expects to have 1 region with 1 block"
        return
    block = op.body.block
    if len(block.args) != len(op.operands):
        yield (
            "expected as many non-induction variable region arguments as the number of input/output operands"
        )
        return
    for index, given, element in differences(types(block.args), map(element_type, types(op.operands))):
        yield (
            f"expected type of bb argument #{index} ('{given}') to match element or self type of the "
            f"corresponding operand ('{element}')"
        )
    if isinstance(terminator := block.last_op, YieldOp):
        yield from _yield_problems(op, terminator)


def _yield_problems(op: LinalgStructuredOperation, terminator: YieldOp) -> Iterator[str]:
    yielded, outputs = terminator.operands, op.outputs
    if len(yielded) != len(outputs):
        yield (
            f"expected number of yield values ({len(yielded)}) to match the number of inits / outs operands "
            f"of the enclosing LinalgOp ({len(outputs)})"
        )
        return
    for index, given, element in differences(types(yielded), map(element_type, types(outputs))):
        yield (
            f"type of yield operand {index + 1} ('{given}') doesn't match the element type of the enclosing "
            f"{op.name} op ('{element}')"
        )


def _result_problems(op: LinalgStructuredOperation) -> Iterator[str]:
    """Each output that is a tensor has a result, of its type."""
    offset = len(op.operands) - len(op.outputs)
    kinds: list[Attribute] = [output.type for output in op.outputs]
    tensors = [(index, kind) for index, kind in enumerate(kinds, offset) if _is_tensor(kind)]
    if len(op.results) != len(tensors):
        yield (
            f"expected the number of tensor results ({len(op.results)}) to be equal to the number of output "
            f"tensors ({len(tensors)})"
        )
        return
    for (index, kind), result in zip(tensors, op.results, strict=True):
        if kind != result.type:
            yield (
                f"expected type of operand #{index} ('{kind}') to match type of corresponding result "
                f"('{result.type}')"
            )
