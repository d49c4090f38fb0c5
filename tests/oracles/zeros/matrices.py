"""Matrices over f64: declared domains, masks, padding, element-wise operations and contractions.

Each node has its text, what it computes, and which of its elements are structurally no zeros: those for which
some product or number is none, taking all numbers for finite.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from tests.oracles.zeros.numbers import Cell, apply
from tests.oracles.zeros.programs import literal

Point = tuple[int, ...]
Matrix = dict[Point, Cell]
Known = Mapping[str, Matrix]
Nonzeros = Mapping[str, set[Point]]
Shape = tuple[int, int]

DOMAINS: dict[str, tuple[str, Callable[[int, int, Shape], bool]]] = {
    "lower": ("(d0, d1) : (d0 - d1 >= 0)", lambda i, j, s: i >= j),
    "upper": ("(d0, d1) : (d1 - d0 - 1 >= 0)", lambda i, j, s: j > i),
    "band": ("(d0, d1) : (d0 - d1 + 1 >= 0, d1 - d0 + 1 >= 0)", lambda i, j, s: abs(i - j) <= 1),
    "blocks": ("(d0, d1) : (d0 floordiv 2 - d1 floordiv 2 == 0)", lambda i, j, s: i // 2 == j // 2),
    "upper left": ("(d0, d1)[s0, s1] : (s1 - 1 - d0 - d1 >= 0)", lambda i, j, s: i + j < s[1]),
    "even": ("(d0, d1) : ((d0 + d1) mod 2 == 0)", lambda i, j, s: (i + j) % 2 == 0),
    "row": ("(d0, d1) : (d0 - 1 == 0)", lambda i, j, s: i == 1),
}
"""Sets, and whether an element of a matrix lies in them."""
MASKS: dict[str, tuple[str, Callable[[int, int], bool]]] = {
    "lower": ("arith.cmpi sge, %i, %j", lambda i, j: i >= j),
    "upper": ("arith.cmpi slt, %i, %j", lambda i, j: i < j),
    "diagonal": ("arith.cmpi eq, %i, %j", lambda i, j: i == j),
    "sum": ("arith.cmpi sle, %sum, %two", lambda i, j: i + j <= 2),
    "even": ("arith.cmpi eq, %parity, %zero", lambda i, j: (i + j) % 2 == 0),
    "blocks": ("arith.cmpi eq, %half_i, %half_j", lambda i, j: i // 2 == j // 2),
}
"""Conditions on the indices, and whether they hold."""
_INDICES = """%i = linalg.index 0 : index
%j = linalg.index 1 : index
%zero = arith.constant 0 : index
%two = arith.constant 2 : index
%sum = arith.addi %i, %j : index
%parity = arith.remui %sum, %two : index
%half_i = arith.divui %i, %two : index
%half_j = arith.divui %j, %two : index"""


def kind_of(shape: Shape) -> str:
    return f"tensor<{shape[0]}x{shape[1]}xf64>"


def elements(shape: Sequence[int]) -> Iterator[Point]:
    return product(*map(range, shape))


def filled(name: str, shape: Shape, number: float) -> str:
    return f"%{name} = arith.constant dense<{literal(number)}> : {kind_of(shape)}"


@dataclass(frozen=True)
class Given:
    """An argument, with the name of its domain."""

    result: str
    shape: Shape
    domain: str = ""

    @property
    def text(self) -> str:
        said = f" {{volcli.domain = affine_set<{DOMAINS[self.domain][0]}>}}" if self.domain else ""
        return f"%{self.result}: {kind_of(self.shape)}{said}"

    def has(self, e: Point) -> bool:
        return not self.domain or DOMAINS[self.domain][1](e[0], e[1], self.shape)


@dataclass(frozen=True)
class Around:
    """SOURCE from LOW on with a stride in a matrix of a NUMBER: padded, or inserted with a stride."""

    result: str
    source: str
    shape: Shape
    inner: Shape
    low: Shape
    stride: Shape
    number: float

    def _inside(self) -> dict[Point, Point]:
        places = {e: tuple(lo + x * s for lo, x, s in zip(self.low, e, self.stride, strict=True))
                  for e in elements(self.inner)}  # fmt: skip
        return {there: here for here, there in places.items()}

    def run(self, known: Known) -> Matrix:
        inside = self._inside()
        return {
            e: known[self.source][inside[e]] if e in inside else Cell(self.number)
            for e in elements(self.shape)
        }

    def nonzeros(self, known: Nonzeros) -> set[Point]:
        inside = self._inside()
        others = set(elements(self.shape)) - set(inside) if self.number else set[Point]()
        return others | {there for there, here in inside.items() if here in known[self.source]}

    def text(self, with_flags: bool) -> list[str]:
        inner, outer = kind_of(self.inner), kind_of(self.shape)
        if self.stride != (1, 1):
            return [filled(f"{self.result}_n", self.shape, self.number),
                    f"%{self.result} = tensor.insert_slice %{self.source} into %{self.result}_n"
                    f"{list(self.low)} {list(self.inner)} {list(self.stride)} : {inner} into {outer}"]  # fmt: skip
        high = [n - lo - m for n, lo, m in zip(self.shape, self.low, self.inner, strict=True)]
        return [f"%{self.result}_n = arith.constant {literal(self.number)} : f64",
                f"%{self.result} = tensor.pad %{self.source} low{list(self.low)} high{high} {{",
                f"^bb0(%i: index, %j: index):\n  tensor.yield %{self.result}_n : f64",
                f"}} : {inner} to {outer}"]  # fmt: skip


@dataclass(frozen=True)
class Structured:
    """`R[out(l)]` from `left[..(l)]` and `right[..(l)]` over a box of loops; FORM is its body.

    An index is a sum of loops, by their positions: (0, 2) is d0 + d2. INIT is a number or a value; NAMED says
    that it is written as a named operation.
    """

    result: str
    shape: Shape
    sources: tuple[str, ...]
    maps: tuple[tuple[tuple[int, ...], ...], ...]
    extents: tuple[int, ...]
    form: str
    init: float | str = math.nan
    flags: tuple[str, ...] = ()
    named: str = ""
    mask: str = ""

    @property
    def keeps(self) -> bool:
        """Whether the body uses what was there."""
        return self.form in ("acc + p", "p + acc", "acc - p", "fma")

    def at(self, k: int, point: Point) -> Point:
        return tuple(sum(point[d] for d in index) for index in self.maps[k])

    def initial(self, known: Known) -> Matrix:
        if isinstance(self.init, str):
            return dict(known[self.init])
        return {e: Cell(self.init) for e in elements(self.shape)}

    def run(self, known: Known, only: set[Point] | None = None) -> Matrix:
        """The matrix; of the loop points ONLY those, and +0 where none computes an element anew."""
        found = self.initial(known)
        if only is not None and not self.keeps:
            found = {e: Cell(0.0) for e in elements(self.shape)}
        for point in elements(self.extents):
            if only is None or point in only:
                e = self.at(len(self.sources), point)
                found[e] = self._body(
                    [known[s][self.at(k, point)] for k, s in enumerate(self.sources)], found[e], point
                )
        return found

    def _body(self, cells: Sequence[Cell], before: Cell, point: Point) -> Cell:
        flags = self.flags
        if self.form == "select":
            return cells[0] if MASKS[self.mask][1](*point) else Cell(0.0)
        if self.form == "copy":
            return cells[0]
        if self.form in ("arith.mulf", "arith.addf", "arith.subf"):
            return apply(self.form, flags, cells)
        if self.form == "fma":
            return apply("math.fma", flags, [*cells, before])
        term = apply("arith.mulf", flags, cells)
        if self.form == "acc - p":
            return apply("arith.subf", flags, [before, term])
        return apply("arith.addf", flags, [before, term] if self.form == "acc + p" else [term, before])

    def live(self, known: Nonzeros) -> set[Point]:
        """The loop points that contribute, or compute something other than zero."""
        return {point for point in elements(self.extents) if self._contributes(point, known)}

    def _contributes(self, point: Point, known: Nonzeros) -> bool:
        nonzero = [self.at(k, point) in known[s] for k, s in enumerate(self.sources)]
        if self.form == "select":
            return nonzero[0] and MASKS[self.mask][1](*point)
        return any(nonzero) if self.form in ("copy", "arith.addf", "arith.subf") else all(nonzero)

    def nonzeros(self, known: Nonzeros) -> set[Point]:
        own = {self.at(len(self.sources), point) for point in self.live(known)}
        if not self.keeps:
            return own
        before = known[self.init] if isinstance(self.init, str) else elements(self.shape) if self.init else ()
        return own.union(before)

    # -- text ------------------------------------------------------------------------------------------

    def text(self, with_flags: bool) -> list[str]:
        r, kind = self.result, kind_of(self.shape)
        first = f"%{r}_o = tensor.empty() : {kind}"
        if self.keeps and not isinstance(self.init, str):
            first = filled(f"{r}_o", self.shape, self.init)
        init = self.init if isinstance(self.init, str) else f"{r}_o"
        names = ", ".join(f"%{s}" for s in self.sources)
        kinds = ", ".join(kind_of(self._shape(k)) for k in range(len(self.sources)))
        arguments = f"ins({names} : {kinds}) outs(%{init} : {kind})"
        if self.named:
            return [first, f"%{r} = {self.named} {arguments} -> {kind}"]
        loops = ", ".join(f"d{d}" for d in range(len(self.extents)))
        maps = ", ".join(
            f"affine_map<({loops}) -> ({', '.join(' + '.join(f'd{d}' for d in index) for index in m)})>"
            for m in self.maps
        )
        iterators = ", ".join('"parallel"' if k < 2 else '"reduction"' for k in range(len(self.extents)))
        inputs = ", ".join(f"%{'xy'[k]}: f64" for k in range(len(self.sources)))
        return [first, f"%{r} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}} "
                f"{arguments} {{\n^bb0({inputs}, %acc: f64):", *self._body_text(with_flags), f"}} -> {kind}"]  # fmt: skip

    def _shape(self, k: int) -> Shape:
        rows, columns = (sum(self.extents[d] - 1 for d in index) + 1 for index in self.maps[k])
        return rows, columns

    def _body_text(self, with_flags: bool) -> list[str]:
        flags = f" fastmath<{','.join(self.flags)}>" if self.flags and with_flags else ""
        product_text = f"%p = arith.mulf %x, %y{flags} : f64"
        match self.form:
            case "select":
                lines = [_INDICES, f"%holds = {MASKS[self.mask][0]} : index", "%n = arith.constant 0.0 : f64",
                         "%r = arith.select %holds, %x, %n : f64"]  # fmt: skip
            case "copy":
                return ["linalg.yield %x : f64"]
            case "fma":
                lines = [f"%r = math.fma %x, %y, %acc{flags} : f64"]
            case "acc + p":
                lines = [product_text, f"%r = arith.addf %acc, %p{flags} : f64"]
            case "p + acc":
                lines = [product_text, f"%r = arith.addf %p, %acc{flags} : f64"]
            case "acc - p":
                lines = [product_text, f"%r = arith.subf %acc, %p{flags} : f64"]
            case _:
                lines = [f"%r = {self.form} %x, %y{flags} : f64"]
        return [*lines, "linalg.yield %r : f64"]


Node = Around | Structured


@dataclass(frozen=True)
class Matrices:
    """Arguments and nodes; the last node's value is returned."""

    arguments: tuple[Given, ...]
    nodes: tuple[Node, ...]

    def run(self, inputs: Known) -> dict[str, Matrix]:
        known = dict(inputs)
        for node in self.nodes:
            known[node.result] = node.run(known)
        return known

    def nonzeros(self) -> dict[str, set[Point]]:
        """The elements of each value that are structurally no zeros."""
        known = {a.result: {e for e in elements(a.shape) if a.has(e)} for a in self.arguments}
        for node in self.nodes:
            known[node.result] = node.nonzeros(known)
        return known

    def mlir(self, name: str = "f", with_flags: bool = True) -> str:
        last = self.nodes[-1]
        arguments = ", ".join(a.text for a in self.arguments)
        lines = [*(line for node in self.nodes for line in node.text(with_flags)),
                 f"return %{last.result} : {kind_of(last.shape)}"]  # fmt: skip
        body = "\n".join(f"  {line}" for line in lines)
        return f"func.func @{name}({arguments}) -> {kind_of(last.shape)} {{\n{body}\n}}\n"
