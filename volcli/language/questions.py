"""The questions that volcli puts to operations; the answers stand beside each dialect.

| question         | what it answers for an operation                                      |
|------------------|-----------------------------------------------------------------------|
| `problems`       | what makes it invalid, in mlir-opt's words                            |
| `definition`     | its loops, what they access, and the body of scalars, as of linalg.generic |
| `element_reads`  | per result: which operand elements each result element comes from     |
| `result_sizes`   | per result: the size of each dimension, as an index expression        |
| `size_facts`     | pairs of sizes that must be equal for the operation to be defined     |
| `index_value`    | the value of the index or integer result, as an index expression      |
| `wrapped_value`  | the value, exactly, of arithmetic that is unsigned or wraps around    |
| `may_overflow`   | the sums and products that it computes, as integers: in the machine, their lower bits |
| `index_values`   | per result, where there are several: its value                        |
| `condition`      | when an i1 result is true, as a disjunction of affine conditions      |
| `vanishing`      | when the scalar result is the number 0, given which operands are      |
| `number_kinds`   | what kinds of numbers its result is, given those of the operands      |
| `factors`        | the positions of two operands whose product is all that it uses       |
| `ignores_sign`   | the positions of operands whose zeros may be +0 or -0 alike           |
| `fastmath`       | the fastmath flags that it carries, if it can carry any               |
| `constant_fill`  | the number that every element of the result is, if there is one       |
| `iterator_names` | the names of the loops, for printed sets                              |
| `loop`           | what its induction variables run through, and what it carries         |
| `until`          | the loop of a condition that it is, of which the form makes one of `loop` |
| `indices`        | what its regions' arguments run through: indices of a result          |
| `element_numbers` | per result: the integer that an element is, by its coordinates d0, d1, ... |
| `elements`       | the integers that the constant holds, row-major, if they are not many |
| `choices`        | per result: the values that it may be, and when it is which           |
| `passed`         | per region: the values that its arguments are, where it is run once   |
| `guards`         | what holds whenever one of its regions runs                           |
| `branches`       | when it branches to each of its successors, and what it passes there  |
| `value_facts`    | per result: what holds of its value, where it is not determined       |
| `value_cases`    | the same where it is one of several cases: a disjunction per result   |
| `determined`     | per result: polynomial conditions that determine it, as of a quotient by a value |
| `varies`         | that each number that these admit occurs, one for all that it names   |
| `iterates`       | the operation whose loop points its result is a coordinate of         |
| `either`         | for which operands, if they are free, its i1 result may be either     |
| `unit`           | the number as second operand with which the result is the first one   |
| `assumptions`    | what holds once it has run: an assertion, an assumption               |
| `poison_free`    | what its operands must fulfil, or its result is poison: no sum wraps  |
| `demands`        | what its operands must fulfil, or it is undefined: no divisor is 0    |
| `requires`       | what else must hold where it runs: an element that it names exists; `[]`: it is total |
| `callee`         | the function that it calls, where its body is seen                    |
| `slice_of`       | the slice of a tensor or memref that it reads, writes or names        |
| `literal`        | the attribute with all numbers of the constant                        |
| `insertion`      | the tensor that it puts elements of another one into, having no result |
| `copies`         | whether it writes what it reads, element by element                   |
| `accesses`       | which elements of memory it reads and writes, regions apart           |
| `effects`        | what else it does: it prints, frees, exposes a buffer, or it is unknown |
| `tensor_reads`   | which elements of its tensor operands it needs, not what it overwrites |
| `tensor_writes`  | which single elements of a tensor operand its result has another value of |
| `in_place`       | the operands in whose memory its tensors may be: what may be overwritten |
| `view`           | which element of another memref an element of the result is           |
| `memory_of`      | the value that is not a memref, a tensor say, and whose memory its result is |
| `buffer`         | that the result is memory of its own, or a global                     |
| `allocation`     | the operands that its result, which is new, is as large as            |
| `combines`       | that it is associative and commutative, by affine.parallel's name     |
| `laws`           | what its result is where operands are equal, or one is a number: x - x is 0 |
| `subtracts`      | that it combines its first operand with what undoes the second one    |
| `instructions`   | what it takes to compute its results, or the numbers that it needs    |
| `parallelize`    | how it becomes a loop without an order: that loop, if it can be one   |
| `plain_access`   | the same access, through index values instead of a map                |
| `structured`     | its loops, what they access, and how a part of it is made             |

A case states mathematics only. Without one (None) the engines are conservative, and report the operation.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Literal

from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from volcli.language.definitions import TensorDefinition
from volcli.language.expressions import Expression, parameter, value_of
from volcli.language.instructions import Instructions
from volcli.language.interface import Interface, each_of, one_of, reads_fit, sizes_fit
from volcli.language.kinds import KindsOf
from volcli.language.loops import Branch, Choice, Guard, Indices, Loop, While
from volcli.language.memory import Allocation, Buffer, Effects, MemoryAccess, View
from volcli.language.reads import Condition, Conjunction, Disjunction, ElementReads, Product, Use
from volcli.language.structured_ops import StructuredNest


class Vanishing(Enum):
    """How zeros pass through a scalar operation."""

    IF_ANY_OPERAND = auto()
    """A product: zero if one factor is, and the other is finite."""
    IF_ALL_OPERANDS = auto()
    """Sums, extrema, casts, negation: zero if all operands are, and the same number for +0 and -0."""
    BY_CONDITION = auto()
    """A select: zero where the chosen operand is."""


@dataclass(frozen=True)
class Problem:
    """What makes an operation invalid: its parts do not fit ("structure"), or sizes differ ("shape")."""

    kind: Literal["structure", "shape"]
    message: str


@dataclass(frozen=True)
class SizeFact:
    """Two sizes that must be equal, or the operation is undefined; `what` says it for a reader."""

    left: Expression
    right: Expression
    what: str


@dataclass(frozen=True)
class StridedSlice:
    """The elements `source[offset_0 + k_0 * stride_0, ...]` for all `0 <= k_d < size_d`.

    `updated` is the value that has the elements of SOURCE but for the slice, if the operation makes one.
    """

    source: SSAValue
    offsets: tuple[Expression, ...]
    sizes: tuple[Expression, ...]
    strides: tuple[Expression, ...]
    updated: SSAValue | None = None


@dataclass(frozen=True)
class Callee:
    """The function that is called, and what it returns, wherever it does: a value for each result."""

    function: Operation
    returned: tuple[tuple[SSAValue, ...], ...]


class FloorQuotients:
    """Quotients that are rounded down, each a parameter: `floors` are their numerators and divisors.

    >>> quotients = FloorQuotients()
    >>> quotients.up(parameter("n"), parameter("b")), quotients.floors
    (q0 + 1, {'q0': (n - 1, b)})
    """

    def __init__(self) -> None:
        self.floors: dict[str, tuple[Expression, Expression]] = {}

    def down(self, a: Expression, b: Expression) -> Expression:
        """floor(a / b) where b >= 1."""
        if b.is_constant:
            return a // b
        name = f"q{len(self.floors)}"
        self.floors[name] = a, b
        return parameter(name)

    def up(self, a: Expression, b: Expression) -> Expression:
        """ceil(a / b) where b >= 1."""
        return self.down(a - 1, b) + 1


@dataclass(frozen=True)
class ResultCases:
    """What determines a result: one of `cases` holds, and it is the only number with which it does.

    Cases are polynomial, and over quotients `floors[name]` = (a, b), the parameter of that name being
    floor(a / b); in a case with one, b >= 1. In the cases `others` the result is not determined, in those
    called `undefined` the operation is not defined.
    """

    cases: Disjunction
    floors: Mapping[str, tuple[Expression, Expression]]
    others: Disjunction = ()
    undefined: Disjunction = ()


@dataclass(frozen=True, eq=False)
class Insertion:
    """`dest[element(l)] = source[l]` for all elements l of the source."""

    dest: SSAValue
    source: SSAValue
    element: tuple[Expression, ...]


@dataclass(frozen=True)
class Law:
    """What a result is if the operands at the positions `equal` are, or that at `given[0]` is `given[1]`.

    It is then `number`, of which all bits may be set: -1; or the operand at the position `operand`.
    """

    equal: tuple[int, int] | None = None
    given: tuple[int, int] | None = None
    number: int | None = None
    operand: int | None = None


Sizes = Sequence[Expression | None]
"""The sizes of one result's dimensions; None where the operation does not determine one."""

