"""What operations do to memory: what a dialect's cases of the questions about memory answer.

`affine.store %x, %m[%i, 2 * %j] : memref<8x16xf32>` has one access, and
`memref.subview %m[%o, 0] [4, 8] [1, 2]` is a view: its element (d0, d1) is the element (%o + d0, 2 * d1)
of %m:

    MemoryAccess(WRITE, %m, (%i, 2 * %j), stored=%x)
    View(%m, (%o + d0, 2 * d1))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from volcli.language.expressions import Expression, Index
from volcli.language.reads import Conjunction


class Effect(Enum):
    """What an access does to its element. An update is a read and a write: two accesses."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, eq=False)
class MemoryAccess:
    """`memref[index(l)]` is read or written for all l with `0 <= l_k < extents[k]` and all of `where` >= 0.

    `index` is over index values, sizes (`Value`, `Dim`) and the operation's own loops (`LoopIndex(k)`:
    the iterators of a linalg operation, the elements of a vector); ANY where an index is not known.
    `parallel` are those of its loops whose iterations have no order. `stored` is the one value that is
    written to each element. An access that is `partial` may leave some of these elements alone, and that
    text says why (a mask). Those that are `atomic` may go to one element at the same time. What is
    `contiguous` goes to neighbours in memory: after the end of a row it goes on in the next one. At the point
    l of its loops, it is the element l of the vector `lanes` that is read or written, if that is given; if
    its loops run `along` some dimensions, all elements along the others. What is not read is `otherwise`.
    """

    effect: Effect
    memref: SSAValue
    index: tuple[Index, ...]
    extents: tuple[Expression, ...] = ()
    where: Conjunction = ()
    parallel: frozenset[int] = frozenset()
    stored: SSAValue | None = None
    partial: str | None = None
    atomic: bool = False
    contiguous: bool = False
    lanes: SSAValue | None = None
    along: tuple[int, ...] | None = None
    otherwise: SSAValue | None = None


@dataclass(frozen=True, eq=False)
class View:
    """The result's element d is the element `base[index(d)]`, d_k = `LoopIndex(k)`.

    Loops beyond the result's rank run through `0 <= d_k < extents[k - rank]`: an element of four bytes is
    four elements of a buffer of bytes. If `is_address`, `index` is one expression, the distance from the
    beginning of the buffer that is behind BASE, in elements: a reinterpretation forgets the sizes and the
    offset of its base.
    """

    base: SSAValue
    index: tuple[Index, ...]
    extents: tuple[Expression, ...] = ()
    is_address: bool = False


def is_memref(value: SSAValue) -> bool:
    """Whether VALUE is a memref, with a rank or without."""
    return isinstance(value.type, MemRefType | UnrankedMemRefType)


@dataclass(frozen=True)
class Effects:
    """What an operation does beside the accesses that it states, what is in its regions apart.

    It `frees` these buffers, and lets others know these `exposed` ones: their address, say. What it `prints`
    keeps its order and goes to no memory. `unknown` is the text of what may read and write escaped memory,
    too, and do anything else: `@f` for a call of that function. If it is `conditional`, it may leave alone
    what it frees. It `ends` values that are not memrefs: their memory is given back.
    """

    frees: tuple[SSAValue, ...] = ()
    conditional: bool = False
    ends: tuple[SSAValue, ...] = ()
    exposes: tuple[SSAValue, ...] = ()
    prints: bool = False
    unknown: str | None = None

    @property
    def is_ordered(self) -> bool:
        """Whether it keeps its order whatever memory it goes to: it prints, or may do anything."""
        return self.prints or self.unknown is not None


@dataclass(frozen=True)
class Buffer:
    """Where memory comes from: new memory each time that the operation runs, or the global `symbol`.

    It `is_none` if nothing is ever read or written there.
    """

    symbol: str | None = None
    is_none: bool = False


@dataclass(frozen=True, eq=False)
class Allocation:
    """The result is new and nothing is in it; the `?` of its type are as large as `sizes`, in their order.

    `resized` makes the same operation with another result type and the sizes of its `?`:
    `memref.alloc(%n) : memref<?x4xf32>` of memref<8x4xf32> is `memref.alloc() : memref<8x4xf32>`. None if the
    result cannot be of another size.
    """

    sizes: tuple[SSAValue, ...]
    resized: Callable[[Attribute, Sequence[SSAValue]], Operation] | None = None
