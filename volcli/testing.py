"""Checks a case of `element_reads` and `result_sizes` against a plain Python function, element by element.

The function takes an array (nested lists) for each operand and gives one for the result, as the operation
does. It is run on elements that know where they come from: what is computed from some of them comes from all
of them. So the elements that a result element is computed from are enumerated, and compared with what the
case says of operands of these sizes.

>>> check(
...     '''
...   func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
...     %shape = tensor.empty() : tensor<3x2xf32>
...     %r = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%shape : tensor<3x2xf32>) permutation = [1, 0]
...     return %r : tensor<3x2xf32>
...   }
... ''',
...     lambda x, shape: [[x[j][i] for j in range(2)] for i in range(3)],
... )

The operation is the last one before the return; its operands may be arguments or constants. With `reads=`
the function takes an index of the result instead, and lists the operand elements that are read there:

>>> text = '''
...   func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
...     %r = arith.addf %x, %y : tensor<4xf32>
...     return %r : tensor<4xf32>
...   }
... '''
>>> check(text, reads=lambda r: [("x", r), ("y", r)])
>>> check(text, lambda x, y: x)
Traceback (most recent call last):
    ...
volcli.testing.CaseError: arith.addf: element (0,) comes from x(0,); its case says x(0,), y(0,)

`check_execution` compares the case with the execution of the operation (a case of `volcli.execution.table`),
which needs no other function: the two are written apart, so each checks the other.

>>> check_execution(text)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, ShapedType
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.execution.memory.machine import Options
from volcli.execution.numbers.terms import FloatTerm
from volcli.execution.numbers.values import Array, Tensor
from volcli.execution.runs.engine import execute
from volcli.execution.runs.inputs import Inputs
from volcli.language import questions
from volcli.language.expressions import Atom, Dim, Expression, NotAffine, Value, constant, substitute
from volcli.loading.driver import loads
from volcli.presburger.measures.points import pairs

if TYPE_CHECKING:
    from volcli.model.function import FunctionModel

Point = tuple[int, ...]
OperandElement = tuple[str, Point]
"""An operand's name, without its %, and an index."""
Reads = Callable[[Point], Iterable[OperandElement]]


class CaseError(AssertionError):
    """A case states something wrong."""


@dataclass(frozen=True)
class Element:
    """A number that knows the elements it was computed from."""

    sources: frozenset[OperandElement]

    def _with(self, *others: object) -> Element:
        return computed_from(self, *others)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _with
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __lshift__ = __rshift__ = _with
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __neg__ = __abs__ = __invert__ = _with
    __lt__ = __le__ = __gt__ = __ge__ = _with

    def __bool__(self) -> bool:
        raise TypeError("the number is not known here: use `computed_from(a, b)` for a choice")


def computed_from(*elements: object) -> Element:
    """A number that is computed from ELEMENTS, as by `max(a, b)`. Plain numbers are not sources."""
    found = (each.sources for each in elements if isinstance(each, Element))
    return Element(frozenset[OperandElement]().union(*found))


def check(
    text: str, function: Callable[..., Any] | None = None, *, reads: Reads | None = None, exact: bool = True
) -> None:
    """Raise CaseError if the last operation of the function in TEXT differs from FUNCTION, or READS.

    All sizes in TEXT are numbers. With several results FUNCTION gives a tuple of arrays; READS is for one.
    Without EXACT the case may say more elements than there are, as where an index is data.
    """
    model, op = _subject(text)
    names = {value: model.name_of(value).removeprefix("%") for value in op.operands}
    if function is not None:
        arrays: Any = function(*(_array(names[v], v) for v in op.operands))
        results = cast("Sequence[Any]", arrays) if isinstance(arrays, tuple) else (arrays,)
        said: list[Mapping[Point, frozenset[OperandElement]]] = [dict(_elements(each)) for each in results]
    elif reads is not None:
        said = [{r: frozenset(reads(r)) for r in _box(op.results[0])}]
    else:
        raise TypeError("check needs a function, or reads")
    for result, truth in zip(op.results, said, strict=True):
        _compare_sizes(op, result, truth)
        _compare(op, model, result, truth, exact)


def check_execution(text: str, *, exact: bool = True) -> None:
    """Raise CaseError if the last operation in TEXT computes from other elements than its case says.

    The function is executed on terms: each float of its arguments is a name, and a result is what it is
    computed from. `mulf(a[0], addf(b[1], 2.0))` is computed from a[0] and b[1]. The operands of the operation
    are arguments or constants, and its results those of the function. Without EXACT the case may say more
    elements.
    """
    model, op = _subject(text)
    arguments = model.function.regions[0].blocks[0].args
    names = {each: model.name_of(each).removeprefix("%") for each in arguments}
    for operand in op.operands:
        if operand not in names and getattr(operand.owner, "operands", ()):
            raise CaseError(f"{op.name}: {model.name_of(operand)} is neither an argument nor a constant")
    found = _executed(model, op, list(names.values()))
    for result, array in zip(op.results, found, strict=True):
        truth = {r: _leaves(array[r]) for r in product(*map(range, array.shape))}
        _compare_sizes(op, result, truth)
        _compare(op, model, result, truth, exact, frozenset(names.values()))


