"""What buffers hold between the operations of a function's block, known once for all paths that lead there.

After the operation k of the block, the element e of the buffer B is

    C_k(B) = step_k(B), then C_(k-1) of each buffer that the step leads to;    C_(k-1)(B) if k leaves B alone

The paths from a load in the operation m are those within m, then C_(m-1): n loads in a chain of n loops take
n steps, where each walk back on its own takes up to n. Where single elements are stored between loops, C_k
would have a piece for each of them, and walks have one path: so there are no contents of such a function.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from xdsl.ir import Operation, OpResult

from volcli.equivalence.paths.ends import Ends, Key, add, merge
from volcli.equivalence.paths.paths import Paths
from volcli.equivalence.places.places import Places
from volcli.equivalence.places.written import Written
from volcli.language import questions
from volcli.language.expressions import NotAffine, loops
from volcli.limits import equivalence as limits
from volcli.model.memory.buffers.roots import Root
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.sets import build


class BlockContents:
    """What buffers hold after each of OPS, those of a function's block, which STEP goes back through.

    Each may cost at most so many OPERATIONS of isl.
    """

    def __init__(
        self,
        ops: Sequence[Operation],
        places: Places,
        written: Written,
        step: Callable[[Operation, Ends], None],
        operations: int,
    ) -> None:
        self._ops = ops
        self._at = {op: k for k, op in enumerate(ops)}
        self._places = places
        self._step = step
        self._touching: dict[Root, list[int]] = {}
        self._after: dict[tuple[Root, int], Ends | Exception] = {}
        writing = [written(op) for op in ops]
        for root in dict.fromkeys(root for roots in writing for root in roots):
            made = self._maker(root)
            self._touching[root] = [k for k, roots in enumerate(writing) if root in roots or k == made]
        for root, k in sorted(self._touches(), key=lambda touch: touch[1]):
            self._after[root, k] = self._found(root, k, operations)

    def _touches(self) -> Iterator[tuple[Root, int]]:
        return ((root, k) for root, positions in self._touching.items() for k in positions)

    def _maker(self, key: Key) -> int:
        """The operation that makes KEY, a value or a buffer; -1 if it is made elsewhere."""
        value = key.value if isinstance(key, Root) and key.symbol is None else key
        return self._at.get(value.op, -1) if isinstance(value, OpResult) else -1

    def _found(self, root: Root, k: int, operations: int) -> Ends | Exception:
        """What ROOT holds after the operation K, or why that is not known."""
        rank = self._places.rank(root)
        ends: Ends = {root: Paths.of(build.relation(rank, loops(rank))).uncounted}
        try:
            with budget(operations):
                self._step(self._ops[k], ends)
                return self.before(k, ends)
        except (NotAffine, BudgetExceeded) as error:
            return error

    def before(self, end: int, ends: Ends) -> Ends:
        """What ENDS, before the operation END, are at the beginning of the block."""
        found: Ends = {}
        while True:
            for root in [key for key in ends if isinstance(key, Root)]:
                self._held(root, end, ends.pop(root), found)
            end = max((k for k in map(self._maker, ends) if k < end), default=-1)
            if end < 0:
                merge(found, ends)
                return found
            self._step(self._ops[end], ends)

    def _held(self, root: Root, end: int, paths: Paths, found: Ends) -> None:
        """Add to FOUND what PATHS to ROOT, before the operation END, lead to."""
        touching = self._touching.get(root, [])
        if not (count := bisect_left(touching, end)):
            add(found, root, paths)
            return
        held = self._after[root, touching[count - 1]]
        if isinstance(held, Exception):
            raise held
        for key, further in held.items():
            add(found, key, paths.then(further))


def has_contents(ops: Sequence[Operation], written: Written) -> bool:
    """Whether many of OPS are loops that write, and no other one writes single elements."""
    if any(written.effects(op)[1] is not None for op in ops):
        return False
    writing = [op for op in ops if written(op)]
    with suppress(NotAffine):
        many = sum(questions.loop.answers(type(op)) for op in writing) >= limits.LOOPS_WITH_CONTENTS
        return many and not any(_stores_elements(op) for op in writing)
    return False


def _stores_elements(op: Operation) -> bool:
    return any(access.stored is not None and not access.extents for access in questions.accesses(op) or ())
