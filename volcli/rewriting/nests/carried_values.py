"""Values that loops of a tree carry in iter_args: which trees hand them on wherever their statements run.

    %r = for %i iter_args(%s = %init) { %t = for %j iter_args(%u = %s) { yield %u + %x } yield %t }

%s and %u are one *cell*: its value goes into the loop inside, and what comes out to the next iteration. In
whichever loops the statements run, each takes the value that the one before it has left. So a nest may be
made anew if all loops that carry are handed the cells of the outermost one, and a cell is used only by the
statement that makes its next value. What begins again in each iteration of a loop around would need a place
for each of these iterations, and is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import NotAffine
from volcli.rewriting.nests.loop_trees import TiledStatement, TreeLoop


def check_carried(loop: TreeLoop) -> None:
    """Raise NotAffine if what loops in LOOP carry does not go from statement to statement."""
    inner = [node for node in loop.body if isinstance(node, TreeLoop)]
    if any(each.level.op is loop.level.op for each in inner):
        check_carried(inner[0])
        return
    for each in inner:
        if each.cells and not loop.carried:
            raise NotAffine("what a loop inside carries begins again in each iteration of the one around it")
        check_carried(each)
    chain = [each for each in inner if each.cells]
    values = [[each.argument] for each in loop.carried]
    for each in chain:
        if [cell.initial for cell in each.cells] != [known[-1] for known in values]:
            raise NotAffine("a loop inside carries other values than the one around it, or in another order")
        for known, cell in zip(values, each.cells, strict=True):
            known.append(cell.result)
    makers = {k: node for node in loop.body if isinstance(node, TiledStatement) for k in node.makes}
    for position, cell in enumerate(loop.carried):
        maker, known = makers.get(position), values[position]
        if cell.yielded is not known[-1] and maker is None:
            raise NotAffine("what it carries is made outside of the statements in it")
        if chain or maker is not None:
            own = () if maker is None else maker.operations
            _check_uses(known, [loop.level.op, *(each.level.op for each in chain)], own)


def _check_uses(values: Sequence[SSAValue], loops: Sequence[Operation], maker: Sequence[Operation]) -> None:
    """Raise NotAffine if more than LOOPS, by handing them on, and the operations of MAKER use VALUES."""
    outermost, *inner = loops
    last = outermost.regions[0].block.last_op
    for use in (use for value in values for use in value.uses):
        is_handed_on = use.operation is last or use.operation in inner
        if not is_handed_on and not any(each.is_ancestor(use.operation) for each in maker):
            raise NotAffine("what it carries is used by more than the statement that makes its next value")