def _executed(model: FunctionModel, op: Operation, names: Sequence[str]) -> list[Array]:
    """The results of the function, executed on terms."""
    module = model.function.get_toplevel_object()
    assert isinstance(module, ModuleOp)
    outcome = execute(module, model.function, names, Inputs(kind="terms"), Options(symbolic=True))
    if outcome.stopped is not None:
        raise CaseError(f"{op.name}: its execution stops: {outcome.stopped.message}")
    values = [result.value for result in outcome.results if result.name is None]
    return [value.data if isinstance(value, Tensor) else np.array(value, object) for value in values]


def _leaves(value: Any) -> frozenset[OperandElement]:
    """The elements of arguments that VALUE, a number or a term, is computed from."""
    waiting, seen, found = [value], set[int](), set[OperandElement]()
    while waiting:
        term = waiting.pop()
        if not isinstance(term, FloatTerm) or id(term) in seen:
            continue
        seen.add(id(term))
        if term.name == "element":
            found.add((term.key[1], term.key[2]))
        else:
            waiting += term.operands
    return frozenset(found)


def _subject(text: str) -> tuple[FunctionModel, Operation]:
    program = loads(text, via="xdsl")
    wrong = [str(each.message) for each in program.diagnostics]
    (unit,) = program.units
    models = unit.models()
    if wrong or len(models) != 1:
        raise CaseError("; ".join(wrong) or "the text is not one function")
    returned = models[0].function.regions[0].blocks[0].last_op
    op = returned.prev_op if returned is not None else None
    if op is None:
        raise CaseError("there is no operation before the return")
    return models[0], op


def _compare(
    op: Operation,
    model: FunctionModel,
    result: OpResult,
    truth: Mapping[Point, frozenset[OperandElement]],
    exact: bool,
    of: frozenset[str] | None = None,
) -> None:
    """Whether the case says of each element of RESULT what is the TRUTH, of the volumes OF (None: all)."""
    if not questions.element_reads.answers(type(op)):
        raise CaseError(f"{op.name}: there is no case of element_reads")
    claimed = model.maps.of_operation(result)
    if (failure := questions.element_reads.failure(op)) is not None:
        raise CaseError(f"{op.name}: {failure}")
    if exact and claimed.inexact is not None:
        raise CaseError(f"{op.name}: its map over-approximates: {claimed.inexact}")
    found: dict[Point, set[OperandElement]] = {}
    for use, relation in claimed.targets.items():
        name = model.name_of(use.volume).removeprefix("%")
        for r, x in pairs(relation) if of is None or name in of else ():
            found.setdefault(r, set()).add((name, x))
    for r in sorted({*truth, *found}):
        real, says = truth.get(r, frozenset[OperandElement]()), frozenset(found.get(r, ()))
        if not (real == says if exact else real <= says):
            raise CaseError(
                f"{op.name}: element {r} comes from {_listed(real)}; its case says {_listed(says)}"
            )


def _listed(sources: Iterable[OperandElement]) -> str:
    return ", ".join(f"{name}{index}" for name, index in sorted(sources)) or "nothing"


def _compare_sizes(op: Operation, result: OpResult, truth: Mapping[Point, object]) -> None:
    """Whether the sizes that the case says are those of the elements that there are."""
    try:
        stated = questions.result_sizes(op)
    except NotAffine as why:
        raise CaseError(f"{op.name}: its sizes are not known: {why}") from None
    if stated is None:
        reason = questions.result_sizes.failure(op) or "there is no case of result_sizes"
        raise CaseError(f"{op.name}: {reason}")
    sizes = [None if each is None else _number(each) for each in stated[result.index]]
    declared = _declared(result)
    known = [n if size is None else size for size, n in zip(sizes, declared, strict=True)]
    if set(truth) != set(product(*(range(n) for n in known))) or known != declared:
        raise CaseError(f"{op.name}: its case says sizes {sizes}, and there are {len(truth)} of {declared}")


def _number(size: Expression) -> int:
    """SIZE with the sizes of types, and constants, filled in."""

    def value(atom: Atom) -> Expression | None:
        match atom:
            case Dim(operand, d):
                return constant(_declared(operand)[d])
            case Value(OpResult() as operand) if (known := questions.index_value(operand.op)) is not None:
                return known
            case _:
                return None

    found = substitute(size, value)
    if not found.is_constant:
        raise CaseError(f"a size is not determined by the sizes of the operands: {found}")
    return found.constant


def _declared(value: SSAValue) -> list[int]:
    kind = value.type
    sizes = list(kind.get_shape()) if isinstance(kind, ShapedType) else []
    if DYNAMIC_INDEX in sizes:
        raise CaseError(f"{kind}: all sizes must be numbers here")
    return sizes


def _box(value: SSAValue) -> Iterator[Point]:
    return product(*(range(size) for size in _declared(value)))


def _array(name: str, value: SSAValue) -> Any:
    """The elements of an operand, as nested lists; a scalar is one element."""

    def nested(index: Point, sizes: Sequence[int]) -> Any:
        if not sizes:
            return Element(frozenset({(name, index)}))
        return [nested((*index, k), sizes[1:]) for k in range(sizes[0])]

    return nested((), _declared(value))


def _elements(array: Any, index: Point = ()) -> Iterator[tuple[Point, frozenset[OperandElement]]]:
    """The elements of nested lists (or of an array of NumPy), each with its sources; a number has none."""
    if isinstance(array, Element):
        yield index, array.sources
    elif hasattr(array, "__len__"):
        for k, inner in enumerate(array):
            yield from _elements(inner, (*index, k))
    else:
        yield index, frozenset()
