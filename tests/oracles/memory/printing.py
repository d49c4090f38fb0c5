"""Programs as MLIR text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.oracles.interpreter.arithmetic import PREDICATE_OF
from tests.oracles.memory.expressions import Binary, Expression, affine_map, text
from tests.oracles.memory.memrefs import Alloc, GetGlobal, View
from tests.oracles.memory.nodes import Access, Block, Branch, Condition, Define, Loop, Node

ARITH = {"+": "addi", "*": "muli", "floordiv": "floordivsi", "rem": "remsi", "div": "divsi"}


class Printer:
    """Writes the operations of a function whose index arguments are PARAMETERS."""

    def __init__(self, parameters: Sequence[str]) -> None:
        self.parameters = parameters
        self.constants: dict[int, str] = {}
        self.temporaries = 0

    def lines(self, block: Block) -> Iterator[str]:
        """The text of BLOCK, indented."""
        for node in block:
            for line in self.node(node):
                yield f"  {line}"

    def fresh(self) -> str:
        """A name that nothing has."""
        self.temporaries += 1
        return f"%t{self.temporaries}"

    def node(self, node: Node) -> Iterator[str]:
        """The text of one operation."""
        match node:
            case Alloc() | GetGlobal() | View():
                yield node.text
            case Define():
                yield from self.define(node)
            case Access():
                yield from self.access(node)
            case Loop():
                yield from self.loop(node)
                yield from self.inner(node.body)
            case Branch():
                yield from self.branch(node)

    def inner(self, block: Block, end: str = "}") -> Iterator[str]:
        """A block inside an operation, without its opening brace."""
        yield from self.lines(block)
        yield end

    def define(self, node: Define) -> Iterator[str]:
        """affine.apply, or arith."""
        if node.by == "affine":
            attribute, operands = affine_map([node.expression], self.parameters)
            yield f"{node.result} = affine.apply affine_map<{attribute}>{operands}"
            return
        lines, name = self.computed(node.expression)
        yield from lines
        if node.by == "cast":
            wide = self.fresh()
            yield f"{wide} = arith.index_cast {name} : index to i64"
            yield f"{node.result} = arith.index_cast {wide} : i64 to index"
        else:
            yield f"{node.result} = arith.addi {name}, {self.constant(0)} : index"

    def computed(self, expression: Expression) -> tuple[list[str], str]:
        """Operations of arith that compute EXPRESSION, and the name of the last result."""
        match expression:
            case int():
                return [], self.constant(expression)
            case str():
                return [], expression
            case Binary("mod", left, int(by)):  # arith has none that is never negative
                lines, name = self.computed(left)
                whole, product, rest = self.fresh(), self.fresh(), self.fresh()
                lines.append(f"{whole} = arith.floordivsi {name}, {self.constant(by)} : index")
                lines.append(f"{product} = arith.muli {whole}, {self.constant(by)} : index")
                return [*lines, f"{rest} = arith.subi {name}, {product} : index"], rest
            case Binary(operator, left, right):
                first, one = self.computed(left)
                second, other = self.computed(right)
                name = self.fresh()
                return [*first, *second, f"{name} = arith.{ARITH[operator]} {one}, {other} : index"], name

    def constant(self, number: int) -> str:
        """The name of a constant, which stands at the beginning of the function."""
        return self.constants.setdefault(number, f"%c{number}" if number >= 0 else f"%cm{-number}")

    def extremum(self, operation: str, pieces: Sequence[Expression]) -> tuple[list[str], str]:
        """The greatest (maxsi) or the least (minsi) of PIECES."""
        lines, name = self.computed(pieces[0])
        for piece in pieces[1:]:
            more, other = self.computed(piece)
            both = self.fresh()
            lines += [*more, f"{both} = arith.{operation} {name}, {other} : index"]
            name = both
        return lines, name

    def access(self, node: Access) -> Iterator[str]:
        """A load or a store."""
        names: list[str] = []
        for subscript in node.subscripts:
            lines, name = ([], text(subscript)) if node.affine else self.computed(subscript)
            yield from lines
            names.append(name)
        dialect = "affine" if node.affine else "memref"
        place = f"{node.memref}[{', '.join(names)}] : {node.type}"
        if not node.write:
            yield f"{self.fresh()} = {dialect}.load {place}"
            return
        lines, stored = self.stored(node.value)
        yield from lines
        yield f"{dialect}.store {stored}, {place}"

    def stored(self, value: Expression) -> tuple[list[str], str]:
        """Operations that make a float of VALUE, and its name."""
        if value == 0:
            return [], "%cst"
        if isinstance(value, int):
            name = self.fresh()
            return [f"{name} = arith.constant {value}.0 : f32"], name
        lines, name = self.computed(value)
        wide, result = self.fresh(), self.fresh()
        lines.append(f"{wide} = arith.index_cast {name} : index to i64")
        return [*lines, f"{result} = arith.sitofp {wide} : i64 to f32"], result

    def loop(self, node: Loop) -> Iterator[str]:
        """All of the loop up to its body."""
        match node.affine, node.parallel:
            case True, False:
                lower, upper = self.bound("max", node.lowers[0]), self.bound("min", node.uppers[0])
                yield f"affine.for {node.ivs[0]} = {lower} to {upper} step {node.steps[0]} {{"
            case True, True:
                lower, upper = parallel_bound("max", node.lowers), parallel_bound("min", node.uppers)
                steps = ", ".join(map(str, node.steps))
                yield f"affine.parallel ({', '.join(node.ivs)}) = {lower} to {upper} step ({steps}) {{"
            case _:
                yield from self.scf_loop(node)

    def bound(self, side: str, pieces: Sequence[Expression]) -> str:
        """A bound of affine.for."""
        if len(pieces) == 1 and isinstance(pieces[0], int):
            return str(pieces[0])
        attribute, operands = affine_map(pieces, self.parameters)
        return f"{side if len(pieces) > 1 else ''} affine_map<{attribute}>{operands}".strip()

    def scf_loop(self, node: Loop) -> Iterator[str]:
        """scf.for or scf.parallel up to its body."""
        sides: list[list[str]] = []
        for operation, bounds in (("maxsi", node.lowers), ("minsi", node.uppers)):
            names: list[str] = []
            for pieces in bounds:
                lines, name = self.extremum(operation, pieces)
                yield from lines
                names.append(name)
            sides.append(names)
        steps: list[str] = []
        for each in node.steps:
            lines, name = self.computed(each)
            yield from lines
            steps.append(name)
        lower, upper, step = (", ".join(side) for side in (*sides, steps))
        if node.parallel:
            yield f"scf.parallel ({', '.join(node.ivs)}) = ({lower}) to ({upper}) step ({step}) {{"
        else:
            yield f"scf.for {node.ivs[0]} = {lower} to {upper} step {step} {{"

    def branch(self, node: Branch) -> Iterator[str]:
        """affine.if or scf.if with its blocks."""
        if node.affine:
            attribute, operands = affine_map([affine_side(c) for c in node.conditions], self.parameters)
            head, rest = attribute.split(" -> (")
            sides = [
                f"{text_of} {c.relation} 0"
                for text_of, c in zip(rest[:-1].split(", "), node.conditions, strict=True)
            ]
            yield f"affine.if affine_set<{head} : ({', '.join(sides)})>{operands} {{"
        else:
            (condition,) = node.conditions
            left, one = self.computed(condition.left)
            right, other = self.computed(condition.right)
            yield from (*left, *right)
            truth = self.fresh()
            yield f"{truth} = arith.cmpi {PREDICATE_OF[condition.relation]}, {one}, {other} : index"
            yield f"scf.if {truth} {{"
        if node.otherwise is None:
            yield from self.inner(node.then)
        else:
            yield from self.inner(node.then, "} else {")
            yield from self.inner(node.otherwise)


def affine_side(condition: Condition) -> Expression:
    """The side of an affine constraint whose other side is 0."""
    assert condition.right == 0, "an affine constraint"
    assert condition.relation in ("==", ">="), "an affine constraint"
    return condition.left


def parallel_bound(side: str, bounds: Sequence[Sequence[Expression]]) -> str:
    """A bound of affine.parallel.

    >>> parallel_bound("min", [[4], [5, "%n"]])
    '(4, min(5, %n))'
    """
    texts = [", ".join(text(piece) for piece in pieces) for pieces in bounds]
    wrapped = [
        f"{side}({each})" if len(pieces) > 1 else each for each, pieces in zip(texts, bounds, strict=True)
    ]
    return f"({', '.join(wrapped)})"
