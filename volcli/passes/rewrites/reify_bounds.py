"""reify-bounds: sizes of results in terms of operands, and allocations of a constant size."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType, ShapedType
from xdsl.ir import Block, Operation, OpResult, SSAValue

from volcli.language.expressions import Atom, Dim, Expression, Value, dim_of, has_cases, substitute, value_of
from volcli.language.memory import Effects
from volcli.model.function import FunctionModel
from volcli.model.stated_effects import effects_of
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.constraint_set import Kept
from volcli.model.values.terms.executions import stopped_at
from volcli.model.values.terms.variables import Variable, like, own
from volcli.passes.base import Pass, Unit, option
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.materialize import Materializer, fits
from volcli.rewriting.ground.asking import never_negative
from volcli.rewriting.ground.discovery import asked_size, discovery_order, visible
from volcli.rewriting.memory.hoisting import hoist_allocations
from volcli.rewriting.memory.padding import pad_allocations


@dataclass(frozen=True)
class ReifyBounds(Pass):
    """Replace each operation that asks for a size of a result (`tensor.dim`, `memref.dim`) by what that is.

    The size is a constant, or an expression over index values and over undetermined sizes, as
    operations of affine (or of arith). What is dead then, as the operation that made the result where it was
    only asked for its size, is erased.

    With `pad-allocs`, a `tensor.empty`, `memref.alloc` or `memref.alloca` gets a constant size wherever a
    constant bounds a dynamic one; what uses it sees the same type and sizes as before: a slice of the tensor,
    or the beginning of the memory, whose elements lie as they did.

    With `hoist`, memory of a constant size leaves the loops that it is allocated in, with what frees it, if
    no iteration passes its buffer on; a remark (V310) states why other memory stays.
    """

    name = "reify-bounds"
    summary = "sizes of results by sizes of operands; with pad-allocs, allocations of constant size"
    rewrites = True
    wants = "sizes and bounds that operands determine, and allocations whose size is bounded by a number"

    pad_allocs: bool = option(False, help="allocate the largest size where that is a constant")
    hoist: bool = option(False, help="allocate memory of a constant size before the loops it is used in")
    use_arith_ops: bool = option(False, help="make operations of arith, not of affine")

    def apply(self, unit: Unit) -> None:
        changes = Changes(unit, self.name)
        for model in unit.models():
            _Sizes(changes, model, self.use_arith_ops).replace()
        changes.finish(erase_dead=True)
        if self.pad_allocs:
            changes = Changes(unit, self.name)
            for model in unit.models():
                pad_allocations(changes, model)
            changes.finish()
        if self.hoist:
            changes = Changes(unit, self.name)
            for model in unit.models():
                hoist_allocations(changes, model)
            changes.finish()


class _Sizes:
    """The sizes that the operations of one function ask for."""

    def __init__(self, changes: Changes, model: FunctionModel, use_arith: bool) -> None:
        self._changes = changes
        self._model = model
        self._use_arith = use_arith
        self._store = BoundsStore(model.function, model.name_of, stopped_at(_is_index), like=model.bounds)
        self._replaced: dict[SSAValue, SSAValue] = {}

    def replace(self) -> None:
        """Replace what can be."""
        asked = [(op, size) for op in self._model.function.walk() if (size := _asked(op)) is not None]
        known = [(op, size, found) for op, size in asked if (found := self._size(op, size)) is not None]
        for op, size, found in known:
            self._replace(op, size, found)

    def _size(self, op: Operation, size: Dim) -> Expression | None:
        """What SIZE is, over what may be spoken of where OP stands; None if that is nothing new."""
        for store, kept in ((self._store, _index_values(self._store)), self._leaves()):
            expression = store.value(size.value, size.dimension)
            found = store.bounds_of(expression, op, kept).equal
            if found is None or found.single_atom == size or has_cases(found):
                continue
            variables = [atom for atom in found.atoms() if isinstance(atom, Value | Dim)]
            if fits(found) and all(visible(v.value, op, store.definitions) for v in variables):
                return found
        return self._size_in_form(op)

    def _size_in_form(self, op: Operation) -> Expression | None:
        """What size OP asks for in the form of the function, without branches; None if it is several.

        What is visible there at all is computed on each way to OP.
        """
        of = self._model.occurrences
        copies = () if of is None else of.operations(op)
        size = asked_size(copies[0].results[0]) if len(copies) == 1 else None
        if of is None or size is None:
            return None
        store, kept = _by_leaves(self._model.form.bounds)
        found = store.bounds_of(store.value(size.value, size.dimension), copies[0], kept).equal
        if found is None or has_cases(found) or not fits(found):
            return None
        originals = of.made.values
        for variable in (atom for atom in found.atoms() if isinstance(atom, Variable)):
            if variable.value not in originals or not visible(variable.value, copies[0], store.definitions):
                return None
        return substitute(
            found, lambda v: own(like(v, originals[v.value])) if isinstance(v, Variable) else None
        )

    def _leaves(self) -> tuple[BoundsStore, Kept]:
        """The second choice: by what nothing determines."""
        return _by_leaves(self._model.bounds)

    def _replace(self, op: Operation, size: Dim, found: Expression) -> None:
        order = discovery_order(size)
        ranked = {v: order(v) for v in found.atoms() if isinstance(v, Value | Dim)}

        def current(atom: Atom) -> Expression | None:
            if not isinstance(atom, Value) or atom.value not in self._replaced:
                return None
            new = Value(self._replaced[atom.value])
            ranked[new] = ranked[atom]
            return value_of(new.value)

        expression = substitute(found, current)
        builder, is_natural = self._changes.before(op), never_negative(self._model.bounds, op)
        made = Materializer(builder, lambda v: ranked[v], self._use_arith, is_natural).value(expression)
        self._replaced[op.results[0]] = made
        self._changes.claim(dim_of(size.value, size.dimension), "==", value_of(made), at=op)
        self._changes.replace(op, [made])


def _by_leaves(store: BoundsStore) -> tuple[BoundsStore, Kept]:
    """STORE, and what nothing determines in it."""
    leaves = store.leaves()
    return store, Kept("index leaves", lambda v: leaves.contains(v) and (_is_size(v) or _is_index(v)))


def _asked(op: Operation) -> Dim | None:
    """The size that OP asks for, if it is one of a result, or of what a block is passed."""
    if len(op.results) != 1 or op.regions or not isinstance(op.results[0].type, IndexType):
        return None
    size = asked_size(op.results[0])
    if size is None or not _is_made(size.value) or effects_of(op) != Effects():
        return None
    kind = size.value.type
    return size if isinstance(kind, ShapedType) and size.dimension < len(kind.get_shape()) else None


def _is_made(value: SSAValue) -> bool:
    """Whether VALUE is a result, or an argument of a block of a function that is not its first one."""
    if isinstance(value, OpResult):
        return True
    block = value.owner
    assert isinstance(block, Block)
    region = block.parent
    return region is not None and len(region.blocks) > 1 and block is not region.blocks[0]


def _is_index(variable: Variable) -> bool:
    return isinstance(variable, Value) and isinstance(variable.value.type, IndexType)


def _is_size(variable: Variable) -> bool:
    return isinstance(variable, Dim)


def _index_values(store: BoundsStore) -> Kept:
    """Index values, and sizes that nothing determines."""
    return Kept(
        "index values",
        lambda v: _is_index(v) or (isinstance(v, Dim) and store.definitions.definition(v).is_leaf),
    )
