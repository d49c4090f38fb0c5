"""The form of a function: a copy in which no block branches to another one, in regions of operations neither.

    scf.execute_region { cf.cond_br %c, ^a, ^b ... }     scf.execute_region { scf.if %c { ... } else { ... } }

What is in a region in which blocks branch becomes loops and branches as a function does, from the innermost
one on.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.ir import Block, Operation, SSAValue

from volcli.language.programs.blocks import has_branches
from volcli.language.unchanged import operations_in
from volcli.model.structured.copying import Copier, Occurrence, OperationNamed, Structured
from volcli.model.structured.structure import structured


def form_of(function: Operation, operation: OperationNamed) -> Structured | None:
    """The form of FUNCTION; None if no blocks in it branch, or its own are not seen to be structured.

    OPERATION gives the class of an operation by its name.
    """
    inner = any(has_branches(op) for op in operations_in(function) if op is not function)
    made = structured(function, operation)
    if made is None and (has_branches(function) or not inner):
        return None
    made = made or _Copy(function, operation).run()
    if inner:
        for op in reversed([op for op in made.function.walk() if has_branches(op)]):
            part = structured(op, operation)
            if part is not None:
                _put(made, op, part)
    return made


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