problems: Interface[Sequence[Problem]] = Interface("problems")
definition: Interface[TensorDefinition | None] = Interface("definition", kept=True)
element_reads: Interface[Sequence[ElementReads]] = Interface("element_reads", kept=True, fits=reads_fit)
result_sizes: Interface[Sequence[Sizes]] = Interface("result_sizes", fits=sizes_fit)
index_value: Interface[Expression | None] = Interface("index_value", fits=one_of(Expression))
wrapped_value: Interface[Expression | None] = Interface("wrapped_value")
may_overflow: Interface[Sequence[Expression]] = Interface("may_overflow")
index_values: Interface[Sequence[Expression | None]] = Interface("index_values")
condition: Interface[Condition | None] = Interface("condition", kept=True)
vanishing: Interface[Vanishing] = Interface("vanishing")
number_kinds: Interface[KindsOf] = Interface("number_kinds")
factors: Interface[Sequence[int]] = Interface("factors")
ignores_sign: Interface[Container[int]] = Interface("ignores_sign")
fastmath: Interface[frozenset[str]] = Interface("fastmath")
constant_fill: Interface[float | int | None] = Interface("constant_fill")
size_facts: Interface[Sequence[SizeFact]] = Interface("size_facts")
iterator_names: Interface[Sequence[str] | None] = Interface("iterator_names")
loop: Interface[Loop | While | None] = Interface("loop", kept=True, fits=one_of(Loop, While))
until: Interface[While] = Interface("until")
indices: Interface[Indices | None] = Interface("indices")
element_numbers: Interface[Sequence[Expression | None]] = Interface("element_numbers")
elements: Interface[Sequence[int] | None] = Interface("elements")
choices: Interface[Sequence[Sequence[Choice]]] = Interface("choices")
passed: Interface[Sequence[Sequence[SSAValue]]] = Interface("passed")
guards: Interface[Sequence[Guard]] = Interface("guards", kept=True)
branches: Interface[Sequence[Branch]] = Interface("branches")
value_facts: Interface[Sequence[Conjunction]] = Interface("value_facts")
value_cases: Interface[Sequence[Disjunction]] = Interface("value_cases")
either: Interface[Sequence[SSAValue]] = Interface("either")
unit: Interface[int | None] = Interface("unit")
determined: Interface[Sequence[ResultCases | None]] = Interface("determined")
varies: Interface[Hashable] = Interface("varies")
iterates: Interface[Operation | None] = Interface("iterates")
assumptions: Interface[Sequence[Disjunction]] = Interface("assumptions")
demands: Interface[Sequence[Disjunction]] = Interface("demands")
requires: Interface[Sequence[Disjunction] | None] = Interface("requires")
poison_free: Interface[Sequence[Disjunction]] = Interface("poison_free")
callee: Interface[Callee | None] = Interface("callee")
slice_of: Interface[StridedSlice] = Interface("slice_of")
literal: Interface[Attribute | None] = Interface("literal")
insertion: Interface[Insertion] = Interface("insertion")
copies: Interface[bool] = Interface("copies")
accesses: Interface[Sequence[MemoryAccess]] = Interface("accesses", kept=True, fits=each_of(MemoryAccess))
effects: Interface[Effects] = Interface("effects", kept=True, fits=one_of(Effects))
tensor_reads: Interface[Sequence[MemoryAccess]] = Interface("tensor_reads")
tensor_writes: Interface[Sequence[MemoryAccess]] = Interface("tensor_writes")
in_place: Interface[Sequence[SSAValue]] = Interface("in_place")
view: Interface[View | None] = Interface("view", fits=one_of(View))
memory_of: Interface[SSAValue | None] = Interface("memory_of")
buffer: Interface[Buffer] = Interface("buffer")
allocation: Interface[Allocation | None] = Interface("allocation")
combines: Interface[str | None] = Interface("combines")
laws: Interface[Sequence[Law]] = Interface("laws")
subtracts: Interface[str] = Interface("subtracts")
instructions: Interface[Instructions] = Interface("instructions")
parallelize: Interface[Callable[[], Operation | None]] = Interface("parallelize")
plain_access: Interface[Callable[[Sequence[SSAValue]], Operation]] = Interface("plain_access")
structured: Interface[StructuredNest | None] = Interface("structured")


