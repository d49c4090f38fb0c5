"""Random functions of structured control flow: loops in both halves, regions, switches, affine conditions, in each other.

They have the arguments of `programs`, and one operation a line: what is true of them is asked in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from tests.oracles.blocks.programs import BITS, HEAD, MEMREF, SIZE

INDEX = "index"
TENSOR = f"tensor<{SIZE}xi64>"
CARRIED = (INDEX, INDEX, INDEX, MEMREF, TENSOR)
Names = dict[str, str]
Lines = list[str]


@dataclass(frozen=True)
class Structured:
    """A function as text."""

    text: str


def structured(seed: str, *, affine: bool = False) -> Structured:
    """The program of SEED; if it is AFFINE, no loaded value decides what it does, and no loop gets a buffer: branches do."""
    return Structured(_Drawing(Random(seed), affine).text())


@dataclass
class _Drawing:
    random: Random
    affine: bool
    fresh: int = 0
    dims: list[str] = field(default_factory=lambda: ["%n", "%k"])

    def text(self) -> str:
        names = {"%n": INDEX, "%k": INDEX, "%p": "i1", "%a": MEMREF, "%b": MEMREF, "%x": TENSOR}
        names |= {f"%c{c}": INDEX for c in range(3)}
        lines = [HEAD, *(f"%c{c} = arith.constant {c} : index" for c in range(SIZE + 1))]
        lines += [f"%x = tensor.splat %v : {TENSOR}", f"%m = memref.alloc() : {MEMREF}"]
        names["%m"] = MEMREF
        for _ in range(self.random.randint(2, 4)):
            lines += self._statement(names, 0)
        return "\n".join([*lines, "return", "}", ""])

    # -- small things ----------------------------------------------------------------------------------

    def _name(self, prefix: str) -> str:
        self.fresh += 1
        return f"%{prefix}{self.fresh}"

    def _one(self, names: Names, kind: str) -> str:
        every = [name for name, of in names.items() if of == kind]
        return self.random.choice(every + every[-3:] * 2)

    def _condition(self, names: Names, lines: Lines) -> str:
        kind = self.random.choices(["p", "bit", "less"], [1, 0 if self.affine else 1, 4])[0]
        if kind == "p":
            return "%p"
        name, asked = self._name("t"), self._one(names, INDEX)
        text = f"memref.load %q[{asked}] : {BITS}"
        if kind == "less":
            how = self.random.choice(("slt", "sle", "eq", "ne", "sge"))
            text = f"arith.cmpi {how}, {asked}, {self._one(names, INDEX)} : index"
        lines.append(f"{name} = {text}")
        return name

    def _kind(self) -> str:
        return INDEX if self.affine and self.random.random() < 0.8 else self._carried()

    def _chosen_kind(self) -> str:
        """What a branch may give: a buffer, too, which numbers choose if the program is affine."""
        return MEMREF if self.random.random() < 0.15 else self._kind()

    def _carried(self) -> str:
        kind = self.random.choice(CARRIED)
        return INDEX if self.affine and kind == MEMREF else kind

    # -- statements ------------------------------------------------------------------------------------

    def _statement(self, names: Names, depth: int) -> Lines:
        inner = [
            self._for,
            self._affine_for,
            self._while,
            self._if,
            self._affine_if,
            self._region,
            self._switch,
        ]
        flat = [
            *(self._access,) * 3,
            *(self._number,) * 2,
            self._tensor,
            self._chosen,
        ]
        is_inner = depth < 3 and self.random.random() < (0.8 if depth == 0 else 0.35)
        return self.random.choice(inner if is_inner else flat)(names, depth)

    def _body(self, names: Names, depth: int) -> tuple[Lines, Names]:
        inside, lines = dict(names), Lines()
        for _ in range(self.random.randint(1, 3)):
            lines += self._statement(inside, depth + 1)
        return lines, inside

    def _access(self, names: Names, _: int) -> Lines:
        buffer, index = self._one(names, MEMREF), self._one(names, INDEX)
        if self.random.random() < 0.5:
            return [f"memref.store %v, {buffer}[{index}] : {MEMREF}"]
        return [f"{self._name('l')} = memref.load {buffer}[{index}] : {MEMREF}"]

    def _number(self, names: Names, _: int) -> Lines:
        name, of = self._name("i"), self._one(names, INDEX)
        how, other = self.random.choice(
            [("addi", "%c1"), ("addi", "%c1"), ("minsi", "%c2"), ("maxsi", "%n"), ("subi", "%c1")]
        )
        names[name] = INDEX
        return [f"{name} = arith.{how} {of}, {other} : index"]

    def _tensor(self, names: Names, _: int) -> Lines:
        tensor, scalar, new = self._one(names, TENSOR), self._name("e"), self._name("x")
        position = self.random.choice(("%c0", "%c1", "%c2"))
        names[new] = TENSOR
        return [
            f"{scalar} = tensor.extract {tensor}[{position}] : {TENSOR}",
            f"memref.store {scalar}, %a[{position}] : {MEMREF}",
            f"{new} = tensor.insert %v into {tensor}[{position}] : {TENSOR}",
        ]

    def _chosen(self, names: Names, _: int) -> Lines:
        """One of two buffers, or twice the same one."""
        lines, new = Lines(), self._name("m")
        condition = self._condition(names, lines)
        one, other = self._one(names, MEMREF), self._one(names, MEMREF)
        names[new] = MEMREF
        return [*lines, f"{new} = arith.select {condition}, {one}, {other} : {MEMREF}"]

    # -- loops -----------------------------------------------------------------------------------------

    def _for(self, names: Names, depth: int) -> Lines:
        kind, variable, carried, result = self._kind(), self._name("j"), self._name("s"), self._name("r")
        initial, end = (
            self._one(names, kind),
            self.random.choice(("%c2", "%c3", "%n", self._one(names, INDEX))),
        )
        lines, inside = self._body(names | {variable: INDEX, carried: kind}, depth)
        header = f"{result} = scf.for {variable} = %c0 to {end} step %c1 iter_args({carried} = {initial}) -> ({kind}) {{"
        names[result] = kind
        return [header, *lines, f"scf.yield {self._one(inside, kind)} : {kind}", "}"]

    def _affine_for(self, names: Names, depth: int) -> Lines:
        variable = self._name("d")
        self.dims.append(variable)
        lines, _ = self._body(names | {variable: INDEX}, depth)
        self.dims.remove(variable)
        return [f"affine.for {variable} = 0 to {self.random.randint(1, 3)} {{", *lines, "}"]

    def _while(self, names: Names, depth: int) -> Lines:
        """Counts; what is done in an iteration is in its first half, its second one, or both.

        One that counts in 32 bits casts its ends from indices, and its number to one in each half.
        """
        kind, (i, s, i2, s2, next_i), result = (
            self._kind(),
            [self._name("w") for _ in range(5)],
            self._name("r"),
        )
        counted, lines = self.random.choice((INDEX, INDEX, "i32")), Lines()
        initial, end = self._one(names, kind), self.random.choice(("%c2", "%c3", "%n", "%k"))
        first, end, step = (
            self._as(counted, each, lines) for each in ("%c0", end, self.random.choice(("%c1", "%c1", "%c2")))
        )
        before, after = Lines(), Lines()
        number, number2 = self._as(INDEX, i, before, counted), self._as(INDEX, i2, after, counted)
        inside = names | {number: INDEX, s: kind}
        if self.random.random() < 0.4:
            body, inside = self._body(inside, depth)
            before += body
        forwarded = self._one(inside, kind)
        goes_on, is_less = self._name("t"), self._name("t")
        before.append(f"{is_less} = arith.cmpi slt, {i}, {end} : {counted}")
        if self.random.random() < 0.2:
            other = self._condition(inside, before)
            before.append(f"{goes_on} = arith.andi {is_less}, {other} : i1")
        else:
            goes_on = is_less
        later = names | {number2: INDEX, s2: kind}
        if self.random.random() < 0.8:
            body, later = self._body(later, depth)
            after += body
        names |= {f"{result}#1": kind} | ({f"{result}#0": INDEX} if counted == INDEX else {})
        types = f"({counted}, {kind})"
        return [
            *lines,
            f"{result}:2 = scf.while ({i} = {first}, {s} = {initial}) : {types} -> {types} {{",
            *before,
            f"scf.condition({goes_on}) {i}, {forwarded} : {counted}, {kind}",
            "} do {",
            f"^bb0({i2}: {counted}, {s2}: {kind}):",
            *after,
            f"{next_i} = arith.addi {i2}, {step} : {counted}",
            f"scf.yield {next_i}, {self._one(later, kind)} : {counted}, {kind}",
            "}",
        ]

    def _as(self, kind: str, value: str, lines: Lines, of: str = INDEX) -> str:
        """VALUE, OF one kind of number, as one of another KIND, by one of LINES if need be."""
        if kind == of:
            return value
        name = self._name("y")
        lines.append(f"{name} = arith.index_cast {value} : {of} to {kind}")
        return name

    # -- choices ---------------------------------------------------------------------------------------

    def _if(self, names: Names, depth: int) -> Lines:
        lines, kind, result = Lines(), self._chosen_kind(), self._name("r")
        condition = self._condition(names, lines)
        arms = self._arms(names, kind, depth, ["", "} else {"], "scf.yield")
        names[result] = kind
        return [*lines, f"{result} = scf.if {condition} -> ({kind}) {{", *arms[1:], "}"]

    def _arms(self, names: Names, kind: str, depth: int, heads: Sequence[str], end: str) -> Lines:
        lines = Lines()
        for head in heads:
            body, inside = self._body(names, depth)
            lines += [head, *body, f"{end} {self._one(inside, kind)} : {kind}"]
        return lines

    def _affine_if(self, names: Names, depth: int) -> Lines:
        dims = self.random.sample(self.dims, 2)
        condition = self.random.choice(
            ("d0 - d1 >= 0", "d0 + d1 - 3 == 0", "d0 - 1 >= 0, d1 - 2 >= 0", "d0 mod 2 == 0")
        )
        then, _ = self._body(names, depth)
        other, _ = self._body(names, depth)
        return [
            f"affine.if affine_set<(d0, d1) : ({condition})>({', '.join(dims)}) {{",
            *then,
            "} else {",
            *other,
            "}",
        ]

    def _switch(self, names: Names, depth: int) -> Lines:
        kind, result, on = self._chosen_kind(), self._name("r"), self._one(names, INDEX)
        arms = self._arms(names, kind, depth, ["case 0 {", "} case 2 {", "} default {"], "scf.yield")
        names[result] = kind
        return [f"{result} = scf.index_switch {on} -> {kind}", *arms, "}"]

    def _region(self, names: Names, depth: int) -> Lines:
        """Of one block, or of some that branch."""
        kind, result, number = self._kind(), self._name("r"), self._name("b")
        lines, inside = self._body(names, depth)
        value = self._one(inside, kind)
        if self.random.random() < 0.5:
            condition = self._condition(inside, lines)
            body, within = self._body(inside, depth)
            block = number[1:]
            lines += [
                f"cf.cond_br {condition}, ^{block}, ^{block}e({value} : {kind})",
                f"^{block}:",
                *body,
                f"cf.br ^{block}e({self._one(within, kind)} : {kind})",
                f"^{block}e({number}: {kind}):",
            ]
            value = number
        names[result] = kind
        return [f"{result} = scf.execute_region -> {kind} {{", *lines, f"scf.yield {value} : {kind}", "}"]
