"""Updates `x = x + e`: what makes a loop a reduction.

An update of memory reads an element, combines what it read with something else by an operation that is
associative and commutative, and writes the result to the same element. An update of a carried value is the
same between the argument of the loop's body and what is yielded for the next iteration. The value on the way
must not be used for anything else.

An operation that runs a body of scalars updates at each of its points, one after the other: `linalg.matmul`
on buffers adds to each element of its output as often as its reduction loop runs. So a loop over tiles of
that loop combines, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name
from volcli.language.loops import Carried
from volcli.language.memory import Effect
from volcli.language.programs.definitions import own_body
from volcli.language.programs.known_loops import counted_loop
from volcli.language.reads import Access as ElementAccess
from volcli.limits import memory as limits
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.aliases import Alias
from volcli.model.memory.dependences.model import Memory

_ROUNDED = frozenset(("addf", "mulf"))
_REORDERS = frozenset(("reassoc", "fast"))


@dataclass(frozen=True)
class Update:
    """What is combined, by the operation that affine.parallel calls `combine`; `target` is its text.

    In any order, if the ASSUMPTIONS hold. Of what a loop carries, the operations of `path` combine it.
    """

    combine: str
    target: str
    assumptions: tuple[str, ...] = ()
    path: tuple[Operation, ...] = ()


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
        for chain in _chains(site.access.stored):
            read = reads.get(chain.x)
            if read is not None and _same_element(memory, read, site):
                update = Update(chain.combine, memory.names.access(site), _strict(chain))
                found[read.number] = found[site.number] = update
                break
    for read, write, chain in _of_bodies(memory):
        update = Update(chain.combine, memory.names.access(write), _strict(chain))
        found[read.number] = found[write.number] = update
    return found


def _of_bodies(memory: Memory) -> Iterator[tuple[Site, Site, _Chain]]:
    """The elements that bodies of scalars combine with something: read and written at each point."""
    own: dict[Operation, list[Site]] = {}
    for site in memory.sites:
        if site.access.extents:
            own.setdefault(site.op, []).append(site)
    for op, sites in own.items():
        try:
            body = own_body(op)
        except NotAffine:
            continue
        for output in () if body is None else body.outputs:
            target, index = output.begins, output.element
            touched = [s for s in sites if s.access.memref is target and s.access.index == index]
            writes = [site for site in sites if site.is_write and _may_meet(memory, site, touched)]
            if body is None or len(touched) != 2 or writes != touched[1:]:
                continue  # what is read or written in two ways is no one value on the way
            elements = [
                argument
                for argument, each in body.arguments.items()
                if isinstance(each, ElementAccess) and each.operand is target and each.index == index
            ]
            chain = next((each for each in _chains(output.yields) if each.x in elements), None)
            if chain is not None:
                yield touched[0], touched[1], chain


def _may_meet(memory: Memory, site: Site, others: Sequence[Site]) -> bool:
    """Whether SITE may go to the memory of one of OTHERS."""
    alias = memory.partners.alias
    return any(alias(site.place.root, o.place.root) in (Alias.SAME, Alias.UNKNOWN) for o in others)


def _same_element(memory: Memory, read: Site, write: Site) -> bool:
    if read.op.parent is not write.op.parent or read.place.root != write.place.root:
        return False
    first, second = memory.instances.relation(read), memory.instances.relation(write)
    return first.exact and first.offset == second.offset and first.is_like(second)


@dataclass(frozen=True)
class _Chain:
    """`value = x + e`, by the operations PATH from x to it; x is used for nothing else."""

    x: SSAValue
    combine: str
    path: tuple[Operation, ...]


def _chains(value: SSAValue) -> list[_Chain]:
    """All ways in which VALUE is something combined with something."""
    found: list[_Chain] = []
    pending: list[tuple[SSAValue, str | None, tuple[Operation, ...]]] = [(value, None, ())]
    while pending and len(found) < limits.UPDATE_CHAIN:
        current, combine, path = pending.pop()
        if not current.has_one_use():
            continue
        if combine is not None:
            found.append(_Chain(current, combine, path))
        if isinstance(current, OpResult):
            name, operands = _terms(current.op)
            if name is not None and combine in (None, name):
                pending.extend((operand, name, (current.op, *path)) for operand in operands)
    return found


def _terms(op: Operation) -> tuple[str | None, Sequence[SSAValue]]:
    """What OP combines, in any order, and how: `x - e` combines x with -e."""
    name = questions.combines(op)
    if name is not None:
        return name, op.operands
    return questions.subtracts(op), op.operands[:1]


def carried_updates(
    op: Operation, name_of: Callable[[SSAValue], str], *, in_order: bool = False
) -> tuple[tuple[str, ...], tuple[Update, ...]]:
    """The values that go around the loop OP in order, and those that are combined in any order.

    What a loop without an order combines goes around it if it is to run IN ORDER.
    """
    loop = counted_loop(op)
    if loop is None:
        return (), ()
    values: list[str] = []
    combined: list[Update] = []
    for carried in loop.carried_in_order if in_order else loop.carried:
        if carried.yielded is carried.argument:
            continue
        chain = _reduction(carried)
        name = name_of(carried.argument)
        if chain is None:
            values.append(name)
        else:
            combined.append(Update(chain.combine, name, _strict(chain), chain.path))
    return tuple(values), tuple(combined)


def _reduction(carried: Carried) -> _Chain | None:
    """How what is CARRIED is combined with something in each iteration; None if it does more."""
    if not carried.argument.has_one_use():
        return None
    for chain in _chains(carried.yielded):
        if chain.x is carried.argument:
            return chain
        within = _inner_reduction(chain.x, carried)
        if within is not None and within.combine == chain.combine:
            return _Chain(carried.argument, chain.combine, (*within.path, *chain.path))
    return _inner_reduction(carried.yielded, carried)


def _inner_reduction(value: SSAValue, carried: Carried) -> _Chain | None:
    """How an inner loop whose result is VALUE combines what is CARRIED into it."""
    inner = _inner(value)
    return None if inner is None or inner.initial is not carried.argument else _reduction(inner)


def _strict(chain: _Chain) -> tuple[str, ...]:
    """What has to be assumed to combine along CHAIN in another order.

    Sums and products of floating-point numbers are rounded after each step: another order has other results,
    which an operation allows by the fastmath flag `reassoc`, or by all of them, `fast`.
    """
    if chain.combine not in _ROUNDED:
        return ()
    strict = (op for op in chain.path if _REORDERS.isdisjoint(questions.fastmath(op) or ()))
    return tuple(dict.fromkeys(f"reassoc of {operation_name(op)}" for op in strict))


def _inner(value: SSAValue) -> Carried | None:
    """What an inner loop carries whose result VALUE is."""
    if not isinstance(value, OpResult) or not value.has_one_use():
        return None
    loop = counted_loop(value.op)
    if loop is None:
        return None
    return next((c for c in loop.carried_in_order if c.result is value), None)
