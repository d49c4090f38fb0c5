"""Branches on data, of which both ways are computed and data selects: for what elements are computed from.

    scf.if %c { store %v, %m[%i] }          %o = load %m[%i];  %s = select %c, %v, %o;  store %s, %m[%i]

So an element depends on what decides, on what is stored, and on what was there, as of a select of tensors.
Nothing but elements is asked of such a copy: what it reads is not read where the branch is not taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import IndexType, ShapedType, TensorType, i1
from xdsl.ir import Operation, SSAValue

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.memory import Effect, MemoryAccess
from volcli.language.programs.choices import is_free, is_loaded
from volcli.language.programs.known_loops import counted_loop
from volcli.language.programs.views import base_of
from volcli.language.questions import fails, holds
from volcli.model.stated_effects import only_computes
from volcli.model.structured.copying import OperationNamed, Structured

_LOADS = {"memref.store": ("memref.load", ()), "affine.store": ("affine.load", ("map",))}
"""By the name of a store of an element, what loads it, and the properties that say which one it is."""


def branches_on_data(function: Operation) -> Iterator[Operation]:
    """The branches in FUNCTION that `predicate` takes away, the inner ones first."""
    for op in reversed(list(function.walk())):
        if questions.guards.answers(type(op)) and _is_branch(op) and _fits(op):
            yield op


def predicate(made: Structured, operation: OperationNamed) -> bool:
    """Put selects in the place of branches on data in the copy that was MADE; whether it has some."""
    is_any = False
    for op in branches_on_data(made.function):
        _Branch(op, made, operation).replace()
        is_any = True
    return is_any


def _is_branch(op: Operation) -> bool:
    """Whether OP runs its first region where a truth holds that is data, and the second one, if any, else."""
    if len(op.operands) != 1 or op.operands[0].type != i1 or not is_free(op.operands[0]):
        return False
    truth, regions = op.operands[0], [region for region in op.regions if region.blocks]
    when = [guard.condition for guard in questions.guards(op) or ()]
    is_one = all(len(region.blocks) == 1 for region in regions)
    is_selected = all(_is_selected(result, truth) for result in op.results)
    return is_one and is_selected and when == [(holds(truth),), (fails(truth),)][: len(regions)]


def _is_selected(result: SSAValue, truth: SSAValue) -> bool:
    """Whether TRUTH may select elements of RESULT: no number, no memory, of no size that a branch gives.

    A truth that is an argument is a parameter of what a tensor is computed from, and says more of it.
    """
    kind = result.type
    if isinstance(kind, TensorType):
        return kind.has_static_shape() and is_loaded(truth)
    return not isinstance(kind, IndexType | ShapedType)


def _fits(op: Operation) -> bool:
    """Whether each region loads and stores elements of which none depends on what it stores before."""
    seen = _Seen()
    inside = (inner for region in op.regions for inner in region.walk())
    try:
        return all(map(seen.fits, inside)) and seen.is_simple
    except NotAffine:
        return False


@dataclass
class _Seen:
    """The buffers that were seen in a branch: those loaded, and those stored, once each."""

    loaded: set[SSAValue] = field(default_factory=set[SSAValue])
    stored: set[SSAValue] = field(default_factory=set[SSAValue])
    both: bool = False
    loops: bool = False

    @property
    def is_simple(self) -> bool:
        """Whether what is loaded and stored is so in no loop, where it may be what was stored before."""
        return not (self.both and self.loops)

    def fits(self, op: Operation) -> bool:
        accesses = questions.accesses(op) if questions.accesses.answers(type(op)) else ()
        if op.regions:
            self.loops |= counted_loop(op) is not None
            return not accesses and (counted_loop(op) is not None or questions.guards.answers(type(op)))
        if not accesses:
            return only_computes(op) and not questions.slice_of.answers(type(op))
        (access, *others) = accesses
        if others or access.extents or access.where or access.partial or access.atomic:
            return False
        return self._is_in_order(op, access)

    def _is_in_order(self, op: Operation, access: MemoryAccess) -> bool:
        """Whether ACCESS is a load before a store, or the only store, of its buffer."""
        root = base_of(access.memref)
        if root in self.stored:
            return False
        if access.effect is Effect.READ:
            self.loaded.add(root)
            return True
        self.stored.add(root)
        self.both |= root in self.loaded
        return op.name in _LOADS and access.stored is op.operands[0]


@dataclass
class _Branch:
    """OP, a branch on data of the copy that was MADE."""

    op: Operation
    made: Structured
    operation: OperationNamed

    def replace(self) -> None:
        """Compute both ways in front of it, and select."""
        op, around = self.op, self.op.parent
        assert around is not None, "an operation of a function"
        yielded: list[Sequence[SSAValue]] = []
        for k, region in enumerate(region for region in op.regions if region.blocks):
            for inner in list(region.walk()):
                if inner.name in _LOADS:
                    self._store(inner, is_then=k == 0)
            last = region.block.last_op
            yielded.append(() if last is None else tuple(last.operands))
            for inner in [each for each in region.block.ops if each is not last]:
                inner.detach()
                around.insert_op_before(inner, op)
        for result, *both in zip(op.results, *yielded, strict=True) if op.results else ():
            chosen = self._put("arith.select", op, [op.operands[0], *both], both[0])
            if (original := self.made.values.pop(result, None)) is not None:
                self.made.values[chosen] = original
            result.replace_all_uses_with(chosen)
        op.detach()
        op.drop_all_references()

    def _store(self, store: Operation, *, is_then: bool) -> None:
        """Store what is stored, or what was there: by another operation, as answers about one are kept."""
        name, says = _LOADS[store.name]
        value, *where = store.operands
        properties = {each: store.properties[each] for each in says}
        old = self._put(name, store, where, value, **properties)
        chosen = (value, old) if is_then else (old, value)
        selected = self._put("arith.select", store, [self.op.operands[0], *chosen], value)
        again = store.clone()
        again.operands[0] = selected
        self._stand(again, store)
        store.detach()
        store.drop_all_references()

    def _put(
        self, name: str, before: Operation, operands: Sequence[SSAValue], like: SSAValue, **properties: object
    ) -> SSAValue:
        """The result, of the type of LIKE, of a new operation BEFORE another one."""
        made = self.operation(name).create(
            operands=operands,
            result_types=[like.type],
            properties=properties,  # pyright: ignore[reportArgumentType]
        )
        self._stand(made, before)
        return made.results[0]

    def _stand(self, made: Operation, before: Operation) -> None:
        """Put what was MADE in front of another operation, in whose place it stands."""
        block = before.parent
        assert block is not None, "an operation of a block"
        made.location = before.location
        block.insert_op_before(made, before)
        self.made.operations[made] = self.made.operations.get(before, before)
