"""Random loop nests over memory, for rewrites of loops: one function @f(%n, %a, %b) each.

Two or three loops, of affine or scf, with bounds over constants, %n and outer variables, steps, several inner
loops and statements between them; elements of one buffer that depend on the loops, so that most orders of the
iterations give other numbers. Indices stay in the buffer for -9 <= %n <= 9.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.rewriting.texts import Program

_SIZE = 44
_MIDDLE = 22
_TYPE = f"memref<{_SIZE}x{_SIZE}xi64>"


def drawn_nest(seed: str) -> Program:
    """The program of SEED."""
    return Program(_Nests(random.Random(seed)).text())


class _Nests:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._count = 0
        self._is_affine = chance.random() < 0.7
        self._is_regular = chance.random() < 0.7

    def text(self) -> str:
        depth = self._chance.choice((1, 2, 2, 2, 3, 3, 3))
        result = f"tensor<{_SIZE}x{_SIZE}xi64>"
        lines = [
            f"%m = memref.alloc() : {_TYPE}",
            "%seven = arith.constant 7 : i64",
            "%three = arith.constant 3 : i64",
            f"linalg.fill ins(%seven : i64) outs(%m : {_TYPE})",
            *(f"%c{k} = arith.constant {k} : index" for k in (1, 2, 3, 7)),
            *self._loop(["i", "j", "k"][:depth], []),
            f"%y = bufferization.to_tensor %m restrict : {_TYPE} to {result}",
            f"return %y : {result}",
        ]
        body = "\n".join(f"  {line}" for line in lines)
        return f"func.func @f(%n: index, %a: index, %b: index) -> {result} {{\n{body}\n}}\n"

    # -- loops -----------------------------------------------------------------------------------------

    def _loop(self, names: Sequence[str], outer: list[str]) -> list[str]:
        """A loop over the first of NAMES in loops over OUTER ones, with all others inside."""
        name, rest = names[0], names[1:]
        around = [*outer, name]
        inner = self._inside(rest, around)
        step = self._chance.choice((1, 1, 1, 2, 3))
        if self._is_affine:
            low, high = (self._bound(outer, upper=upper) for upper in (False, True))
            header = f"affine.for %{name} = {low} to {high} step {step} {{"
            return [header, *(f"  {line}" for line in inner), "}"]
        low = self._chance.choice(["%c1", "%c2", *(f"%{each}" for each in outer)])
        high = self._chance.choice(["%n", "%c7", *(f"%{each}" for each in outer[:1])])
        header = f"scf.for %{name} = {low} to {high} step %c{step} {{"
        return [header, *(f"  {line}" for line in inner), "}"]

    def _inside(self, rest: Sequence[str], around: list[str]) -> list[str]:
        if not rest:
            return self._statement(around)
        lines: list[str] = []
        if self._chance.random() < 0.2:
            lines += self._statement(around)
        if len(rest) == 1 or self._chance.random() < 0.6:
            lines += self._loop(rest, around)
        else:  # side by side
            lines += [line for name in rest for line in self._loop([name], around)]
        if self._chance.random() < 0.15:
            lines += self._statement(around)
        return lines

    def _bound(self, outer: Sequence[str], *, upper: bool) -> str:
        """A bound between -4 and 8, or about an outer variable, which is."""
        forms = [str(self._chance.randint(3, 8) if upper else self._chance.randint(-4, 2))]
        if self._chance.random() < 0.5:
            forms.append(f"n + {self._chance.randint(-1, 2)}" if upper else "n floordiv 2 - 2")
        if outer and self._chance.random() < 0.5:
            forms.append(f"{self._chance.choice(outer)} + {self._chance.randint(0, 3) if upper else 0}")
        if upper:
            forms.append("8")
        arguments = ", ".join(outer)
        values = ", ".join(f"%{each}" for each in outer)
        kind = "min" if upper else "max"
        return f"{kind} affine_map<({arguments})[n] -> ({', '.join(dict.fromkeys(forms))})>({values})[%n]"

    # -- statements ------------------------------------------------------------------------------------

    def _statement(self, around: Sequence[str]) -> list[str]:
        """One element is made of two, and of the iteration."""
        number = self._count
        self._count += 1
        lines: list[str] = []
        for which in ("x", "z"):
            lines += self._access(f"%{which}{number} = ", "load", around)
        lines += [
            f"%p{number} = arith.muli %x{number}, %three : i64",
            f"%q{number} = arith.addi %p{number}, %z{number} : i64",
            f"%w{number} = arith.index_cast %{around[-1]} : index to i64",
            f"%s{number} = arith.addi %q{number}, %w{number} : i64",
        ]
        return [*lines, *self._access("", f"store %s{number},", around)]

    def _access(self, result: str, what: str, around: Sequence[str]) -> list[str]:
        forms = [self._index(around) for _ in range(2)]
        if self._is_regular:  # the element of the iteration, or one beside it
            backwards = 0 if what.startswith("store") else self._chance.choice((0, 1))
            forms = [([(v, 1)], _MIDDLE - backwards) for v in (around[0], around[-1])]
        if self._is_affine:
            indices = ", ".join(" + ".join(f"{c} * %{v}" for v, c in f) + f" + {k}" for f, k in forms)
            return [f"{result}affine.{what} %m[{indices}] : {_TYPE}"]
        lines: list[str] = []
        names: list[str] = []
        for form, offset in forms:
            self._count += 1
            name = f"%u{self._count}"
            lines.append(f"{name}_0 = arith.constant {offset} : index")
            for k, (variable, factor) in enumerate(form):
                name_of = "addi" if factor > 0 else "subi"
                lines.append(f"{name}_{k + 1} = arith.{name_of} {name}_{k}, %{variable} : index")
            names.append(f"{name}_{len(form)}")
        return [*lines, f"{result}memref.{what} %m[{', '.join(names)}] : {_TYPE}"]

    def _index(self, around: Sequence[str]) -> tuple[list[tuple[str, int]], int]:
        """One or two variables, each once or taken away, and an offset: in the middle of the buffer."""
        chosen = self._chance.sample(list(around), self._chance.randint(1, min(2, len(around))))
        factors = [(each, self._chance.choice((1, 1, 1, -1))) for each in chosen]
        return factors, _MIDDLE + self._chance.randint(-1, 1)
