"""A conditional branch that always goes to one block only goes there; blocks that nothing enters go."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation
from xdsl.utils.mlir_lexer import MLIRTokenKind

from volcli.gate.findings.fix import Fix
from volcli.gate.fixes.changes import TextChanges
from volcli.gate.fixes.removal import remove_unused
from volcli.gate.fixes.written import Extent, WrittenText


def without_block(op: Operation, dead: int, written: WrittenText) -> Fix | None:
    """The text WRITTEN, in which OP, a `cf.cond_br`, never goes to its block DEAD."""
    extent, region = written.extent(op), op.parent_region()
    if op.name != "cf.cond_br" or extent is None or region is None or op.successors[0] is op.successors[1]:
        return None
    targets = list(_targets(extent, written))
    if written.tokens[extent.name].text.startswith('"') or len(targets) != 2:
        return None
    changes = TextChanges(written)
    changes.kept.update(op.operands[1:])
    start, end = targets[1 - dead]
    changes.replace(extent.start, extent.end, f"cf.br {written.text[start:end]}")
    gone = {op}
    for block in _unreachable(op, op.successors[1 - dead]):
        text = _text_of(block, written)
        if text is None:
            return None
        changes.remove(*text)
        gone.update(inner for each in block.ops for inner in each.walk())
    remove_unused(gone, written, changes)
    return changes.fix("remove the branch")


def _targets(extent: Extent, written: WrittenText) -> Iterator[tuple[int, int]]:
    """Where the blocks stand that the operation in EXTENT may go to, with what they are given."""
    for at in range(extent.name, extent.last + 1):
        token = written.tokens[at]
        if token.kind is MLIRTokenKind.CARET_IDENT:
            is_given = at < extent.last and written.tokens[at + 1].text == "("
            yield token.start, written.tokens[written.closing(at + 1) if is_given else at].end


def _unreachable(branch: Operation, taken: Block) -> list[Block]:
    """The blocks beside BRANCH to which nothing goes if it always goes to TAKEN."""
    region = branch.parent_region()
    blocks = [] if region is None else list(region.blocks)
    reached, pending = set(blocks[:1]), blocks[:1]
    while pending:
        end = pending.pop().last_op
        further = [taken] if end is branch else [] if end is None else list(end.successors)
        pending += [each for each in further if each not in reached]
        reached.update(further)
    return [each for each in blocks if each not in reached]


def _text_of(block: Block, written: WrittenText) -> tuple[int, int] | None:
    """From where to where BLOCK stands, with its label."""
    first = None if block.first_op is None else written.extent(block.first_op)
    last = None if block.last_op is None else written.extent(block.last_op)
    if first is None or last is None:
        return None
    label = next((at for at in range(first.first - 1, -1, -1) if written.is_label(at)), None)
    return None if label is None else (written.tokens[label].start, last.end)
