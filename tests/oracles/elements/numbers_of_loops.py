"""Random bodies that compute with their loops: unsigned, bitwise, narrow and selected numbers beside data.

All subscripts are taken modulo the size, so that every program is valid.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

ROWS, COLUMNS = 4, 3
DRAWN = ("addi", "subi", "maxui", "minui", "maxsi", "minsi", "andi", "ori", "xori")
BY_CONSTANT = ("divui", "remui", "floordivsi", "divsi", "remsi", "shrui", "shli")
COMPARED = ("eq", "ne", "sge", "slt", "uge", "ugt", "ule", "ult")
CASTS = ("index_cast", "index_castui", "extsi", "extui", "trunci")
Number = int | float | complex
Data = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Term:
    """An operation OP on ARGUMENTS, of type KIND; what else it needs (a constant, a predicate) in DETAIL."""

    op: str
    kind: str
    arguments: tuple[Term, ...] = ()
    detail: str | int = ""

    def involves_loops(self) -> bool:
        """Whether a loop, and nothing that is loaded, occurs in it."""
        names = [term.op for term in self.terms()]
        return "loop" in names and "loaded" not in names

    def terms(self) -> Iterator[Term]:
        """This term and all that it is made of."""
        yield self
        for argument in self.arguments:
            yield from argument.terms()


@dataclass
class Text:
    """The lines of a body; each term is printed once, where it is first used."""

    lines: list[str] = field(default_factory=list[str])
    count: int = 0

    def name(self, term: Term) -> str:
        """The SSA name that TERM has now."""
        if term.op in ("element", "loaded", "loop"):
            return {"y": "%a", "x": "%b", "": "%loaded"}.get(str(term.detail), f"%i{term.detail}")
        if term.op == "if":
            return self.branch(term)
        names = [self.name(a) for a in term.arguments]
        return self.add(self.spelled(term, names))

    def add(self, text: str) -> str:
        """Append `%name = TEXT`."""
        self.count += 1
        self.lines.append(f"    %t{self.count} = {text}")
        return f"%t{self.count}"

    def branch(self, term: Term) -> str:
        """scf.if with each branch's operations inside it."""
        condition, yes, no = term.arguments
        test = self.name(condition)
        self.count += 1
        result = f"%t{self.count}"
        self.lines.append(f"    {result} = scf.if {test} -> ({term.kind}) {{")
        self.lines.append(f"    scf.yield {self.name(yes)} : {term.kind}")
        self.lines.append("    } else {")
        self.lines.append(f"    scf.yield {self.name(no)} : {term.kind}")
        self.lines.append("    }")
        return result

    @staticmethod
    def spelled(term: Term, names: Sequence[str]) -> str:
        """The operation without its result."""
        listed = ", ".join(names)
        match term.op:
            case "constant":
                return constant_text(int(term.detail), term.kind)
            case "extract":
                size = ROWS if term.detail == "y" else COLUMNS
                return f"tensor.extract %{term.detail}[{listed}] : tensor<{size}x{term.kind}>"
            case "cmpi":
                return f"arith.cmpi {term.detail}, {listed} : {term.arguments[0].kind}"
            case name if name in (*CASTS, "uitofp", "sitofp"):
                return f"arith.{name} {listed} : {term.arguments[0].kind} to {term.kind}"
            case name if name.startswith("complex."):
                return f"{name} {listed} : {term.kind}"
            case _:
                flags = term.detail if term.op in ("addf", "mulf") else ""
                return f"arith.{term.op} {listed}{flags} : {term.kind}"


def constant_text(number: int, kind: str) -> str:
    """The constant of type KIND."""
    match kind:
        case "i1":
            return f"arith.constant {'true' if number else 'false'}"
        case "f64":
            return f"arith.constant {number}.0 : f64"
        case "complex<f64>":
            return f"complex.constant [{number}.0, 0.0] : complex<f64>"
        case _:
            return f"arith.constant {number} : {kind}"