def value_of_result(result: OpResult) -> Expression | None:
    """What the operation that defines RESULT says of its value: by `index_value`, or `index_values`."""
    if len(result.op.results) == 1 and (value := index_value(result.op)) is not None:
        return value
    values = index_values(result.op)
    return None if values is None else values[result.index]


def stated_number(value: SSAValue) -> Expression | None:
    """The number that VALUE is, if its operation says one."""
    stated = value_of_result(value) if isinstance(value, OpResult) else None
    return stated if stated is not None and stated.is_constant else None


def holds(value: SSAValue) -> Conjunction:
    """The i1 VALUE is true (1)."""
    return (value_of(value) - 1,)


def fails(value: SSAValue) -> Conjunction:
    """The i1 VALUE is false (0)."""
    return (-value_of(value),)


def use_through(op: Operation, position: int, use: Use = Use()) -> Use:  # noqa: B008 (it is immutable)
    """USE of a scalar, after the operand at POSITION of OP that is computed from it.

    A factor of a product adds that product. What can tell +0 from -0 needs zeros of a known sign: of the
    products so far, or of the operand. (Its flag `nsz` would let a compiler choose the sign, in each run.)

    `1 / (0 * x)`: after the product, the use of x is in the product 0 * x; after the division it is in that
    product, now signed, and in the divisor itself.
    """
    rule = vanishing(op)
    multiplied = factors(op) or ((0, 1) if rule is Vanishing.IF_ANY_OPERAND else ())
    if position in multiplied:
        product = Product(tuple(op.operands[k] for k in multiplied), op)
        use = Use((*use.products, product), use.sees_sign)
    elif rule is None and position not in (ignores_sign(op) or ()):
        operand = Product((op.operands[position],), op, signed=True)
        use = Use((*(replace(p, signed=True) for p in use.products), operand), sees_sign=True)
    return use
