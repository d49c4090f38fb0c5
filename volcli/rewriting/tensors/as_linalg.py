"""Operations that have a definition, written as linalg.generic.

    %r = tosa.conv2d %x, %w, %b, ..        becomes   %p = tensor.pad %x with zeros, where a window leaves it
                                                     %s = linalg.generic ins(%p, %w) outs(splat of 0)
                                                     %r = linalg.generic ins(%s, %b) outs(tensor.empty)

The first loop nest is that of the definition with its body up to what a point leaves for the next one; the
second one, if there is one, does the rest for each element. Sizes are known: how far padding reaches follows
from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    i32,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.definitions import DefinedOutput, TensorDefinition
from volcli.language.expressions import Expression, Index, LoopIndex, NotAffine, constant, loops
from volcli.language.memory import is_memref
from volcli.language.programs.backward_slices import backward_slice
from volcli.language.reads import Access, Condition, element_type, whole
from volcli.model.function import FunctionModel
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.slices import MixedSlice
from volcli.rewriting.tensors.scope import Scope
from volcli.rewriting.tensors.tensors import AnyTensor, filled, pad

_STATES = "it has several results, or a state that is none"


def write_as_linalg(changes: Changes, model: FunctionModel, op: Operation) -> bool:
    """Put linalg.generic in the place of OP, if it has a definition and is none itself. Raises NotAffine."""
    if questions.structured(op) is not None or questions.definition(op) is None:
        return False
    if len(op.results) != 1:
        raise NotAffine(_STATES)
    value = linalg_of(Scope(changes.before(op), model, model.view(op.results[0])), op)
    if value is not None:
        changes.replace(op, [value])
    return value is not None


def linalg_of(scope: Scope, op: Operation, *, bias_first: bool = False) -> SSAValue | None:
    """The result of OP, by operations that are made in SCOPE; None without definition. Raises NotAffine.

    With BIAS_FIRST, a sum begins with its bias, as mlir-opt has it.
    """
    stated = questions.definition(op)
    if stated is None or any(output.begins and is_memref(output.begins) for output in stated.outputs):
        return None
    if len(stated.outputs) != 1 or len(op.results) != 1:
        raise NotAffine(_STATES)
    values = (value for inner in stated.block.ops for value in (*inner.operands, *inner.results))
    if not all(_is_scalar(value.type) for value in values):
        raise NotAffine("its body does not compute with scalars of arith")
    if any(type(inner) is type(op) for inner in stated.block.ops):
        raise NotAffine("its body is the operation itself")
    return _Linalg(scope, op, stated).value(bias_first=bias_first)


def _is_scalar(kind: Attribute) -> bool:
    if isa(kind, IntegerType):
        return kind.signedness.data is Signedness.SIGNLESS
    return isa(kind, AnyFloat)


@dataclass
class _Linalg:
    """The loop nest OF which OP is defined as, under construction in SCOPE."""

    scope: Scope
    op: Operation
    of: TensorDefinition
    extents: dict[int, int] = field(default_factory=dict[int, int])

    def __post_init__(self) -> None:
        (self.output,) = self.of.outputs
        kind = self.op.results[0].type
        if not isa(kind, AnyTensor):
            raise NotAffine("its sizes are not known")
        self.kind = kind
        sizes = zip(self.output.element, kind.get_shape(), strict=True)
        known = [(e.single_atom, size) for e, size in sizes if size != DYNAMIC_INDEX]
        self.extents |= {a.position: size for a, size in known if isinstance(a, LoopIndex)}
        for k, size in enumerate(self.of.known_extents()):
            resolved = None if size is None else self.scope.view.store.resolve(size)
            if resolved is not None and resolved.is_constant:
                self.extents.setdefault(k, resolved.constant)

    def value(self, *, bias_first: bool = False) -> SSAValue:
        """The result; with BIAS_FIRST a sum begins with what is added at last."""
        output = self.output
        left = output.left or output.yields
        if output.left is None:
            return self._nest(left, output.element, self._begun(output))
        rest = output.otherwise
        if rest is None:
            raise NotAffine("what its last point does is not followed")
        stated = self.of.arguments.items()
        argument = next(a for a, at in stated if isinstance(at, Access) and at.operand is rest.operand)
        rank = len(self.kind.get_shape())
        out = Access(self._empty(), loops(rank))
        if bias_first and is_bias(output, argument):
            begun = self._generic(argument, {argument: rest}, out, (True,) * rank)
            return self._nest(left, output.element, begun)
        sums = self._nest(left, output.element, self._begun(output))
        return self._generic(output.yields, {left: whole(sums), argument: rest}, out, (True,) * rank)

    def _begun(self, output: DefinedOutput) -> SSAValue:
        """The tensor of the numbers that elements begin with."""
        kind, sizes = self.kind.element_type, self.scope.sizes(self.op.results[0])
        if output.state is None and output.initial is None and output.element == loops(self.of.loops):
            return self._empty()
        if isinstance(output.initial, Access) or output.initial is None:
            raise NotAffine("it begins with elements of an operand")
        if not self.kind.has_static_shape():
            raise NotAffine("its sizes are not known")
        return filled(self.scope, self._number(output.initial, kind), sizes)

    def _empty(self) -> SSAValue:
        """A tensor as the result is, of any elements."""
        result = self.op.results[0]
        sizes = zip(self.kind.get_shape(), self.scope.sizes(result), strict=True)
        dynamic = [self.scope.number(size) for stated, size in sizes if stated == DYNAMIC_INDEX]
        values = [self.scope.builder.constant(n) if isinstance(n, int) else n for n in dynamic]
        return self.scope.builder.make("tensor.empty", values, result=self.kind)

    def _number(self, value: float, kind: Attribute) -> SSAValue:
        number: Attribute
        if isa(kind, IntegerType):
            number = IntegerAttr(int(value), kind)
        else:
            assert isa(kind, AnyFloat)
            number = FloatAttr(value, kind)
        return self.scope.builder.make("arith.constant", [], result=kind, properties={"value": number})

    def _nest(self, yields: SSAValue, element: tuple[Expression, ...], initial: SSAValue) -> SSAValue:
        """The loop nest of the definition, up to what YIELDS."""
        used = set(backward_slice(yields, self.of.block))
        accesses = {
            argument: self._inside(at)
            for argument, at in self.of.arguments.items()
            if isinstance(at, Access) and argument in used
        }
        alone = {
            index.single_atom.position
            for index in (*element, *(e for at in accesses.values() for e in at.index))
            if isinstance(index, Expression) and isinstance(index.single_atom, LoopIndex)
        }
        kept = [k for k in range(self.of.loops) if k in alone]
        if any(self.extents.get(k) != 1 for k in range(self.of.loops) if k not in alone):
            raise NotAffine("a loop runs along no dimension alone")
        moving = {atom for e in element for atom in e.atoms()}
        parallel = tuple(LoopIndex(k) in moving for k in kept)
        return self._generic(yields, accesses, Access(initial, element), parallel, kept)

    def _inside(self, access: Access) -> Access:
        """ACCESS to its operand, or to one that is padded with zeros as far as indices leave it."""
        if access in self.of.bounds:
            return access
        sizes = self.scope.sizes(access.operand)
        low, high = [0] * len(sizes), [0] * len(sizes)
        index: list[Index] = list(access.index)
        for d, (e, size) in enumerate(zip(access.index, sizes, strict=True)):
            if not isinstance(e, Expression) or not size.is_constant:
                raise NotAffine("its sizes are not known")
            first, last = self._range(e)
            low[d], high[d] = max(0, -first), max(0, last - (size.constant - 1))
            index[d] = e + low[d]
        if not any((*low, *high)):
            return access
        kind = element_type(access.operand.type)
        self._check_zeros(kind)
        zero = self._number(0.0, kind)
        shape = [low[d] + size.constant + high[d] for d, size in enumerate(sizes)]
        amounts = MixedSlice(tuple(low), tuple(high), tuple(shape))
        return Access(pad(self.scope, access.operand, amounts, zero), tuple(index))

    def _check_zeros(self, kind: Attribute) -> None:
        """What lies around an operand of KIND is a zero of a product: zero points, of integers, are 0."""
        if self.output.initial != 0.0:
            raise NotAffine("what lies around its operand is not a zero")
        stated = (at for at in self.of.arguments.values() if isinstance(at, Access))
        for value in [at.operand for at in stated if at.index == (constant(0),) and isa(kind, IntegerType)]:
            if not isinstance(value, OpResult) or questions.constant_fill(value.op) != 0:
                raise NotAffine("a zero point that is not 0")

    def _range(self, index: Expression) -> tuple[int, int]:
        """The least and the largest number that INDEX is over the loops."""
        first = last = index.constant
        for atom, factor in index.terms:
            if not isinstance(atom, LoopIndex) or atom.position not in self.extents:
                raise NotAffine(f"{index} is not a sum of loops of known extents")
            way = factor * (self.extents[atom.position] - 1)
            first, last = (first, last + way) if factor > 0 else (first + way, last)
        return first, last

    def _generic(
        self,
        yields: SSAValue,
        accesses: Mapping[SSAValue, Access],
        out: Access,
        parallel: Sequence[bool],
        kept: Sequence[int] | None = None,
    ) -> SSAValue:
        """`linalg.generic` of ACCESSES into OUT, whose body is what YIELDS is computed from these."""
        place = {k: n for n, k in enumerate(range(len(parallel)) if kept is None else kept)}
        every = (*accesses.values(), out)
        indices = [tuple(_affine(e, place) for e in access.index) for access in every]
        maps = [AffineMapAttr(AffineMap(len(parallel), 0, index)) for index in indices]
        body = self._body(yields, list(accesses))
        kinds = [IteratorTypeAttr.parallel() if each else IteratorTypeAttr.reduction() for each in parallel]
        properties: dict[str, Attribute] = {
            "indexing_maps": ArrayAttr(maps),
            "iterator_types": ArrayAttr(kinds),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(accesses), 1]),
        }
        operands = [access.operand for access in every]
        made = self.scope.builder.operation(
            "linalg.generic", operands, results=[self.kind], properties=properties, regions=[Region(body)]
        )
        return made.results[0]

    def _body(self, yields: SSAValue, arguments: Sequence[SSAValue]) -> Block:
        """A block of ARGUMENTS, and of what is there, that computes YIELDS."""
        block = Block(arg_types=[*(a.type for a in arguments), self.kind.element_type])
        known: dict[SSAValue, SSAValue] = dict(zip(arguments, block.args, strict=False))
        if self.output.state is not None:
            known[self.output.state] = block.args[-1]
        inside = self.scope.builder.inside(block)
        for value in backward_slice(yields, self.of.block, known):
            if value in known or not isinstance(value, OpResult):
                continue
            if value.op.operands and isinstance(self.of.arguments.get(value.op.operands[0]), Condition):
                known[value] = known[value.op.operands[1]]  # what lies around the operand is in the operand
                continue
            copy = value.op.clone(known)
            known[value] = inside.known(copy).results[0]
        inside.operation("linalg.yield", [known[yields]])
        return block


def is_bias(output: DefinedOutput, argument: SSAValue | None = None) -> bool:
    """Whether OUTPUT's last point adds a number (ARGUMENT, if one is given) to a sum of floats."""
    made = output.yields
    if output.left is None or not isinstance(made, OpResult) or made.op.name != "arith.addf":
        return False
    one, other = made.op.operands
    return one is output.left and (argument is None or other is argument)


def _affine(index: Index, place: Mapping[int, int]) -> AffineExpr:
    """A sum of loops, each in its PLACE."""
    assert isinstance(index, Expression), "an index that is known"
    terms = [
        AffineExpr.dimension(place[atom.position]) * factor
        for atom, factor in index.terms
        if isinstance(atom, LoopIndex) and atom.position in place
    ]
    return reduce(lambda left, right: left + right, terms, AffineExpr.constant(index.constant))
