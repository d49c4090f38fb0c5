"""dead-code: loops without iterations, branches that are never taken, and padding that has no element.

The blocks of a region are parts of it as its operations are: after `cf.cond_br`, a block that no execution
gets to is the branch that is never taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import islpy as isl
from xdsl.ir import Block, Operation, Region

from volcli.diagnostics import Diagnostic
from volcli.facts.dead import DeadFact
from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name
from volcli.language.loops import Induction, Loop
from volcli.language.unchanged import operations_in
from volcli.model.function import FunctionModel
from volcli.model.machine import assumptions
from volcli.model.values.terms.answers import CONTRADICTION, Verdict
from volcli.model.values.trust.arithmetic import OVERFLOW, PRODUCTS
from volcli.model.volumes.maps.unread import UnreadPadding, is_padding
from volcli.passes.base import Pass, Unit
from volcli.passes.limits import limited


@dataclass(frozen=True)
class DeadCode(Pass):
    """Find regions and blocks that no execution enters, whatever the function's arguments are.

    Nor are those that need 64-bit arithmetic to be free of overflow: a branch may test just that.
    Of a loop it means that it has no iteration, of a branch that it is never taken, of padding that it adds
    no element. Only the outermost such region, or the first block, is reported, where the program reaches its
    operation. Regions and blocks that are empty are not code, and a `tensor.pad` with `nofold` is there for
    its copy. Padding that has elements is found if nothing reads any of them: operations that move elements
    read what is read of their results, and those that compute all that they may need.

    Findings: a loop without iterations or a branch that is never taken (V210), padding without elements, or
    of which none is read (V211); all are warnings.
    """

    name = "dead-code"
    summary = "loops without iterations, branches that are never taken, padding without elements or reads"
    by_function = True

    def apply(self, unit: Unit) -> None:
        for model in unit.models():
            for op, position, kind, needed in _dead(model):
                name = _name(model, op, kind)
                fact = DeadFact(unit.where(model, op), name, kind, position, needed)
                unit.facts.append(fact)
                code = "V211" if kind == "padding" else "V210"
                said = f"'{fact.op}' op {fact.text}"
                unit.report(Diagnostic(code, said, fact.place, assumptions=needed))
            if not model.form.has_control_flow:
                _report_unread(unit, model.form)


def _report_unread(unit: Unit, model: FunctionModel) -> None:
    """Say which padding nothing reads."""
    for op in operations_in(model.function):
        if is_padding(op) and not _is_kept(op):
            place = unit.parsed.written_at(op)
            added, _ = limited(unit, place, lambda op=op: _unread(model, op))
            if added is not None:
                message = f"adds elements to {model.name_of(op.operands[0])}, which are never read"
                unit.report(Diagnostic("V211", f"'{operation_name(op)}' op {message}", place))


def _unread(model: FunctionModel, op: Operation) -> isl.Set | None:
    view = model.view(op.results[0])
    return UnreadPadding(view.store, view.relations).of(op)


_Kind = Literal["loop", "branch", "padding", "block"]
_Dead = tuple[Operation, int, _Kind, tuple[str, ...]]
"""An operation, which of its regions or successors never runs, and what that rests on."""


class _Entered:
    """Which blocks of MODEL's function some execution enters.

    What is entered is so with all that is around it: the innermost is asked first.
    """

    def __init__(self, model: FunctionModel) -> None:
        self._model = model
        self._known: set[Block] = set()
        self._asked: set[Block] = set()

    def never(self, block: Block) -> tuple[str, ...] | None:
        """The assumptions under which no execution gets to BLOCK; None if some execution may."""
        if block in self._known:
            return None
        around = [block]
        while (inner := _inner(around[-1])) is not None:
            around.append(inner)
        if len(around) > 1 and around[-1] not in self._asked:
            self._asked.add(around[-1])
            place = around[-1].first_op
            if place is not None and self._is_reached(place):
                self._known.update(around)
                return None
        return _never(self._model, block)

    def _is_reached(self, place: Operation) -> bool:
        """Whether some execution gets to PLACE: loops in boxes say it without sets."""
        memory = self._model.memory
        return any(
            memory.instances.domains.is_entered(copy)
            or self._model.form.bounds.queries.reached((copy,)).verdict is Verdict.PROVED
            for copy in _copies(self._model, place)
        )


def _inner(block: Block) -> Block | None:
    """The first block in BLOCK that is not entered always."""
    for op in block.ops:
        if op.regions and _kind(op) is not None:
            return next((each.first_block for each in op.regions if each.first_block is not None), None)
    return None


def _dead(model: FunctionModel) -> Iterator[_Dead]:
    """The outermost regions, and the first blocks, that are never entered, in the order of the text."""
    entered = _Entered(model)
    pending: list[Operation | _Dead] = []
    for region in reversed(model.function.regions):
        pending += _parts(entered, region)
    while pending:
        op = pending.pop()
        if isinstance(op, tuple):
            yield op
            continue
        regions: list[Region] = []
        kind = _kind(op) if op.regions else None
        for position, region in enumerate(op.regions):
            block = region.first_block
            if kind is not None and block is not None and (needed := entered.never(block)) is not None:
                if kind != "branch" or any(map(_is_code, region.blocks)):
                    yield op, position, kind, needed
            else:
                regions.append(region)
        for region in reversed(regions):
            pending += _parts(entered, region)


def _parts(entered: _Entered, region: Region) -> list[Operation | _Dead]:
    """The operations of REGION that run, and after a branch what it never goes to; the last first."""
    others = list(region.blocks)[1:]
    dead = {block: needed for block in others if (needed := entered.never(block)) is not None}
    told: set[Block] = set()
    found: list[Operation | _Dead] = []
    for block in region.blocks:
        if block in dead:
            continue
        found += block.ops
        end = block.last_op
        for position, successor in enumerate(() if end is None else end.successors):
            if end is not None and successor in dead and successor not in told:
                told.add(successor)
                if _is_code(successor):
                    found.append((end, position, "block", dead[successor]))
    return found[::-1]


def _kind(op: Operation) -> _Kind | None:
    """What it means that a region of OP never runs; None if nothing is known of when it does."""
    try:
        loop, guards = questions.loop(op), questions.guards(op)
    except NotAffine:
        return None
    if loop is not None:
        return "loop"
    if guards:
        return "branch"
    return "padding" if is_padding(op) and not _is_kept(op) else None


def _is_kept(op: Operation) -> bool:
    """Whether OP is marked `nofold`: it makes a copy, whether it adds an element or not."""
    return "nofold" in op.properties or "nofold" in op.attributes


def _never(model: FunctionModel, block: Block) -> tuple[str, ...] | None:
    """The assumptions under which no execution gets to BLOCK; None if some execution may."""
    place = block.first_op
    found = [_never_at(model.form, copy) for copy in (_copies(model, place) if place is not None else ())]
    known = [needed for needed in found if needed is not None]
    return tuple(dict.fromkeys(chain(*known))) if found and len(known) == len(found) else None


def _copies(model: FunctionModel, op: Operation) -> Sequence[Operation]:
    """What stands for OP in the form."""
    return (op,) if model.occurrences is None else model.occurrences.operations(op)


def _never_at(model: FunctionModel, place: Operation) -> tuple[str, ...] | None:
    """The assumptions under which no execution gets to PLACE; None if some execution may."""
    reached = model.bounds.queries.reached((place,))
    if not reached.never or reached.because == CONTRADICTION:
        return None
    _, needed = model.assuming.ask(
        lambda s: s.queries.reached((place,)), (), (place,), lambda found: found.never
    )
    of_numbers = assumptions(model, lambda other: other.bounds.queries.reached((place,)).never)
    return None if {OVERFLOW, PRODUCTS} & {*of_numbers} else tuple(dict.fromkeys((*needed, *of_numbers)))


def _is_code(block: Block) -> bool:
    """Whether something stands in BLOCK beside its terminator."""
    return len(list(block.ops)) > 1


def _name(model: FunctionModel, op: Operation, kind: _Kind) -> str:
    """What OP is called: a loop's variable, or the result."""
    if kind == "loop" and (variables := [each.variable for each in _inductions(op)]):
        return ", ".join(map(model.name_of, variables))
    return model.name_of(op.results[0]) if op.results else operation_name(op)


def _inductions(op: Operation) -> tuple[Induction, ...]:
    loop = questions.loop(op)
    return loop.inductions if isinstance(loop, Loop) else ()
