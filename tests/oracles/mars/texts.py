"""Programs of affine loops as MLIR: the text, and the line of each access."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from tests.oracles.mars.enumeration import (
    Access,
    Affine,
    If,
    Loaded,
    Loop,
    Node,
    Program,
    Statement,
    places,
)


@dataclass(frozen=True)
class Array:
    """`memref<4x8xf32>`: sizes (None: `?`), element type, strides (none: row-major); `memref<f32>` of one element."""

    sizes: tuple[int | None, ...]
    element: str = "f32"
    strides: tuple[int, ...] = ()
    is_scalar: bool = False

    @property
    def type(self) -> str:
        sizes = "" if self.is_scalar else "".join(f"{'?' if size is None else size}x" for size in self.sizes)
        layout = f", strided<[{', '.join(map(str, self.strides))}]>" if self.strides else ""
        return f"memref<{sizes}{self.element}{layout}>"

    def address(self, index: Sequence[int]) -> int:
        """Where the element INDEX lies, counted in elements."""
        if self.strides:
            return sum(stride * each for stride, each in zip(self.strides, index, strict=True))
        address = 0
        for each, size in zip(index, self.sizes, strict=True):
            address = address * (size or 1) + each
        return address


@dataclass
class Text:
    """The lines of a program so far, and at which of them each access is."""

    arrays: Mapping[str, Array]
    spelled: str = "affine"
    lines: list[str] = field(default_factory=list[str])
    line_of: dict[int, int] = field(default_factory=dict[int, int])
    depth: int = 1
    values: int = 0

    def add(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    def value(self, operation: str) -> str:
        """A name for the result of OPERATION."""
        self.values += 1
        self.add(f"%q{self.values} = {operation}")
        return f"%q{self.values}"

    def index(self, form: Affine) -> str:
        """The value of FORM."""
        if isinstance(form, Loaded):
            return self.value(f"arith.addi %v{form.read}, {self.number(form.constant)} : index")
        if not form.factors:
            return self.number(form.constant)
        return self._cast(form) if self.spelled == "cast" else self.value(f"affine.apply {_applied((form,))}")

    def _cast(self, form: Affine) -> str:
        """The value of FORM, computed in i64."""
        total = self.value(f"arith.constant {form.constant} : i64")
        for name, factor in form.factors:
            term = self.value(f"arith.index_cast %{name} : index to i64")
            times = self.value(f"arith.constant {factor} : i64")
            term = self.value(f"arith.muli {term}, {times} : i64")
            total = self.value(f"arith.addi {total}, {term} : i64")
        return self.value(f"arith.index_cast {total} : i64 to index")

    def number(self, number: int) -> str:
        return self.value(f"arith.constant {number} : index")

    def node(self, node: Node, outer_sum: str = "") -> str:
        """NODE; the name of the sum that comes out of it, if it is a loop with one."""
        if isinstance(node, Statement):
            self._statement(node)
        elif isinstance(node, If):
            self._if(node)
        else:
            return self._loop(node, outer_sum)
        return ""

    def _block(self, nodes: tuple[Node, ...]) -> None:
        self.depth += 1
        for node in nodes:
            self.node(node)
        self.depth -= 1

    def _loop(self, loop: Loop, outer_sum: str) -> str:
        if loop.parallel:
            self._parallel(loop)
            return ""
        has_inner = any(isinstance(child, Loop) for child in loop.body)
        spelled = "affine" if self.spelled == "affine" else "scf"
        spelled = "while" if self.spelled == "while" and not has_inner and not loop.sum else spelled
        if spelled == "while":
            self._while(loop)
            return ""
        if spelled == "scf":
            bounds = f"{self._bound(loop.lower, 'max')} to {self._bound(loop.upper, 'min')}"
            bounds += f" step {self.number(loop.step)}"
        else:
            step = f" step {loop.step}" if loop.step != 1 else ""
            bounds = f"{_bound(loop.lower, 'max')} to {_bound(loop.upper, 'min')}{step}"
        name = f"%sum_of_{loop.name}"
        sums = f" iter_args({name} = {outer_sum or '%z'}) -> (f32)" if loop.sum else ""
        result = f"{name}_after{loop.sum}" if loop.sum else ""
        self.add(f"{f'{result} = ' * bool(loop.sum)}{spelled}.for %{loop.name} = {bounds}{sums} {{")
        self.line_of[loop.sum] = len(self.lines)
        self.depth += 1
        inner = [self.node(child, name if loop.sum else "") for child in loop.body]
        if loop.sum:
            following = next((each for each in inner if each), "") or f"{name}_next"
            if not any(inner):
                self.add(f"{following} = arith.addf {name}, %z : f32")
            self.add(f"{spelled}.yield {following} : f32")
        self.depth -= 1
        self.add("}")
        return result

    def _parallel(self, loop: Loop) -> None:
        """LOOP as one operation with the parallel loops straight inside of it whose bounds do not name it."""
        band = [loop]
        while len(band[-1].body) == 1 and isinstance(inner := band[-1].body[0], Loop) and inner.parallel:
            if {name for form in (*inner.lower, *inner.upper) for name, _ in form.factors} & {
                each.name for each in band
            }:
                break
            band.append(inner)
        if self.spelled == "affine":
            kind = "affine.parallel"
            lower = [f"max({', '.join(form.text() for form in each.lower)})" for each in band]
            upper = [f"min({', '.join(form.text() for form in each.upper)})" for each in band]
            steps = [str(each.step) for each in band]
        else:
            kind = f"scf.{loop.parallel}"
            lower = [self._bound(each.lower, "max") for each in band]
            upper = [self._bound(each.upper, "min") for each in band]
            steps = [self.number(each.step) for each in band]
        names = [f"%{each.name}" for each in band]
        lists = ", ".join(names), ", ".join(lower), ", ".join(upper), ", ".join(steps)
        self.add("{} ({}) = ({}) to ({}) step ({}) {{".format(kind, *lists))
        self._block(band[-1].body)
        self.add("}")

    def _while(self, loop: Loop) -> None:
        lower, uppers = self._bound(loop.lower, "max"), [self.index(form) for form in loop.upper]
        step, name = self.number(loop.step), f"%{loop.name}"
        self.add(f"scf.while ({name} = {lower}) : (index) -> index {{")
        below = [self.value(f"arith.cmpi slt, {name}, {upper} : index") for upper in uppers]
        goes_on = reduce(lambda one, other: self.value(f"arith.andi {one}, {other} : i1"), below)
        self.add(f"  scf.condition({goes_on}) {name} : index")
        self.add("} do {")
        self.add(f"^bb0({name}_in: index):")
        begin = len(self.lines)
        self._block(loop.body)
        inside = re.compile(rf"{name}\b(?!_)")
        self.lines[begin:] = [inside.sub(f"{name}_in", line) for line in self.lines[begin:]]
        self.add(f"  {name}_next = arith.addi {name}_in, {step} : index")
        self.add(f"  scf.yield {name}_next : index")
        self.add("}")

    def _bound(self, forms: tuple[Affine, ...], of_several: str) -> str:
        """The value of the OF_SEVERAL FORMS."""
        if len(forms) == 1:
            return self.index(forms[0])
        if self.spelled == "cast":
            found = map(self.index, forms)
            return reduce(lambda a, b: self.value(f"arith.{of_several}si {a}, {b} : index"), found)
        return self.value(f"affine.{of_several} {_applied(forms)}")

    def _if(self, node: If) -> None:
        if self.spelled == "affine":
            names = sorted({name for form, _ in node.conditions for name, _ in form.factors})
            conditions = ", ".join(
                f"({form.text('')}) mod {modulus} == 0" if modulus else f"{form.text('')} >= 0"
                for form, modulus in node.conditions
            )
            operands = ", ".join(f"%{name}" for name in names)
            self.add(f"affine.if affine_set<({', '.join(names)}) : ({conditions})>({operands}) {{")
        else:
            self.add(f"scf.if {self._condition(node)} {{")
        self._block(node.body)
        if node.otherwise:
            self.add("} else {")
            self._block(node.otherwise)
        self.add("}")

    def _condition(self, node: If) -> str:
        found: list[str] = []
        for form, modulus in node.conditions:
            value, zero = self.index(form), self.number(0)
            if modulus:
                value = self.value(f"arith.remsi {value}, {self.number(modulus)} : index")
            found.append(self.value(f"arith.cmpi {'eq' if modulus else 'sge'}, {value}, {zero} : index"))
        return reduce(lambda one, other: self.value(f"arith.andi {one}, {other} : i1"), found)

    def _statement(self, node: Statement) -> None:
        values = [f"%v{read.number}" for read in node.reads]
        for value, read in zip(values, node.reads, strict=True):
            self._access(read, f"{value} = ", "load")
        if node.write is None:
            return
        kind = self.arrays[node.write.array].element
        same = [
            value
            for value, read in zip(values, node.reads, strict=True)
            if self.arrays[read.array].element == kind
        ]
        total = same[0] if same else f"%z_{kind}"
        for other in same[1:]:
            total = self.value(f"arith.add{'f' if kind.startswith('f') else 'i'} {total}, {other} : {kind}")
        self._access(node.write, "", f"store {total},")

    def _access(self, access: Access, result: str, what: str) -> None:
        name, kind, forms = f"%{access.array}", self.arrays[access.array].type, access.index
        if access.view is not None:
            name, forms = f"%view{access.number}", access.view.index(forms)
            _, kind = access.view.declared("", "", self.arrays[access.array].element)
        if self.arrays[access.array].is_scalar:
            forms = ()
        if self.spelled == "affine" and not any(isinstance(form, Loaded) for form in forms):
            index, dialect = ", ".join(form.text() for form in forms), "affine"
        else:
            index, dialect = ", ".join(map(self.index, forms)), "memref"
        self.add(f"{result}{dialect}.{what} {name}[{index}] : {kind}")
        self.line_of[access.number] = len(self.lines)


def _bound(forms: tuple[Affine, ...], of_several: str) -> str:
    if len(forms) == 1 and not forms[0].factors:
        return str(forms[0].constant)
    return f"{of_several} {_applied(forms)}" if len(forms) > 1 else _applied(forms)


def _applied(forms: tuple[Affine, ...]) -> str:
    """A map to FORMS, with its operands."""
    names = sorted({name for form in forms for name, _ in form.factors})
    results = ", ".join(form.text("") for form in forms)
    return f"affine_map<({', '.join(names)}) -> ({results})>({', '.join(f'%{name}' for name in names)})"


def mlir(program: Program, arrays: Mapping[str, Array]) -> tuple[str, dict[int, int]]:
    """PROGRAM as a function, and the line of each access by its number."""
    kinds = sorted({array.element for array in arrays.values()})
    arguments = {f"%{name}": array.type for name, array in arrays.items()}
    arguments |= {f"%z_{kind}": kind for kind in kinds} | {"%z": "f32"}
    arguments |= {f"%{name}": "index" for name in program.symbols}
    passed = f"({', '.join(arguments)}) : ({', '.join(arguments.values())}) -> ()"
    declared = ", ".join(f"{name}: {kind}" for name, kind in arguments.items())
    text = Text(arrays, program.spelled)
    for number in (k for k, nest in enumerate(program.nests) if nest.is_called):
        _function(text, f"private @called{number}({declared})", program, [number], "")
    nests = range(len(program.nests))
    _function(text, f"@f({declared})", program, nests, passed)
    return "\n".join([*text.lines, ""]), text.line_of


def _function(text: Text, head: str, program: Program, nests: Sequence[int], passed: str) -> None:
    """A function of these NESTS; of those that others run, the call by which they are PASSED their arguments."""
    text.lines.append(f"func.func {head} {{")
    own = [k for k in nests if not passed or not program.nests[k].is_called]
    for number, place in places(program).items():
        view = place.access.view
        if view is not None and place.nest in own:
            array = place.access.array
            line, _ = view.declared(f"%view{number}", f"%{array}", text.arrays[array].element)
            text.add(line)
    for name in program.around:
        text.add(f"affine.for %{name} = 0 to {program.times} {{")
        text.depth += 1
    for k in nests:
        if k in own:
            text.node(program.nests[k])
        else:
            text.add(f"func.call @called{k}{passed}")
    for _ in program.around:
        text.depth -= 1
        text.add("}")
    text.lines += ["  return", "}"]
