"""Programs whose dependences are known from the literature or by hand."""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracles.memory.expressions import Binary, Expression, plus, times
from tests.oracles.memory.memrefs import Alloc, GetGlobal, MemrefType, View
from tests.oracles.memory.nodes import Access, Block, Branch, Condition, Loop, Node
from tests.oracles.memory.programs import Program


def store(memref: str, sizes: Sequence[int], *subscripts: Expression, affine: bool = True) -> Access:
    """A store to a memref without a layout."""
    return Access(True, memref, MemrefType(tuple(sizes)), subscripts, affine)


def load(memref: str, sizes: Sequence[int], *subscripts: Expression, affine: bool = True) -> Access:
    """A load of a memref without a layout."""
    return Access(False, memref, MemrefType(tuple(sizes)), subscripts, affine)


def loop(
    iv: str, lower: Expression, upper: Expression, *body: Node, step: int = 1, affine: bool = True
) -> Loop:
    """for iv = lower to upper step step"""
    return Loop((iv,), ((lower,),), ((upper,),), (step,), body, affine)


def function(*body: Node, memrefs: dict[str, Sequence[int]], parameters: Sequence[str] = ()) -> Program:
    """A function of these memrefs: those that begin with @ are globals."""
    types = {name: MemrefType(tuple(sizes)) for name, sizes in memrefs.items()}
    arguments = tuple((name, type) for name, type in types.items() if name[0] == "%")
    symbols = tuple((name, type) for name, type in types.items() if name[0] == "@")
    return Program(tuple(parameters), arguments, symbols, body)


def shifted_rows() -> Program:
    """`m[i, j] = ...; ... = m[i - 2, j]` for 0 <= i, j < 10: the distance is (2, 0), at depth 1."""
    sizes = (10, 10)
    body = [store("%m", sizes, "%i", "%j"), load("%m", sizes, plus("%i", -2), "%j")]
    return function(loop("%i", 0, 10, loop("%j", 0, 10, *body)), memrefs={"%m": sizes})


def skewed() -> Program:
    """`m[i + 3j, 4i + 5j] = ...; ... = m[i + j, i + 2j + 3]` for 0 <= i < 10 and 0 <= j < 7."""
    sizes = (10, 7)
    first = [plus("%i", times("%j", 3)), plus(times("%i", 4), times("%j", 5))]
    second = [plus("%i", "%j"), plus(plus("%i", times("%j", 2)), 3)]
    body = [store("%m", sizes, *first), load("%m", sizes, *second)]
    return function(loop("%i", 0, 10, loop("%j", 0, 7, *body)), memrefs={"%m": sizes})


def any_distance() -> Program:
    """`... = m[i]; m[0] = ...` for 0 <= i < n: the load waits for no store but m[0]'s, the stores for all before."""
    body = [load("%m", (6,), "%i"), store("%m", (6,), 0)]
    return function(loop("%i", 0, "%n", *body), memrefs={"%m": (6,)}, parameters=("%n",))


def strided() -> Program:
    """`m[i] = ...; ... = m[i - 4]` for i = 1, 3, 5, 7: the distance is 4 in units of i."""
    body = [store("%m", (8,), "%i"), load("%m", (8,), plus("%i", -4))]
    return function(loop("%i", 1, 8, *body, step=2), memrefs={"%m": (8,)})


def other_half() -> Program:
    """`if (i >= 3) m[i] = ... else ... = m[i + 3]` for 0 <= i < 6: each load before the store, at distance 3."""
    then: Block = (store("%m", (6,), "%i"),)
    otherwise: Block = (load("%m", (6,), plus("%i", 3)),)
    branch = Branch((Condition(plus("%i", -3), ">="),), then, otherwise, affine=True)
    return function(loop("%i", 0, 6, branch), memrefs={"%m": (6,)})


def triangle() -> Program:
    """`m[i] = ...` for j from i to 3, and `... = m[j]`: j - i runs through 1 and 2."""
    body = [store("%m", (3,), "%i"), load("%m", (3,), "%j")]
    return function(loop("%i", 0, 3, loop("%j", "%i", 3, *body)), memrefs={"%m": (3,)})


def siblings() -> Program:
    """A loop stores what another one loads: a dependence without loops around both."""
    first = loop("%i", 0, 4, store("%m", (8,), "%i"))
    second = loop("%j", 0, 4, load("%m", (8,), times("%j", 2)))
    return function(first, second, memrefs={"%m": (8,)})


def private() -> Program:
    """A buffer that is made in each iteration carries nothing from one to the next."""
    body = [Alloc("%a", MemrefType((4,))), store("%a", (4,), 1, affine=False), load("%a", (4,), 1)]
    return function(loop("%i", 0, 4, *body, affine=False), memrefs={})


def two_handles() -> Program:
    """`g[i] = ...` through one handle of a global, and `... = g[i - 1]` through another one."""
    kind = MemrefType((6,))
    handles = [GetGlobal("%g", kind, "@g"), GetGlobal("%h", kind, "@g")]
    body = [store("%g", (6,), "%i"), load("%h", (6,), plus("%i", -1))]
    return function(*handles, loop("%i", 1, 6, *body), memrefs={"@g": (6,)})


def through_views() -> Program:
    """Every second element through a subview, `v[i] = m[1 + 2i]`, and all of them through a collapse of 2x4."""
    base, half, line = MemrefType((2, 4)), MemrefType((2, 2), (4, 2), 1), MemrefType((8,))
    views = [
        View("%v", half, "%m", base, "memref.subview %m[0, 1] [2, 2] [1, 2]", (2, 2), ("%0", plus(times("%1", 2), 1))),
        View(
            "%l", line, "%m", base, "memref.collapse_shape %m [[0, 1]]", (8,),
            (Binary("floordiv", "%0", 4), Binary("mod", "%0", 4)), into="into",
        ),
    ]  # fmt: skip
    body = [Access(True, "%v", half, (0, "%i"), affine=True), Access(False, "%l", line, ("%i",), affine=True)]
    return function(*views, loop("%i", 0, 2, *body), memrefs={"%m": (2, 4)})


def overwritten() -> Program:
    """`m[i] = ...; m[1] = ...; ... = m[2]` for 0 <= i < 3 on a buffer of the function's own."""
    body = [store("%a", (3,), "%i"), store("%a", (3,), 1), load("%a", (3,), 2)]
    return function(Alloc("%a", MemrefType((3,))), loop("%i", 0, 3, *body), memrefs={})


FIXED = (
    shifted_rows, skewed, any_distance, strided, other_half, triangle, siblings, private, two_handles,
    through_views, overwritten,
)  # fmt: skip