class Drawing:
    """Random terms: numbers of the loops, truths, and data."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.uses_loaded = self.random.random() < 0.25

    def number(self, depth: int) -> Term:
        """An index."""
        chance = self.random
        if depth == 0 or chance.random() < 0.2:
            if self.uses_loaded and chance.random() < 0.3:
                return Term("loaded", "index")
            if chance.random() < 0.75:
                return Term("loop", "index", (), chance.randint(0, 1))
            return self.constant("index", -2, 4)
        match chance.randint(0, 6):
            case 0:
                return Term("select", "index", (self.truth(depth - 1), self.number(depth - 1),
                                                self.number(depth - 1)))  # fmt: skip
            case 1:
                narrow = chance.choice(("i8", "i32"))
                cast = Term("index_cast", narrow, (self.number(depth - 1),))
                return Term(chance.choice(("index_cast", "index_castui")), "index", (cast,))
            case 2:
                wide = Term(chance.choice(("extui", "extsi")), "i64", (self.truth(depth - 1),))
                return Term("index_cast", "index", (wide,))
            case 3 | 4:
                op = chance.choice(BY_CONSTANT)
                right = self.constant("index", 0, 2) if op[:2] == "sh" else self.constant("index", 1, 4)
                return Term(op, "index", (self.number(depth - 1), right))
            case _:
                op = chance.choice(DRAWN)
                right = self.number(depth - 1) if op not in ("andi", "ori", "xori") else (
                    self.constant("index", 0, 7))  # fmt: skip
                return Term(op, "index", (self.number(depth - 1), right))

    def constant(self, kind: str, low: int, high: int) -> Term:
        """A constant of type KIND."""
        return Term("constant", kind, (), self.random.randint(low, high))

    def truth(self, depth: int) -> Term:
        """An i1 made from the loops."""
        chance = self.random
        match chance.randint(0, 5) if depth > 0 else 0:
            case 1:
                op = chance.choice(("andi", "ori", "xori", "minui", "maxsi"))
                return Term(op, "i1", (self.truth(depth - 1), self.truth(depth - 1)))
            case 2:
                wide = Term("index_cast", "i64", (self.number(depth - 1),))
                return Term("trunci", "i1", (wide,))
            case _:
                kind = chance.choice(("index", "index", "i32", "i8"))
                left, right = self.number(max(depth - 1, 0)), self.number(0)
                if kind != "index":
                    left, right = (Term("index_cast", kind, (side,)) for side in (left, right))
                return Term("cmpi", "i1", (left, right), chance.choice(COMPARED))

    def data_truth(self, depth: int) -> Term:
        """An i1 in which data takes part."""
        sides = tuple(Term("element", "i64", (), name) for name in self.random.sample("yx", 2))
        compared = Term("cmpi", "i1", sides, self.random.choice(("slt", "sge")))
        if depth > 0 and self.random.random() < 0.5:
            op = self.random.choice(("andi", "ori", "xori"))
            return Term(op, "i1", tuple(self.shuffled(compared, self.truth(depth - 1))))
        return compared

    def shuffled(self, *terms: Term) -> list[Term]:
        """TERMS in some order."""
        return self.random.sample(terms, len(terms))

    def datum(self, depth: int) -> Term:
        """An i64 that is data."""
        chance = self.random
        if depth == 0:
            return Term("element", "i64", (), chance.choice("yx"))
        match chance.randint(0, 6):
            case 0 | 1:
                name = chance.choice("yx")
                size = Term("constant", "index", (), ROWS if name == "y" else COLUMNS)
                return Term("extract", "i64", (Term("remui", "index", (self.number(depth), size)),), name)
            case 2 | 3:
                op = chance.choice(("select", "if"))
                by_data = chance.random() < 0.3
                test = self.data_truth(depth) if by_data else self.truth(depth)
                by_data = by_data or chance.random() < 0.3
                other = self.constant("i64", 5, 9) if by_data else self.datum(depth - 1)
                return Term(op, "i64", (test, self.datum(depth - 1), other))
            case 4:
                return Term("addi", "i64", (self.datum(depth - 1), self.datum(depth - 1)))
            case _:
                op = chance.choice(("muli", "andi", "ori", "addi", "minui", "maxsi"))
                mask = Term("index_cast", "i64", (self.number(depth - 1),))
                if chance.random() < 0.5:
                    mask = Term(chance.choice(("extui", "extsi")), "i64", (self.truth(depth - 1),))
                if not mask.involves_loops():  # a product with a constant 0 is a matter of numbers
                    mask = Term("index_cast", "i64", (Term("loop", "index", (), 0),))
                return Term(op, "i64", tuple(self.shuffled(self.datum(depth - 1), mask)))


@dataclass(frozen=True)
class Program:
    """`r[d0, d1] = term` over y[d0], x[d1], whole y and x, and %loaded = p[0] remui 4."""

    term: Term

    def mlir(self) -> str:
        """The program as text."""
        text = Text()
        result = text.name(self.term)
        body = "\n".join(text.lines)
        return self.function(
            "i64",
            f"""  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
    ins(%y, %x : tensor<{ROWS}xi64>, tensor<{COLUMNS}xi64>) outs(%e : tensor<{ROWS}x{COLUMNS}xi64>) {{
  ^bb0(%a: i64, %b: i64, %o: i64):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
{body}
    linalg.yield {result} : i64
  }} -> tensor<{ROWS}x{COLUMNS}xi64>
""",
        )

    @staticmethod
    def function(kind: str, body: str) -> str:
        """A function of elements of type KIND whose BODY makes %r."""
        return f"""func.func @f(%y: tensor<{ROWS}x{kind}>, %x: tensor<{COLUMNS}x{kind}>, %p: tensor<1xindex>)
    -> tensor<{ROWS}x{COLUMNS}x{kind}> {{
  %zero = arith.constant 0 : index
  %four = arith.constant 4 : index
  %raw = tensor.extract %p[%zero] : tensor<1xindex>
  %loaded = arith.remui %raw, %four : index
  %e = tensor.empty() : tensor<{ROWS}x{COLUMNS}x{kind}>
{body}  return %r : tensor<{ROWS}x{COLUMNS}x{kind}>
}}
"""


def drawn(seed: int) -> Program:
    """The program of SEED."""
    drawing = Drawing(seed)
    return Program(drawing.datum(drawing.random.randint(1, 3)))
