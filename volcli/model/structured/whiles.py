"""Loops with a condition whose iterations can be counted, as loops that count.

    %r = scf.while (%i = %init) : (index) -> index {
      %c = arith.cmpi slt, %i, %n : index
      scf.condition(%c) %i : index                        %t = scf.for %i = %init to %n step %s { ... }
    } do {
    ^bb0(%i: index):  ...  scf.yield %i + %s
    }

The two regions are the header and the body of a loop of blocks, which `structure` counts:

    ^head(%i):   %c = ...    cf.cond_br %c, ^body(%i), ^exit(%i)
    ^body(%i):   ...         cf.br ^head(%i + %s)

A tensor without dimensions of integers that goes around, as the counter of stablehlo.while does, is passed on
as a number: `%t = from_elements %n` at the beginning of a region, `%m = extract %u[]` at its end. A loop that
is not one of scf becomes one of scf, with numbered iterations, whether it counts or not.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.loops import While
from volcli.language.programs.element_numbers import number_of
from volcli.language.programs.known_loops import is_while, known_loop
from volcli.language.reads import element_type, is_number, rank_of
from volcli.model.structured.copying import EXECUTE_REGION, Copier, OperationNamed, Structured, Values
from volcli.model.structured.structure import structured

_TENSOR = "tensor.from_elements"


def counted_while(op: Operation, operation: OperationNamed) -> Structured | None:
    """What does the same as OP, a loop with a condition; None if it is one of scf that cannot be counted."""
    foreign = questions.until(op)
    loop = known_loop(op) if foreign is None else foreign
    if not isinstance(loop, While):
        return None
    blocks = _AsBlocks(op, operation).run(loop)
    made = structured(blocks.function, operation)
    if made is not None and (foreign or not any(map(is_while, made.function.regions[0].block.ops))):
        return made.of(blocks)
    for copy in (blocks, made):
        if copy is not None:
            copy.discard()
    return None


class _AsBlocks(Copier):
    """Copies a loop with a condition as blocks that branch to each other."""

    def run(self, loop: While) -> Structured:
        op = self.at
        values = ((), loop.before, loop.after, op.results)
        entry, head, body, end = blocks = [Block(arg_types=map(_passed_type, each)) for each in values]
        around = self._operation(EXECUTE_REGION).create(
            result_types=[result.type for result in op.results], regions=[Region(blocks)]
        )
        around.parent = op.parent  # for what is asked of the values around it
        self.made = Structured(around, {around: op})
        self.branch(entry, head, self._numbers_of(loop.initial, entry))
        self.begin(loop.before, self._tensors_of(loop.before, head))
        self.copy_before_end(op.regions[0].block, head)
        forwarded = self._numbers_of(self.mapped(loop.forwarded), head)
        self.at = op  # the place of the loop
        (condition,) = self._numbers_of(self.mapped([loop.condition]), head)
        self.branch_if(head, condition, (body, forwarded), (end, forwarded))
        self.begin(loop.after, self._tensors_of(loop.after, body))
        self.copy_before_end(op.regions[1].block, body)
        self.branch(body, head, self._numbers_of(self.mapped(loop.yielded), body))
        results = self._tensors_of(op.results, end)
        self.bind(op.results, results)
        self.make("scf.yield", end, results)
        return self.made

    def _numbers_of(self, values: Sequence[SSAValue], into: Block) -> Values:
        """VALUES as they are passed on, from the end of the block INTO."""
        return [self._number_of(each, into) if _is_one_number(each) else each for each in values]

    def _number_of(self, tensor: SSAValue, into: Block) -> SSAValue:
        if isinstance(tensor, OpResult) and tensor.op.name == _TENSOR:
            return tensor.op.operands[0]
        kind, known = element_type(tensor.type), number_of(tensor)
        if known is not None and known.is_constant:
            return self.number(known.constant, kind)
        return self.make("tensor.extract", into, [tensor], [kind]).results[0]

    def _tensors_of(self, values: Sequence[SSAValue], into: Block) -> Values:
        """What stands for VALUES, which the arguments of the block INTO pass."""
        return [
            self.make(_TENSOR, into, [passed], [value.type]).results[0] if _is_one_number(value) else passed
            for value, passed in zip(values, into.args, strict=True)
        ]


def _is_one_number(value: SSAValue) -> bool:
    """Whether VALUE is a tensor of one integer."""
    return isa(value.type, TensorType) and rank_of(value) == 0 and is_number(element_type(value.type))


def _passed_type(value: SSAValue) -> Attribute:
    return element_type(value.type) if _is_one_number(value) else value.type
