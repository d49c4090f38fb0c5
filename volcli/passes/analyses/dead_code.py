"""dead-code: loops without iterations, branches that are never taken, and padding that has no element."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from xdsl.ir import Operation, Region

from volcli.diagnostics import Diagnostic
from volcli.facts.dead import DeadFact
from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name
from volcli.language.loops import Induction, Loop
from volcli.model.function import FunctionModel
from volcli.model.values.answers import CONTRADICTION
from volcli.passes.base import Pass, Unit


@dataclass(frozen=True)
class DeadCode(Pass):
    """Find regions that no execution enters, whatever the function's arguments are.

    Of a loop it means that it has no iteration, of a branch that it is never taken, of padding that it adds
    no element. It is said of the outermost such region, where the program gets to its operation. Regions
    that are empty are not code, and a `tensor.pad` with `nofold` is there for its copy.

    Findings: a loop without iterations or a branch that is never taken (V210), padding without elements
    (V211); both are warnings.
    """

    name = "dead-code"
    summary = "loops without iterations, branches that are never taken, padding without elements"
    by_function = True

    def apply(self, unit: Unit) -> None:
        for model in unit.models():
            for op, region, kind, needed in _dead(model):
                name = _name(model, op, kind)
                fact = DeadFact(unit.where(model, op), name, kind, op.regions.index(region), needed)
                unit.facts.append(fact)
                code = "V211" if kind == "padding" else "V210"
                unit.report(Diagnostic(code, f"'{fact.op}' op {fact.text}", fact.place))


_Kind = Literal["loop", "branch", "padding"]


def _dead(model: FunctionModel) -> Iterator[tuple[Operation, Region, _Kind, tuple[str, ...]]]:
    """The outermost regions that are never entered, in the order of the text; and what that rests on."""
    pending = [op for region in reversed(model.function.regions) for op in _operations(region)]
    while pending:
        op = pending.pop()
        entered: list[Region] = []
        kind = _kind(op)
        for region in op.regions:
            if kind is not None and (needed := _never(model, region)) is not None:
                if kind != "branch" or _is_code(region):
                    yield op, region, kind, needed
            else:
                entered.append(region)
        for region in reversed(entered):
            pending += _operations(region)


def _operations(region: Region) -> list[Operation]:
    """The operations of REGION, last first."""
    return [op for block in reversed(region.blocks) for op in reversed(list(block.ops))]


def _kind(op: Operation) -> _Kind | None:
    """What it means that a region of OP never runs; None if nothing is known of when it does."""
    try:
        loop, guards, indices = questions.loop(op), questions.guards(op), questions.indices(op)
    except NotAffine:
        return None
    if loop is not None:
        return "loop"
    if guards:
        return "branch"
    if indices is not None and indices.inductions and indices.where != ((),):
        return None if _is_kept(op) else "padding"
    return None


def _is_kept(op: Operation) -> bool:
    """Whether OP is marked `nofold`: it makes a copy, whether it adds an element or not."""
    return "nofold" in op.properties or "nofold" in op.attributes


def _never(model: FunctionModel, region: Region) -> tuple[str, ...] | None:
    """The assumptions under which no execution gets to REGION; None if some execution may."""
    block = region.first_block
    if block is None or block.first_op is None:
        return None
    place = block.first_op
    reached = model.bounds.reached((place,))
    if not reached.never or reached.because == CONTRADICTION:
        return None
    _, needed = model.assuming.ask(lambda s: s.reached((place,)), (), (place,), lambda found: found.never)
    return needed


def _is_code(region: Region) -> bool:
    """Whether something stands in REGION beside its terminator."""
    return any(len(list(block.ops)) > 1 for block in region.blocks)


def _name(model: FunctionModel, op: Operation, kind: _Kind) -> str:
    """What OP is called: a loop's variable, or the result."""
    if kind == "loop" and (variables := [each.variable for each in _inductions(op)]):
        return ", ".join(map(model.name_of, variables))
    return model.name_of(op.results[0]) if op.results else operation_name(op)


def _inductions(op: Operation) -> tuple[Induction, ...]:
    loop = questions.loop(op)
    return loop.inductions if isinstance(loop, Loop) else ()
