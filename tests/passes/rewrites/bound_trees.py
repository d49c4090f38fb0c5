"""Random trees of minima, maxima and choices of index values, under loops, branches and assertions."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.shared.enumeration import run
from tests.shared.execution import calls, executed

TELL = "func.func private @tell(index)"
PRINTED = "func.func @tell(%value: index) {\nvector.print %value : index\nreturn\n}"
ARGUMENTS = ("%a", "%b", "%n")
PREDICATES = ("slt", "sle", "sgt", "sge", "eq", "ne", "ult", "uge")
BINARY = ("minsi", "maxsi", "minsi", "maxsi", "minui", "maxui", "addi", "subi")
MAPS = (
    "(d0, d1) -> (d0, d1 + 1)",
    "(d0, d1) -> (d0 - d1, d0 + 2, 5)",
    "(d0, d1) -> (d0 * 2 - d1, d1, d0 floordiv 2)",
    "(d0, d1) -> (d0 + d1, d1 + d0 - 1, d0 mod 3)",
)


class _Tree:
    """The text of one function as it is drawn."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.lines: list[str] = []
        self.values = [*ARGUMENTS]
        self._count = 0

    def new(self, text: str) -> str:
        """A value that TEXT computes."""
        self._count += 1
        self.lines.append(f"%v{self._count} = {text}")
        return f"%v{self._count}"

    def any(self) -> str:
        """One of the last values, most of the time."""
        return self.chance.choice(self.values[-4:] if self.chance.random() < 0.7 else self.values)

    def draw(self) -> None:
        """One more value."""
        chance, kind = self.chance, self.chance.random()
        if kind < 0.1:
            made = self.new(f"arith.constant {chance.randint(-3, 9)} : index")
        elif kind < 0.55:
            made = self.new(f"arith.{chance.choice(BINARY)} {self.any()}, {self.any()} : index")
        elif kind < 0.7:
            name = chance.choice(("affine.min", "affine.max"))
            made = self.new(f"{name} affine_map<{chance.choice(MAPS)}>({self.any()}, {self.any()})")
        elif kind < 0.78:
            made = self.chain()
        else:
            left, right = self.any(), self.any()
            holds = self.new(f"arith.cmpi {chance.choice(PREDICATES)}, {left}, {right} : index")
            if chance.random() < 0.3:
                other = self.new(
                    f"arith.cmpi {chance.choice(PREDICATES)}, {self.any()}, {self.any()} : index"
                )
                holds = self.new(f"arith.{chance.choice(('andi', 'ori'))} {holds}, {other} : i1")
            values = (left, right) if chance.random() < 0.4 else (self.any(), self.any())
            made = self.new(f"arith.select {holds}, {values[0]}, {values[1]} : index")
        self.values.append(made)

    def chain(self) -> str:
        """`select(m and n, a, select(p and o, b, c))`, where p is m, m compared again, or something near it.

        Figure 5-6 of P. Suriana's thesis is one in which o is the negation of n.
        """
        chance, outer, inner = self.chance, self.any(), self.any()
        least, other = (
            self.new("arith.constant 0 : index"),
            self.new(f"arith.constant {chance.randint(0, 2)} : index"),
        )
        first = self.new(f"arith.cmpi sge, {outer}, {least} : index")
        second = self.new(f"arith.cmpi sge, {inner}, {other} : index")
        near = chance.choice((least, least, other, inner))
        again = first if chance.random() < 0.3 else self.new(f"arith.cmpi sge, {outer}, {near} : index")
        rest = self.new(f"arith.cmpi {chance.choice(('slt', 'slt', 'sle'))}, {inner}, {other} : index")
        both, also = (
            self.new(f"arith.andi {first}, {second} : i1"),
            self.new(f"arith.andi {rest}, {again} : i1"),
        )
        last = self.new(f"arith.select {also}, {self.any()}, {self.any()} : index")
        return self.new(f"arith.select {both}, {self.any()}, {last} : index")


def drawn(seed: str) -> str:
    """The function @f of SEED, which tells the last values that it computes."""
    chance = random.Random(seed)
    tree = _Tree(chance)
    body: list[str] = []
    if chance.random() < 0.3:
        tree.lines.append(f"%zero = arith.constant {chance.randint(0, 2)} : index")
        tree.lines.append("%a0 = arith.maxsi %a, %zero : index")
        tree.values.append("%a0")
    around = chance.choice(("", "loop", "steps", "branch"))
    if around == "loop":
        body.append(f"affine.for %i = {chance.randint(-2, 1)} to {chance.randint(1, 6)} {{")
    elif around == "steps":
        step = chance.randint(2, 4)
        body += ["%first = arith.constant 0 : index", f"%step = arith.constant {step} : index",
                 f"%end = arith.constant {step * chance.randint(1, 3)} : index",
                 "scf.for %i = %first to %end step %step {"]  # fmt: skip
    elif around == "branch":
        predicate = chance.choice(PREDICATES[:6])
        body += [f"%inside = arith.cmpi {predicate}, %a, %b : index", "scf.if %inside {"]
    tree.values += ["%i"] if around in ("loop", "steps") else []
    for _ in range(chance.randint(3, 9)):
        tree.draw()
    told = [f"func.call @tell({value}) : (index) -> ()" for value in tree.values[-2:]]
    body += [*tree.lines, *told, *["}"] * bool(around), "return"]
    arguments = ", ".join(f"{name}: index" for name in ARGUMENTS)
    return f"func.func @f({arguments}) {{\n" + "\n".join(body) + "\n}"


def simplified(text: str) -> str:
    """TEXT behind simplify-bounds, of which no check fails (a call of an unknown function is not checked)."""
    program = run(text, "simplify-bounds")
    assert [
        d for unit in program.units for d in unit.diagnostics if d.code not in ("V301", "V310", "V313")
    ] == []
    return program.text(annotate="none")


def told(mlir_opt: str, text: str, functions: Sequence[tuple[str, Sequence[str]]], samples: int) -> list[str]:
    """What the functions tell, for random arguments."""
    return executed(mlir_opt, text.replace(TELL, PRINTED) + calls(functions, samples, seed=4)).split()


def broken(mlir_opt: str, seeds: Sequence[str]) -> list[str]:
    """The trees of SEEDS that tell other numbers behind simplify-bounds: both versions."""
    before = [drawn(seed).replace("@f(", f"@f{k}(") for k, seed in enumerate(seeds)]
    after = [simplified(f"{TELL}\n{text}").replace(TELL, "") for text in before]
    after = [text.replace("#map", f"#map_{k}_") for k, text in enumerate(after)]
    names = [(f"f{k}", ["index"] * len(ARGUMENTS)) for k in range(len(seeds))]
    if _all_told(mlir_opt, before, names) == _all_told(mlir_opt, after, names):
        return []
    each = zip(before, after, names, strict=True)
    return [f"{b}\n{a}" for b, a, n in each if _all_told(mlir_opt, [b], [n]) != _all_told(mlir_opt, [a], [n])]


def _all_told(mlir_opt: str, texts: Sequence[str], names: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    return told(mlir_opt, "\n".join([TELL, *texts]), names, 8)
