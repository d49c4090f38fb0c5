"""The form of a function: a copy in which no block branches to another one, in regions of operations neither.

    scf.execute_region { cf.cond_br %c, ^a, ^b ... }     scf.execute_region { scf.if %c { ... } else { ... } }

What is in a region in which blocks branch becomes loops and branches as a function does, from the innermost
one on; and a loop with a condition becomes one that counts, if its iterations can be counted (`whiles`); if
not, they have a number (`numbering`).
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.ir import Block, Operation, SSAValue

from volcli.language import questions
from volcli.language.programs.blocks import has_branches
from volcli.language.programs.known_loops import is_while
from volcli.language.unchanged import operations_in
from volcli.model.structured.copying import EXECUTE_REGION, Copier, Occurrence, OperationNamed, Structured
from volcli.model.structured.numbering import number_loops
from volcli.model.structured.structure import structured
from volcli.model.structured.whiles import counted_while


def form_of(function: Operation, operation: OperationNamed) -> Structured | None:
    """The form of FUNCTION; None if it is as it is, or its own blocks are not seen to be structured.

    OPERATION gives the class of an operation by its name.
    """
    inner = any(_may_be_other(op) for op in operations_in(function) if op is not function)
    made = structured(function, operation)
    if made is None and (has_branches(function) or not inner):
        return None
    is_other = made is not None
    made = made or _Copy(function, operation).run()
    inside = [op for op in made.function.walk() if op is not made.function and _may_be_other(op)]
    for op in reversed(inside):
        part = structured(op, operation) if has_branches(op) else counted_while(op, operation)
        if part is not None:
            _put(made, op, part)
            if part.function.name == EXECUTE_REGION:
                _dissolve(made, part.function)
            is_other = True
    is_numbered = number_loops(made, operation)
    return made if is_other or is_numbered else None


def _may_be_other(op: Operation) -> bool:
    """Whether the form may have something else for OP."""
    return has_branches(op) or is_while(op) or questions.until.answers(type(op))


class _Copy(Copier):
    """Copies a function of one block as it is."""

    def run(self) -> Structured:
        source = self.at.regions[0].blocks[0]
        block = Block(arg_types=source.arg_types)
        self.made.function.regions[0].add_block(block)
        self.begin(source.args, block.args)
        for op in source.ops:
            self.copy(op, block)
        return self.made


def _put(made: Structured, op: Operation, part: Structured) -> None:
    """PART, a copy of OP, stands for it in the copy of a function that was MADE."""
    new, around = part.function, op.parent
    assert around is not None
    new.parent = None
    around.insert_op_before(new, op)
    now: dict[SSAValue, list[Occurrence]] = dict(part.occurrences)
    for old, result in zip(op.results, new.results, strict=True):
        old.replace_all_uses_with(result)
        now[old] = [Occurrence(result)]
        part.values[result] = old
    for value, found in made.occurrences.items():
        made.occurrences[value] = [
            other for each in found for other in now.get(each.value, [_after(each, op, new)])
        ]
    made.operations.update({copy: made.operations[each] for copy, each in part.operations.items()})
    made.incomplete.update(made.values[value] for value in part.incomplete if value in made.values)
    for copy, value in part.values.items():
        if value in made.values:
            made.values.setdefault(copy, made.values[value])
    for each in op.walk():
        made.operations.pop(each)
        for value in (*each.results, *(arg for r in each.regions for b in r.blocks for arg in b.args)):
            made.values.pop(value, None)
    op.detach()
    op.erase(safe_erase=False)


def _after(occurrence: Occurrence, op: Operation, new: Operation) -> Occurrence:
    """OCCURRENCE where NEW stands for OP."""
    return replace(occurrence, after=new) if occurrence.after is op else occurrence


def _dissolve(made: Structured, op: Operation) -> None:
    """What the only block of OP does is done where OP stands, in the copy that was MADE."""
    around, last = op.parent, op.regions[0].block.last_op
    assert around is not None
    assert last is not None
    before = op.prev_op
    inside = [each for each in op.regions[0].block.ops if each is not last]
    for each in inside:
        each.detach()
        around.insert_op_before(each, op)
    given: dict[SSAValue, SSAValue] = dict(zip(op.results, last.operands, strict=True))
    for result, value in given.items():
        result.replace_all_uses_with(value)
        if (original := made.values.pop(result, None)) is not None:
            made.results[original] = value
    made.replace(given)
    end = inside[-1] if inside else before
    for found in made.occurrences.values():
        found[:] = [_moved(each, op, before, end) for each in found]
    for each in (op, last):
        made.operations.pop(each, None)
    op.detach()
    op.erase(safe_erase=False)


def _moved(
    occurrence: Occurrence, op: Operation, before: Operation | None, end: Operation | None
) -> Occurrence:
    """OCCURRENCE where the operations of OP stand between BEFORE and END, after the last of them."""
    if occurrence.block is op.regions[0].block:
        after = before if occurrence.after is None else occurrence.after
        return replace(occurrence, block=op.parent, after=after)
    return replace(occurrence, after=end) if occurrence.after is op else occurrence
