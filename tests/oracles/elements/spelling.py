"""Bodies as MLIR: the lines inside a linalg op, a tensor.generate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.oracles.elements.bodies import (
    Binary,
    DataTest,
    Expr,
    Fetch,
    IndexTest,
    Literal,
    Mixture,
    Operand,
    Outside,
    Select,
    Unary,
)
from tests.oracles.elements.values import is_float, number_text, operation
from tests.oracles.interpreter.affine import Affine, map_text


@dataclass
class Body:
    """Collects a body's lines. ON_LOOPS: its LOOPS loops are its block arguments %i0, %i1, ..."""

    loops: int
    element: str
    on_loops: bool = False
    lines: list[str] = field(default_factory=list[str])
    _count: int = 0

    def add(self, text: str) -> str:
        """Append `%name = TEXT` under a new name."""
        name = f"%t{self._count}"
        self._count += 1
        self.lines.append(f"  {name} = {text}")
        return name

    def loop(self, number: int) -> str:
        """The name of loop NUMBER as a value of type index."""
        return f"%i{number}" if self.on_loops else self.add(f"linalg.index {number} : index")

    def index(self, expression: Affine, spelled_out: bool) -> str:
        """An affine EXPRESSION of the loops, by affine.apply or by arith."""
        if (bare := expression.bare()) is not None:
            return self.loop(bare)
        used = [number for number, c in enumerate(expression.coefficients) if c]
        if not used:
            return self.add(f"arith.constant {expression.constant} : index")
        names = [self.loop(number) for number in used]
        if not spelled_out:
            inner = Affine(tuple(expression.coefficients[number] for number in used), expression.constant)
            return self.add(f"affine.apply {map_text(len(used), [inner])}({', '.join(names)})")
        total = self.add(f"arith.constant {expression.constant} : index")
        for number, name in zip(used, names, strict=True):
            factor = self.add(f"arith.constant {expression.coefficients[number]} : index")
            term = self.add(f"arith.muli {name}, {factor} : index")
            total = self.add(f"arith.addi {total}, {term} : index")
        return total

    def fetch(self, fetch: Fetch) -> str:
        """tensor.extract."""
        names = [self.index(expression, fetch.spelled_out) for expression in fetch.indices]
        if fetch.modulus is not None:
            modulus = self.add(f"arith.constant {fetch.modulus} : index")
            names[-1] = self.add(f"arith.remui {names[-1]}, {modulus} : index")
        return self.add(f"tensor.extract {fetch.value}[{', '.join(names)}] : {fetch.value.type}")

    def test(self, test: IndexTest | DataTest) -> str:
        """A comparison."""
        if isinstance(test, IndexTest):
            left, right = self.index(test.expression, False), self.add("arith.constant 0 : index")
            return self.add(f"arith.cmpi sge, {left}, {right} : index")
        left, right = self.expr(test.left), self.expr(test.right)
        compare = "arith.cmpf ogt" if is_float(self.element) else "arith.cmpi sgt"
        return self.add(f"{compare}, {left}, {right} : {self.element}")

    def unary(self, kind: str, name: str) -> str:
        """A negation, or an extension and a truncation."""
        if kind == "neg":
            assert is_float(self.element), "there is no arith.negi"
            return self.add(f"arith.negf {name} : {self.element}")
        ext, trunc, wide = ("extf", "truncf", "f64") if is_float(self.element) else ("extsi", "trunci", "i64")
        extended = self.add(f"arith.{ext} {name} : {self.element} to {wide}")
        return self.add(f"arith.{trunc} {extended} : {wide} to {self.element}")

    def expr(self, expr: Expr) -> str:
        """The name under which EXPR is available."""
        match expr:
            case Operand(number):
                return f"%x{number}"
            case Outside(value):
                return str(value)
            case Fetch():
                return self.fetch(expr)
            case Literal(number):
                return self.add(f"arith.constant {number_text(number, self.element)} : {self.element}")
            case Binary(kind, left, right):
                names = f"{self.expr(left)}, {self.expr(right)}"
                return self.add(f"{operation(kind, self.element)} {names} : {self.element}")
            case Unary(kind, of):
                return self.unary(kind, self.expr(of))
            case Select(test, yes, no):
                names = ", ".join([self.test(test), self.expr(yes), self.expr(no)])
                return self.add(f"arith.select {names} : {self.element}")
            case Mixture():
                raise ValueError("an unknown function has no body")


def body_lines(expr: Expr, loops: int, element: str, finish: str, on_loops: bool = False) -> list[str]:
    """The lines that compute EXPR and hand it to FINISH (linalg.yield, tensor.yield)."""
    body = Body(loops, element, on_loops)
    name = body.expr(expr)
    return [*body.lines, f"  {finish} {name} : {element}"]


def operand_list(keyword: str, names: Sequence[object], types: Sequence[str]) -> str:
    """ins(%a, %b : t, t); nothing at all without operands."""
    if not names:
        return ""
    return f" {keyword}({', '.join(str(name) for name in names)} : {', '.join(types)})"
