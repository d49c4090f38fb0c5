"""Loops around accesses, allocations, deallocations and prints, and their text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.oracles.interpreter.affine import Affine

WIDTH = {"f32": 4, "i8": 1, "i16": 2, "i32": 4}


@dataclass(frozen=True)
class Buffer:
    """A memref. One with STRIDES has that layout, with None for what is not static; a view is of BASE's bytes."""

    name: str
    element: str
    sizes: tuple[int, ...]
    strides: tuple[int | None, ...] | None = None
    base: str | None = None
    shift: int = 0

    @property
    def type(self) -> str:
        shape = "".join(f"{size}x" for size in self.sizes)
        if self.strides is None:
            return f"memref<{shape}{self.element}>"
        steps = ", ".join("?" if stride is None else str(stride) for stride in self.strides)
        return f"memref<{shape}{self.element}, strided<[{steps}]>>"

    def steps(self, dynamic: Sequence[int]) -> list[int]:
        """How many elements lie from one index to the next, per dimension; DYNAMIC ones as given."""
        found: list[int] = []
        for k in range(len(self.sizes)):
            step = 1
            for size in self.sizes[k + 1 :]:
                step *= size
            stated = step if self.strides is None else self.strides[k]
            found.append(dynamic[k] if stated is None else stated)
        return found


@dataclass(frozen=True)
class Access:
    """A load or a store of the element `buffer[rows]`, each over the induction variables around it."""

    number: int
    write: bool
    buffer: Buffer
    rows: tuple[Affine, ...]


@dataclass(frozen=True)
class Alloc:
    """A new buffer, each time."""

    buffer: Buffer


@dataclass(frozen=True)
class Free:
    """The end of a buffer."""

    buffer: Buffer


@dataclass(frozen=True)
class Effect:
    """What has an order beside all accesses: `print` or `call`."""

    kind: str


@dataclass(frozen=True)
class Loop:
    """The body at each of POINTS, in this order: values of the induction variables IVS. DIALECT is its text."""

    ivs: tuple[str, ...]
    points: tuple[tuple[int, ...], ...]
    body: tuple[Node, ...]
    dialect: str = "affine.for"

    @property
    def is_parallel(self) -> bool:
        """Whether its iterations have no order."""
        return self.dialect not in ("affine.for", "scf.for")


Node = Access | Alloc | Free | Effect | Loop


@dataclass(frozen=True)
class Program:
    """A function: its arguments, views of them, and what it does."""

    arguments: tuple[Buffer, ...]
    views: tuple[Buffer, ...]
    body: tuple[Node, ...]
    notes: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def text(self) -> str:
        values = ", ".join(f"%x_{element}: {element}" for element in WIDTH)
        given = ", ".join(f"{b.name}: {b.type}" for b in self.arguments)
        lines = [f"func.func @f({given}{', ' if given else ''}{values}) {{"]
        lines += [f"  %c{n} = arith.constant {n} : index" for n in range(9)]
        lines.append("  %cm1 = arith.constant -1 : index")
        for view in self.views:
            base = next(b for b in self.arguments if b.name == view.base)
            lines.append(
                f"  {view.name} = memref.view {base.name}[%c{view.shift}][] : {base.type} to {view.type}"
            )
        for node in self.body:
            lines += (f"  {line}" for line in printed(node, ()))
        return "\n".join([*lines, "  return", "}", "func.func private @g()", ""])


def walk(nodes: Sequence[Node]) -> Iterator[Node]:
    """All nodes, in the order of the text."""
    for node in nodes:
        yield node
        if isinstance(node, Loop):
            yield from walk(node.body)


def printed(node: Node, ivs: tuple[str, ...], *, affine: bool = True) -> Iterator[str]:
    """The text of NODE inside of loops over IVS, of which all are AFFINE."""
    match node:
        case Access():
            yield from access_text(node, ivs, affine=affine)
        case Alloc():
            yield f"{node.buffer.name} = memref.alloc() : {node.buffer.type}"
        case Free():
            yield f"memref.dealloc {node.buffer.name} : {node.buffer.type}"
        case Effect(kind):
            yield "vector.print %x_f32 : f32" if kind == "print" else "func.call @g() : () -> ()"
        case Loop():
            yield from loop_text(node, ivs, affine=affine)


def access_text(node: Access, ivs: tuple[str, ...], *, affine: bool) -> Iterator[str]:
    """affine.load or affine.store; inside of other loops memref's, with subscripts by arith."""
    subscripts = [row.text(ivs) for row in node.rows]
    if not affine:
        for k, row in enumerate(node.rows):
            name = f"%s{node.number}_{k}"
            yield f"{name}_0 = arith.addi %c{row.constant}, %c0 : index"
            for step, (factor, iv) in enumerate(zip(row.coefficients, ivs, strict=True)):
                constant = f"%c{factor}" if factor >= 0 else f"%cm{-factor}"
                yield f"{name}_{step}p = arith.muli {iv}, {constant} : index"
                yield f"{name}_{step + 1} = arith.addi {name}_{step}, {name}_{step}p : index"
            subscripts[k] = f"{name}_{len(ivs)}"
    dialect = "affine" if affine else "memref"
    place = f"{node.buffer.name}[{', '.join(subscripts)}] : {node.buffer.type}"
    if not node.write:
        yield f"%v{node.number} = {dialect}.load {place}"
        return
    yield from value_text(node, ivs)
    yield f"{dialect}.store {f'%w{node.number}' if ivs else f'%x_{node.buffer.element}'}, {place}"


def value_text(node: Access, ivs: tuple[str, ...]) -> Iterator[str]:
    """What NODE stores: a number of the iteration, since writes of one value need no order."""
    name, element = f"%w{node.number}", node.buffer.element
    total = ivs[0] if ivs else ""
    for step, iv in enumerate(ivs[1:]):
        yield f"{name}_{step} = arith.addi {total}, {iv} : index"
        total = f"{name}_{step}"
    if ivs and element.startswith("i"):
        yield f"{name} = arith.index_cast {total} : index to {element}"
    elif ivs:
        yield f"{name}_i = arith.index_cast {total} : index to i64"
        yield f"{name} = arith.sitofp {name}_i : i64 to {element}"


def loop_text(node: Loop, ivs: tuple[str, ...], *, affine: bool) -> Iterator[str]:
    (iv,), (low,), (high,) = node.ivs, node.points[0], node.points[-1]
    head = {
        "affine.for": f"affine.for {iv} = {low} to {high + 1}",
        "affine.parallel": f"affine.parallel ({iv}) = ({low}) to ({high + 1})",
        "scf.for": f"scf.for {iv} = %c{low} to %c{high + 1} step %c1",
        "scf.forall": f"scf.forall ({iv}) = (%c{low}) to (%c{high + 1}) step (%c1)",
        "scf.parallel": f"scf.parallel ({iv}) = (%c{low}) to (%c{high + 1}) step (%c1)",
    }[node.dialect]
    yield f"{head} {{"
    is_affine = affine and node.dialect.startswith("affine")
    for inner in node.body:
        yield from (f"  {line}" for line in printed(inner, (*ivs, iv), affine=is_affine))
    yield "}"
