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
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, Region

from volcli.language.loops import While
from volcli.language.programs.known_loops import is_while, known_loop
from volcli.model.structured.copying import EXECUTE_REGION, Copier, OperationNamed, Structured
from volcli.model.structured.structure import structured


def counted_while(op: Operation, operation: OperationNamed) -> Structured | None:
    """What does the same as OP, a loop with a condition; None if its iterations cannot be counted."""
    loop = known_loop(op)
    if not isinstance(loop, While):
        return None
    blocks = _AsBlocks(op, operation).run(loop)
    made = structured(blocks.function, operation)
    if made is not None and not any(is_while(each) for each in made.function.regions[0].block.ops):
        return made.of(blocks)
    for copy in (blocks, made):
        if copy is not None:
            copy.discard()
    return None


class _AsBlocks(Copier):
    """Copies a loop with a condition as blocks that branch to each other."""

    def run(self, loop: While) -> Structured:
        op = self.at
        kinds = [[each.type for each in values] for values in ((), loop.before, loop.after, op.results)]
        entry, head, body, end = blocks = [Block(arg_types=each) for each in kinds]
        around = self._operation(EXECUTE_REGION).create(result_types=kinds[-1], regions=[Region(blocks)])
        around.parent = op.parent  # for what is asked of the values around it
        self.made = Structured(around, {around: op})
        self.branch(entry, head, list(loop.initial))
        self.begin(loop.before, head.args)
        self.copy_before_end(op.regions[0].block, head)
        forwarded = self.mapped(loop.forwarded)
        self.at = op  # the place of the loop
        self.branch_if(head, self.mapped([loop.condition])[0], (body, forwarded), (end, forwarded))
        self.begin(loop.after, body.args)
        self.copy_before_end(op.regions[1].block, body)
        self.branch(body, head, self.mapped(loop.yielded))
        self.bind(op.results, end.args)
        self.make("scf.yield", end, end.args)
        return self.made
