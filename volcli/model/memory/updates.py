"""Updates `x = x + e`: what makes a loop a reduction.

An update of memory reads an element, combines what it read with something else by an operation that is
associative and commutative, and writes the result to the same element. An update of a carried value is the
same between the argument of the loop's body and what is yielded for the next iteration. The value on the way
must not be used for anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, OpResult, SSAValue

from volcli import questions
from volcli.expressions import NotAffine
from volcli.interface import operation_name
from volcli.loops import Carried, While
from volcli.memory import Effect
from volcli.model.memory.instances import Site
from volcli.model.memory.model import Memory

_ROUNDED = frozenset(("addf", "mulf"))
_LONGEST = 64
"""A chain of more operations is not followed."""


@dataclass(frozen=True)
class Update:
    """What is combined, by the operation that affine.parallel calls `combine`; `target` is its text."""

    combine: str
    target: str


def updates(memory: Memory) -> Mapping[int, Update]:
    """The update that each access is a part of, by the number of the access."""
    found: dict[int, Update] = {}
    reads: dict[SSAValue, Site] = {
        s.op.results[0]: s
        for s in memory.sites
        if s.effect is Effect.READ and len(s.op.results) == 1 and not s.access.extents
    }
    for site in memory.sites:
        if not site.is_write or site.access.stored is None:
            continue
        for value, combine in _combined(site.access.stored):
            read = reads.get(value)
            if read is not None and _same_element(memory, read, site):
                update = Update(combine, memory.access_text(site))
                found[read.number] = found[site.number] = update
                break
    return found


def _same_element(memory: Memory, read: Site, write: Site) -> bool:
    if read.op.parent is not write.op.parent or read.place.root != write.place.root:
        return False
    first, second = memory.instances.relation(read), memory.instances.relation(write)
    return first.exact and first.key == second.key and first.offset == second.offset


def _combined(value: SSAValue) -> list[tuple[SSAValue, str]]:
    """The values x with `value = x + e`, each with the name of the operation; x is used for nothing else."""
    found: list[tuple[SSAValue, str]] = []
    pending: list[tuple[SSAValue, str | None]] = [(value, None)]
    while pending and len(found) < _LONGEST:
        current, combine = pending.pop()
        if not current.has_one_use():
            continue
        if combine is not None:
            found.append((current, combine))
        if isinstance(current, OpResult):
            name, operands = _terms(current.op)
            if name is not None and combine in (None, name):
                pending.extend((operand, name) for operand in operands)
    return found


def _terms(op: Operation) -> tuple[str | None, Sequence[SSAValue]]:
    """What OP combines, in any order, and how: `x - e` combines x with -e."""
    name = questions.combines(op)
    if name is not None:
        return name, op.operands
    return questions.subtracts(op), op.operands[:1]


def carried_updates(
    op: Operation, name_of: Callable[[SSAValue], str]
) -> tuple[tuple[str, ...], tuple[Update, ...]]:
    """The values that go around the loop OP in order, and those that are combined in any order."""
    try:
        loop = questions.loop(op)
    except NotAffine:
        return (), ()
    if loop is None or isinstance(loop, While):
        return (), ()
    values: list[str] = []
    combined: list[Update] = []
    for carried in loop.carried:
        if carried.yielded is carried.argument:
            continue
        combine = _reduction(carried)
        name = name_of(carried.argument)
        if combine is None:
            values.append(name)
        else:
            combined.append(Update(combine, name))
    return tuple(values), tuple(combined)


def _reduction(carried: Carried) -> str | None:
    """The operation that combines what is CARRIED with something in each iteration; None if it does more."""
    if not carried.argument.has_one_use():
        return None
    for value, combine in _combined(carried.yielded):
        if value is carried.argument:
            return combine
        inner = _inner(value)
        if inner is not None and inner.initial is carried.argument and _reduction(inner) == combine:
            return combine
    inner = _inner(carried.yielded)
    if inner is not None and inner.initial is carried.argument:
        return _reduction(inner)
    return None


def reassociated(op: Operation) -> tuple[str, ...]:
    """What has to be assumed for the loop OP to combine what it carries in another order.

    Sums and products of floating-point numbers are rounded after each step: another order has other results,
    which an operation allows by the fastmath flag `reassoc`.
    """
    try:
        loop = questions.loop(op)
    except NotAffine:
        return ()
    if loop is None or isinstance(loop, While):
        return ()
    found: dict[str, None] = {}
    for carried in loop.carried:
        if (combine := _reduction(carried)) in _ROUNDED:
            found.update((f"reassoc of {operation_name(each)}", None) for each in _strict(carried, combine))
    return tuple(found)


def _strict(carried: Carried, combine: str | None) -> Iterator[Operation]:
    """The operations that CARRIED goes through to be yielded, and that do not allow another order."""
    value: SSAValue = carried.argument
    while value is not carried.yielded and (use := next(iter(value.uses), None)) is not None:
        op = use.operation
        if _terms(op)[0] != combine or len(op.results) != 1:
            return
        if "reassoc" not in (questions.fastmath(op) or ()):
            yield op
        value = op.results[0]


def _inner(value: SSAValue) -> Carried | None:
    """What an inner loop carries whose result VALUE is."""
    if not isinstance(value, OpResult) or not value.has_one_use():
        return None
    try:
        loop = questions.loop(value.op)
    except NotAffine:
        return None
    if loop is None or isinstance(loop, While):
        return None
    return next((c for c in loop.carried if c.result is value), None)
