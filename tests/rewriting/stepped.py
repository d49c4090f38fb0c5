"""Random loop nests whose steps are values, for rewrites of loops: one function @f(%m, %r, %n, %a, %b) each.

Most nests are perfect. Loops run in steps of %a, %b or numbers; over all, from an outer variable on (triangles),
over one tile of it (two levels), or up to the last whole step (peeled). Statements stand under scf.if or
affine.if. Loops carry a value, which they combine, or make in their order, for all iterations or for rows. What
each element is computed from depends on the iterations before.
Indices stay in the buffers for n <= 9.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

_SIZE = 44
_MIDDLE = 22
MEMORY = f"memref<{_SIZE}x{_SIZE}xi64>"
TENSOR = f"tensor<{_SIZE}x{_SIZE}xi64>"


def drawn_stepped(seed: str) -> str:
    """The program of SEED."""
    return _Stepped(random.Random(seed), random.Random(f"{seed} carried")).text()


class _Stepped:
    def __init__(self, chance: random.Random, carried: random.Random) -> None:
        self._chance = chance
        self._of_carried = carried
        self._count = 0
        self._is_affine = chance.random() < 0.15
        self._carries = chance.random() < 0.3
        self._guards = chance.random() < 0.3
        self._reads_other = chance.random() < 0.3

    def text(self) -> str:
        depth = self._chance.choice((1, 2, 2, 2, 2, 3))
        lines = [
            *(f"%c{k} = arith.constant {k} : index" for k in (0, 1, 2, 7)),
            "%init = arith.constant 5 : i64",
            "%rem = arith.remsi %n, %a : index",
            "%peeled = arith.subi %n, %rem : index",
        ]
        nest, carried = self._loop(["i", "j", "k"][:depth], [], "%init" if self._carries else None)
        if self._chance.random() < 0.15:
            nest = self._guarded(nest, ["n"]) if carried is None else nest
        lines += nest
        if carried is not None:
            lines.append(f"memref.store {carried}, %m[%c0, %c0] : {MEMORY}")
        body = "\n".join(f"  {line}" for line in [*lines, "return"])
        arguments = f"%m: {MEMORY}, %r: {MEMORY}, %n: index, %a: index, %b: index"
        return f"func.func @f({arguments}) {{\n{body}\n}}\n"

    # -- loops -----------------------------------------------------------------------------------------

    def _loop(
        self, names: Sequence[str], outer: list[str], carried: str | None
    ) -> tuple[list[str], str | None]:
        """A loop over the first of NAMES around those over the others, and what it makes of CARRIED."""
        name, rest, around = names[0], names[1:], [*outer, names[0]]
        inside = None if carried is None else f"%s_{name}"
        if rest:
            begins_again = inside is not None and self._of_carried.random() < 0.2
            body, passed = self._loop(rest, around, "%init" if begins_again else inside)
            if begins_again:
                body.append(f"%b_{name} = arith.addi {inside}, {passed} : i64")
                passed = f"%b_{name}"
            if self._chance.random() < 0.1:
                body += self._statement(around, None)[0]
        else:
            body, passed = self._statement(around, inside)
        head, header = self._affine_header(name, outer) if self._is_affine else self._header(name, outer)
        result = None
        if carried is not None:
            result = f"%t_{name}"
            word = "affine" if self._is_affine else "scf"
            header = f"{result} = {header} iter_args({inside} = {carried}) -> (i64)"
            body = [*body, f"{word}.yield {passed} : i64"]
        return [*head, f"{header} {{", *(f"  {line}" for line in body), "}"], result

    def _header(self, name: str, outer: Sequence[str]) -> tuple[list[str], str]:
        step = self._chance.choice(("%a", "%a", "%b", "%c1", "%c2"))
        low, high = self._chance.choice(("%c0", "%c1")), self._chance.choice(("%n", "%n", "%c7"))
        lines: list[str] = []
        roll = self._chance.random()
        if outer and roll < 0.25:
            low = f"%{outer[-1]}"
            if self._chance.random() < 0.6:
                width = self._chance.choice(("%a", "%b"))
                lines = [f"%{name}e = arith.addi {low}, {width} : index",
                         f"%{name}h = arith.minsi %{name}e, {high} : index"]  # fmt: skip
                high = f"%{name}h"
        elif outer and roll < 0.35:
            high = f"%{outer[0]}"
        elif roll < 0.45:
            low, high, step = "%c0", "%peeled", "%a"
        return lines, f"scf.for %{name} = {low} to {high} step {step}"

    def _affine_header(self, name: str, outer: Sequence[str]) -> tuple[list[str], str]:
        low = self._chance.choice(["0", "1", *(f"affine_map<(d) -> (d)>(%{each})" for each in outer)])
        high = self._chance.choice(["%n", "7"])
        return [], f"affine.for %{name} = {low} to {high} step {self._chance.choice((1, 1, 2))}"

    # -- statements ------------------------------------------------------------------------------------

    def _statement(self, around: Sequence[str], carried: str | None) -> tuple[list[str], str | None]:
        """One element is made of two, of the iteration, and of what is CARRIED, which is made anew."""
        self._count += 1
        number = self._count
        lines: list[str] = []
        for which, buffer in (("x", "m"), ("z", "r" if self._reads_other else "m")):
            lines += self._access(f"%{which}{number} = ", "load", buffer, around)
        lines += [
            f"%p{number} = arith.addi %x{number}, %x{number} : i64",
            f"%q{number} = arith.addi %p{number}, %z{number} : i64",
            f"%w{number} = arith.index_cast %{around[-1]} : index to i64",
            f"%v{number} = arith.addi %q{number}, %w{number} : i64",
        ]
        stored = f"%v{number}"
        if carried is not None:
            form = self._chance.choice((f"%z{number}", stored))
            lines += self._combined(number, carried, form, around)
            stored = self._chance.choice((stored, f"%d{number}"))
        store = self._access("", f"store {stored},", "m", around)
        if carried is not None and self._chance.random() < 0.3:
            store = []
        lines += self._guarded(store, around) if store and self._guards else store
        return lines, None if carried is None else f"%d{number}"

    def _combined(self, number: int, carried: str, other: str, around: Sequence[str]) -> list[str]:
        """What is CARRIED combined with OTHER, in any order or not; in some iterations only, or in all."""
        kind = self._of_carried.choice(("addi", "addi", "addi", "muli", "xori", "maxsi", "subi"))
        terms = f"{other}, {carried}" if kind == "subi" else f"{carried}, {other}"
        if self._of_carried.random() < 0.75:
            return [f"%d{number} = arith.{kind} {terms} : i64"]
        word = "affine" if self._is_affine else "scf"
        test = [f"%h{number} = arith.cmpi sge, %{around[-1]}, %c2 : index"]
        header = f"scf.if %h{number} -> (i64) {{"
        if self._is_affine:
            test, header = [], f"affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%{around[-1]}) -> i64 {{"
        return [
            *test,
            f"%d{number} = {header}",
            f"  %e{number} = arith.{kind} {terms} : i64",
            f"  {word}.yield %e{number} : i64",
            "} else {",
            f"  {word}.yield {carried} : i64",
            "}",
        ]

    def _guarded(self, inside: Sequence[str], around: Sequence[str]) -> list[str]:
        """INSIDE, if a variable is large enough, or one is less than another one."""
        variable, other = self._chance.choice(around), self._chance.choice([*around, "n"])
        body = [f"  {line}" for line in inside]
        if self._is_affine or around == ["n"]:
            least = self._chance.randint(0, 3)
            symbolic = around == ["n"]
            dims = f"()[s0] : (s0 - {least} >= 0)" if symbolic else f"(d0) : (d0 - {least} >= 0)"
            given = "()[%n]" if symbolic else f"(%{variable})"
            return [f"affine.if affine_set<{dims}>{given} {{", *body, "}"]
        self._count += 1
        bound = self._chance.choice(("%c2", f"%{other}"))
        test = f"%g{self._count} = arith.cmpi sge, %{variable}, {bound} : index"
        return [test, f"scf.if %g{self._count} {{", *body, "}"]

    def _access(self, result: str, what: str, buffer: str, around: Sequence[str]) -> list[str]:
        chosen = [around[0], around[-1]]
        backwards = [0 if what.startswith("store") else self._chance.choice((0, 0, 1)) for _ in chosen]
        if self._chance.random() < 0.1:
            chosen.reverse()
        if self._chance.random() < 0.1 and what == "load":
            backwards[1] = -1
        forms = [(v, _MIDDLE - back) for v, back in zip(chosen, backwards, strict=True)]
        if self._is_affine:
            indices = ", ".join(f"%{v} + {k}" for v, k in forms)
            return [f"{result}affine.{what} %{buffer}[{indices}] : {MEMORY}"]
        lines: list[str] = []
        names: list[str] = []
        for variable, offset in forms:
            self._count += 1
            names.append(f"%u{self._count}")
            lines += [f"%o{self._count} = arith.constant {offset} : index",
                      f"%u{self._count} = arith.addi %o{self._count}, %{variable} : index"]  # fmt: skip
        return [*lines, f"{result}memref.{what} %{buffer}[{', '.join(names)}] : {MEMORY}"]
