"""What calls of the functions of a module do to memory: what they read, and what they leave behind.

The summary of a function is, for each buffer that it is given, for each global, and for memory that it
allocates and returns, a set of elements over its arguments:

    func.func @row(%m: memref<?x8xf32>, %i: index) {             reads { m[i, d1] : 0 <= d1 < 7 }
      affine.for %j = 1 to 8 {                                   writes { m[i, d1] : 1 <= d1 < 8 }
        load %m[%i, %j - 1]; store %m[%i, %j]
      }
    }

What it reads is what it has not written before: of that, its callers say which write it comes from. Both
are what the flow of values through its own memory says (`flows.py`), so that a call is an operation that
reads the first and then writes the second, at most where that is not exact. A function has a summary if it
does nothing more:

- no operation in it has unknown effects, prints, frees what it is given, or may run for ever; branches
  between its blocks are those of loops that count, and of conditions (`structured`);
- it goes to no memory but its arguments, globals, and what it allocates and keeps to itself, or returns;
- nothing keeps its arguments: a memref that is stored is found by whoever loads it, after the call, too;
- the functions that it calls have summaries, which are found bottom up; one that may call itself has none.

What asserts something may end there: then it has read and written what comes before, and nothing after the
call runs. All that it does is done at most, and who calls it assumes what it asserts.

Two buffers that it takes for different memory have to be that where it is called: else its calls may do
anything to them. A call that passes one memref twice has a summary of its own. What memory the memrefs are
that it returns is said by its body alone (`returned.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import islpy as isl
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.expressions import (
    Expression,
    NotAffine,
    constant,
    dim_of,
    expression_of_atom,
    loops,
)
from volcli.language.loops import While
from volcli.language.memory import Effect, MemoryAccess, is_memref
from volcli.language.unchanged import operations_in
from volcli.limits import memory as limits
from volcli.model.memory.buffers.aliases import Alias, alias
from volcli.model.memory.buffers.buffers import Buffers, Origin
from volcli.model.memory.buffers.layouts import layout_of
from volcli.model.memory.buffers.returned import Returned, returned_by
from volcli.model.memory.buffers.sharing import SharedPairs, SharingCalls, shared_operands
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.answers import BufferFlow
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.model.memory.occurrence.certainty import without_unknown
from volcli.model.stated_effects import effects_of, is_assertion
from volcli.model.symbols import called_by, entry_of, functions_called_in, passed, reached_from
from volcli.model.values.store.store import BoundsStore
from volcli.presburger.expressions.constraints import conjunctions
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_of_space

_LINEAR = "its elements are products of unknowns"
_ASSERTS = "an assertion in the called function may fail"


@dataclass(frozen=True, eq=False)
class Piece:
    """Elements of a `memref` of the function: those where all of `where`, over its dimensions, is >= 0.

    It is an argument, a global, or new. It is read, or written: at most, if there is a reason `partial`.
    """

    effect: Effect
    memref: SSAValue
    where: tuple[Expression, ...]
    partial: str | None


@dataclass(frozen=True, eq=False)
class Summary:
    """What a function does to the memory that it is given: what it reads first.

    If it `asserts` something it may end before. What it allocates and returns is the result at a position.
    """

    function: Operation
    pieces: tuple[Piece, ...]
    asserts: bool
    new: Mapping[SSAValue, int]

    def at(self, call: Operation, buffers: Buffers) -> tuple[MemoryAccess, ...] | None:
        """What CALL does; None if two buffers that it passes may be one, and that one is written."""
        if len(call.operands) != len(entry_of(self.function).args):
            return None
        memrefs = {piece.memref: self._passed(piece.memref, call) for piece in self.pieces}
        written = {piece.memref for piece in self.pieces if piece.effect is Effect.WRITE}
        for first, second in combinations(memrefs, 2):
            if first in written or second in written:
                roots = buffers.root(memrefs[first]), buffers.root(memrefs[second])
                if alias(*roots) in (Alias.SAME, Alias.UNKNOWN):
                    return None
        try:
            return tuple(self._access(piece, call) for piece in self.pieces)
        except NotAffine:
            return None

    def _access(self, piece: Piece, call: Operation) -> MemoryAccess:
        memref = self._passed(piece.memref, call)
        assert isa(memref.type, MemRefType[Attribute])
        sizes = memref.type.get_shape()
        extents = tuple(dim_of(memref, d) if n == DYNAMIC_INDEX else constant(n) for d, n in enumerate(sizes))
        where = tuple(passed(each, call) for each in piece.where)
        index = loops(len(sizes))
        return MemoryAccess(piece.effect, memref, index, extents, where, partial=piece.partial)

    def _passed(self, memref: SSAValue, call: Operation) -> SSAValue:
        """What MEMREF, of the function, is where CALL calls it."""
        if isinstance(memref, BlockArgument):
            return call.operands[memref.index]
        return call.results[self.new[memref]] if memref in self.new else memref


class Summaries:
    """The summaries of the functions that are called, each found once; NAME_OF is for reasons.

    STRUCTURED makes a copy of a function without branches between blocks; None if that cannot be.
    """

    def __init__(
        self,
        name_of: Callable[[SSAValue], str],
        operations: int,
        structured: Callable[[Operation], Operation | None] = lambda _: None,
    ) -> None:
        self._structured = structured
        self._name_of = name_of
        self._operations = operations
        self._known: dict[tuple[Operation, SharedPairs], Summary | None] = {}
        self._returned: dict[Operation, tuple[Returned | None, ...]] = {}

    def returned(self, result: OpResult) -> Returned | None:
        """What memory RESULT is, if it is one of a call; None if that is not known."""
        called = called_by(result.op) if is_memref(result) else None
        if called is None:
            return None
        self.of(called)
        found = self._returned.get(called, ())
        return found[result.index] if result.index < len(found) else None

    def accesses(self, call: Operation, buffers: Buffers) -> tuple[MemoryAccess, ...] | None:
        """What CALL reads and writes, and it does nothing else; None if that is not known."""
        summary = self._called(call)
        found = None if summary is None else summary.at(call, buffers)
        called, shared = called_by(call), shared_operands(call)
        if found is not None or called is None or not shared:
            return found
        summary = self.of(called, shared)
        return None if summary is None else summary.at(call, buffers)

    def asserts(self, call: Operation) -> bool:
        """Whether CALL, of which the accesses are known, asserts something."""
        summary = self._called(call)
        return summary is not None and summary.asserts

    def _called(self, call: Operation) -> Summary | None:
        called = called_by(call)
        return None if called is None else self.of(called)

    def of(self, function: Operation, shared: SharedPairs = ()) -> Summary | None:
        """What FUNCTION does; None if it has no summary, or it is being found out: in a recursion.

        Of SHARED arguments each first one is the memory of an earlier one.
        """
        key = function, shared
        if key not in self._known:
            self._known[key] = None
            self._known[key] = self._found(function, shared)
        return self._known[key]

    def _found(self, original: Operation, shared: SharedPairs) -> Summary | None:
        function: Operation | None = original
        if any(len(region.blocks) > 1 for region in original.regions):
            function = self._structured(original)
        if function is None or any(len(r.blocks) > 1 for op in operations_in(function) for r in op.regions):
            return None
        bounds = BoundsStore(function, self._name_of, operations=self._operations)
        memory = Memory(bounds, operations=self._operations, calls=self, callers=SharingCalls(shared))
        if not shared and not any(
            original in reached_from(called) for called in functions_called_in(original)
        ):
            found = returned_by(function, memory.buffers, memory.escapes, bounds.definitions)
            self._returned[original] = found
        if not all(self._is_plain(op, memory) for op in operations_in(function) if op is not function):
            return None
        given = (each for each in entry_of(function).args if is_memref(each))
        if any(memory.escapes.is_known_inside(memory.buffers.root(each)) for each in given):
            return None
        inner = (op for op in operations_in(function) if op is not function)
        asserts = any(is_assertion(op) or self.asserts(op) for op in inner)
        returned = self._returned.get(original, ())
        new = {each.source: each.first for each in returned if each is not None and each.first is not None}
        pieces: list[Piece] = []
        for flow in MemoryFlow(memory, operations=self._operations).all():
            root = flow.root
            if root.origin is Origin.ALLOCATION and not memory.escapes.outlives(root):
                continue
            is_known = root.value in new or root.origin in (Origin.ARGUMENT, Origin.GLOBAL)
            if not is_known or root.held is not None or memory.escapes.is_known_inside(root):
                return None
            try:
                with budget(self._operations):
                    pieces += _pieces(memory, flow)
            except (BudgetExceeded, NotAffine):
                return None
        pieces.sort(key=lambda piece: piece.effect is Effect.WRITE)
        if asserts:
            pieces = [replace(each, partial=each.partial or _ASSERTS) for each in pieces]
        return Summary(function, tuple(pieces), asserts, new)

    def _is_plain(self, op: Operation, memory: Memory) -> bool:
        """Whether OP does nothing but to access memory, and ends."""
        if memory.is_known_call(op):
            return True
        stated = effects_of(op)
        if stated.unknown is not None or stated.prints or stated.exposes:
            return False
        if any(memory.buffers.root(each).origin is not Origin.ALLOCATION for each in stated.frees):
            return False
        try:
            return not isinstance(questions.loop(op), While)
        except NotAffine:
            return False


def _pieces(memory: Memory, flow: BufferFlow) -> Iterator[Piece]:
    """What is read and written of the buffer of FLOW; of new memory, what is written. Raises NotAffine."""
    kind = flow.root.value.type
    if not isa(kind, MemRefType[Attribute]) or layout_of(kind).places is not None:
        raise NotAffine("elements that are not compared by their indices")
    if flow.digits is not None:
        yield from (Piece(a.site.effect, flow.root.value, (), _LINEAR) for a in (*flow.reads, *flow.writes))
        return
    because = flow.because or ("its layout may overlap itself" if layout_of(kind).assumed else None)
    sides = ((Effect.READ, flow.reads, flow.live_in), (Effect.WRITE, flow.writes, flow.live_out))
    for effect, accesses, points in sides:
        if not accesses or (effect is Effect.READ and flow.root.origin is Origin.ALLOCATION):
            continue
        if points is None:
            raise NotAffine("elements that are not known")
        given, is_all = _over_arguments(memory, points)
        reason = because if because is not None or flow.is_exact else "it is not known exactly"
        reason = reason if is_all else reason or "it depends on unknown values"
        for part in conjunctions(given, lambda name: _named(memory, name)):
            yield Piece(effect, flow.root.value, part, reason)


def _over_arguments(memory: Memory, points: isl.Set) -> tuple[isl.Set, bool]:
    """POINTS for some values of what is not an argument; and whether nothing is."""
    found = without_unknown(memory, points).coalesce()
    is_all = all(
        not points.involves_dims(DIM.param, k, 1) or found.find_dim_by_name(DIM.param, name) >= 0
        for k, name in enumerate(parameters_of_space(points))
    )
    if found.n_basic_set() > limits.SUMMARY_PIECES:
        raise NotAffine("too many pieces")
    return found, is_all


def _named(memory: Memory, name: str) -> Expression:
    """The variable that isl knows by NAME."""
    return expression_of_atom(memory.bounds.elimination.variable(name))
