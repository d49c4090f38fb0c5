"""What a place of a program can see, and the operations written so far in its block."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.oracles.bounds.nodes import Ask, Compare, Compute, Formula, Node, Opaque
from tests.oracles.bounds.values import Value
from tests.oracles.interpreter.arithmetic import WIDTHS

ASKED = 8  # queries of each kind in a program
ASKED_RELATIONS = ("==", "<", "<=", ">", ">=")


def arith_of(name: str, left: Value, right: Value) -> Formula:
    """The operation arith.NAME on two integers of one type."""
    python = f"arith({name!r}, $0, $1, {WIDTHS[left.type]})"
    return Formula(f"arith.{name} $0, $1 : {left.type}", python, (left, right))


@dataclass
class Counters:
    """The numbers that names are made of, and how many queries there are."""

    names: int = 0
    queries: int = 0
    bounds: int = 0
    comparisons: int = 0

    def fresh(self, prefix: str, type: str = "index") -> Value:
        """A value with a name of its own."""
        self.names += 1
        return Value(f"%{prefix}{self.names}", type)


@dataclass
class Scope:
    """A block that is being written. FINITE: values of known few values; RAW: arguments, of any value."""

    chance: random.Random
    counters: Counters
    modelled: bool = False  # write only what mlir-opt has a model of
    unbounded: bool = False  # write scf.while, too
    bits: bool = False  # write unsigned and bitwise operations on some widths, and elements of constants
    depth: int = 0
    nodes: list[Node] = field(default_factory=list[Node])
    finite: list[Value] = field(default_factory=list[Value])
    raw: list[Value] = field(default_factory=list[Value])
    truths: list[Value] = field(default_factory=list[Value])
    tensors: list[Value] = field(default_factory=list[Value])
    affine: set[Value] = field(default_factory=set[Value])  # may stand in the bounds of affine.for
    ivs: set[Value] = field(default_factory=set[Value])  # of affine.for, which are no symbols
    fixed: set[Value] = field(default_factory=set[Value])  # constants
    local: set[Value] = field(default_factory=set[Value])  # defined in this block

    def inner(self, *arguments: Value) -> Scope:
        """A block in this one, with ARGUMENTS that are integers or tensors."""
        child = Scope(
            self.chance, self.counters, self.modelled, self.unbounded, self.bits, self.depth + 1, [],
            [*self.finite], self.raw, [*self.truths], [*self.tensors], {*self.affine}, {*self.ivs},
            {*self.fixed},
        )  # fmt: skip
        for argument in arguments:
            child.see(argument)
        return child

    def see(self, value: Value) -> Value:
        """Make a value of this block visible."""
        self.local.add(value)
        {"index": self.finite, "i1": self.truths}.get(value.type, self.tensors).append(value)
        if self.depth == 0:
            self.affine.add(value)
        return value

    def write(self, node: Node) -> None:
        """The next operation; its results can be seen from now on, and perhaps somebody asks about them."""
        self.nodes.append(node)
        for result in node.results:
            self.see(result)

    def compute(self, mlir: str, python: str, *operands: Value, type: str = "index") -> Value:
        """An operation without regions, from its two formulas."""
        return self.written(Formula(mlir, python, operands), type)

    def arith(self, name: str, left: Value, right: Value) -> Value:
        """The operation arith.NAME on two integers of one type."""
        return self.written(arith_of(name, left, right), left.type)

    def compared(self, predicate: str, left: Value, right: Value) -> Value:
        """arith.cmpi PREDICATE of two index values."""
        python = f"compared({predicate!r}, $0, $1)"
        return self.compute(f"arith.cmpi {predicate}, $0, $1 : index", python, left, right, type="i1")

    def written(self, formula: Formula, type: str = "index") -> Value:
        """An operation without regions."""
        result = self.counters.fresh({"index": "v", "i1": "p"}.get(type, "t"), type)
        self.write(Compute(result, formula))
        return result

    def unlisted(self, formula: Formula, type: str = "index") -> Value:
        """An operation whose result is for the next one only: it may have any value."""
        result = self.counters.fresh("v", type)
        self.nodes.append(Compute(result, formula))
        return result

    def constant(self, number: int) -> Value:
        """arith.constant, just here."""
        result = self.compute(f"arith.constant {number} : index", str(number))
        self.fixed.add(result)
        self.affine.add(result)
        return result

    def index(self) -> Value:
        """Some integer, rather a late one, rarely a constant."""
        if not self.finite:
            return self.constant(self.chance.randint(-4, 8))
        candidates = [value for value in self.finite if value not in self.fixed] or self.finite
        if self.chance.random() < 0.5:
            candidates = candidates[-3:]
        return self.chance.choice(candidates)

    def may_be_symbol(self, value: Value) -> bool:
        """Whether mlir-opt takes VALUE for a symbol; what depends on the iv of an affine.for is none."""
        return not self.ivs or value in self.affine - self.ivs

    def other(self, than: Value) -> Value:
        """Some integer, and if there is another THAN that one, then it."""
        return next((v for _ in range(4) if (v := self.index()) != than), than)

    def truth(self) -> Value:
        """Some truth; an arbitrary one if there is none."""
        if not self.truths or self.chance.random() < 0.1:
            self.write(Opaque(self.counters.fresh("o", "i1")))
        return self.chance.choice(self.truths[-4:])

    def ask(self, new: list[Value]) -> None:
        """Perhaps queries at this place: mostly about NEW values, at times about any."""
        if self.chance.random() < 0.45:
            self.ask_bounds(new)
        if self.chance.random() < 0.35:
            self.ask_comparison(new)

    def ask_bounds(self, new: list[Value]) -> None:
        """A query of bounds."""
        visible = [value for value in [*self.finite, *self.tensors] if value not in self.fixed]
        asked = [v for v in new if v in visible] if self.chance.random() < 0.85 else visible
        if not asked or self.counters.bounds == ASKED:
            return
        value = self.chance.choice(asked)
        dynamic = [dim for dim, size in enumerate(value.sizes) if size is None] or range(len(value.sizes))
        dim = self.chance.choice(dynamic) if value.is_tensor else None
        self.counters.bounds += 1
        self.counters.queries += 1
        self.nodes.append(Ask(self.counters.queries, value, dim, value in self.local))

    def ask_comparison(self, new: list[Value]) -> None:
        """A query that compares."""
        asked = [value for value in new if value in self.finite and value not in self.fixed]
        others = [value for value in self.finite if value not in asked]
        if not asked or not others or self.counters.comparisons == ASKED:
            return
        lhs, rhs = self.chance.choice(asked), self.chance.choice(others)
        if self.chance.random() < 0.5:
            lhs, rhs = rhs, lhs
        self.counters.comparisons += 1
        self.counters.queries += 1
        direct = bool({lhs, rhs} & self.local)
        self.nodes.append(
            Compare(self.counters.queries, lhs, self.chance.choice(ASKED_RELATIONS), rhs, direct)
        )
