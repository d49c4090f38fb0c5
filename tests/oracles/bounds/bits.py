"""Random unsigned and bitwise operations on all widths; values that an analyser may not see through."""

from __future__ import annotations

from tests.oracles.bounds.nodes import Compute, Formula
from tests.oracles.bounds.scope import Scope, arith_of
from tests.oracles.bounds.values import Value
from tests.oracles.interpreter.arithmetic import WIDTHS as WIDTH_OF

WIDTHS = (8, 16, 32, 64)
BITWISE = ("andi", "ori", "xori", "addi", "subi", "muli", "minui", "maxui")
DIVISIONS = ("divui", "remui", "ceildivui", "remsi", "divsi", "floordivsi", "ceildivsi")
SHIFTS = ("shli", "shrsi", "shrui")
OF_INDEX = ("andi", "ori", "xori", "minui", "maxui")
PREDICATES = ("ult", "ule", "ugt", "uge")


def operation(scope: Scope) -> Value:
    """An operation on two integers of some width, at times of one value with itself, as an index again."""
    chance = scope.chance
    width = chance.choice([*WIDTHS, None])
    kind = "index" if width is None else f"i{width}"
    bits = width or 64
    left = narrowed(scope, scope.index(), bits, kind)
    table = chance.choice([BITWISE, BITWISE, DIVISIONS, SHIFTS])
    if table is SHIFTS:
        right = constant(scope, chance.randint(0, 7), kind)
    elif table is DIVISIONS:
        right = divisor(scope, left, bits, kind)
    else:
        right = left if chance.random() < 0.25 else narrowed(scope, scope.index(), bits, kind)
    if width is None and table is BITWISE:
        table = OF_INDEX
    name = chance.choice(table)
    if width is None:
        return scope.arith(name, left, right)
    return widened(scope, scope.unlisted(arith_of(name, left, right), kind), bits, kind)


def narrowed(scope: Scope, value: Value, bits: int, kind: str) -> Value:
    """The lowest BITS of VALUE."""
    if kind == "index":
        return value
    return scope.unlisted(casting("index_cast", value, bits, kind), kind)


def casting(name: str, value: Value, bits: int, kind: str) -> Formula:
    """The cast arith.NAME of VALUE to type KIND of so many BITS."""
    python = f"cast({name!r}, $0, {WIDTH_OF[value.type]}, {bits})"
    return Formula(f"arith.{name} $0 : {value.type} to {kind}", python, (value,))


def widened(scope: Scope, value: Value, bits: int, kind: str) -> Value:
    """VALUE as an index, with its sign or without; the unsigned ones of 64 bits are too large to print."""
    name = "index_cast" if bits == 64 or scope.chance.random() < 0.5 else "index_castui"
    return scope.written(casting(name, value, 64, "index"))


def constant(scope: Scope, number: int, kind: str) -> Value:
    """arith.constant of any type, for the next operation."""
    return scope.unlisted(Formula(f"arith.constant {number} : {kind}", str(number)), kind)


def divisor(scope: Scope, left: Value, bits: int, kind: str) -> Value:
    """A number that is not 0, and not -1 (the least number divided by that does not fit)."""
    chance = scope.chance
    if chance.random() < 0.4:
        return constant(scope, chance.choice([1, 2, 3, 5, 8, -2, -3, -8]), kind)
    value = left if chance.random() < 0.5 else narrowed(scope, scope.index(), bits, kind)
    one = constant(scope, 1, kind)
    return scope.unlisted(arith_of("maxsi", value, one), kind)


def itself(scope: Scope) -> Value:
    """An operation of a positive number with itself."""
    chance = scope.chance
    value = scope.unlisted(
        Formula("affine.max affine_map<(d0) -> (d0, 1)>($0)", "max($0, 1)", (scope.index(),))
    )
    name = chance.choice((*DIVISIONS, *BITWISE))
    return scope.arith("xori" if name in ("muli", "addi") else name, value, value)


def unsigned_comparison(scope: Scope) -> Value:
    """arith.cmpi of unsigned numbers."""
    predicate, left = scope.chance.choice(PREDICATES), scope.index()
    return scope.compared(predicate, left, scope.other(left))


def element(scope: Scope) -> Value:
    """An element of a constant tensor, at a constant or a computed position."""
    chance = scope.chance
    numbers = [chance.randint(-9, 20) for _ in range(chance.randint(1, 12))]
    count = len(numbers)
    kind = f"tensor<{count}xindex>"
    table = scope.unlisted(Formula(f"arith.constant dense<{numbers}> : {kind}", str(tuple(numbers))), kind)
    if chance.random() < 0.4:
        position = constant(scope, chance.randrange(count), "index")
    else:
        text = f"affine.apply affine_map<()[s0] -> (s0 mod {count})>()[$0]"
        text = text if scope.depth == 0 else "affine.max affine_map<(d0) -> (0)>($0)"
        python = f"$0 % {count}" if scope.depth == 0 else "0"
        position = scope.unlisted(Formula(text, python, (scope.index(),)))
    return scope.compute(f"tensor.extract $0[$1] : {kind}", "$0[$1]", table, position)


# -- what is passed through memory, calls and blocks -----------------------------------------------------

HELPERS = """
func.func @at_least_three(%a: index) -> index {
  %three = arith.constant 3 : index
  %r = arith.maxsi %a, %three : index
  return %r : index
}
func.func @seven() -> index {
  %seven = arith.constant 7 : index
  return %seven : index
}
"""


def stored(scope: Scope) -> Value:
    """What is loaded from where it was stored."""
    memory = scope.counters.fresh("m", "memref<2xindex>")
    text = (
        "memref.alloca() : memref<2xindex>\n"
        f"{memory}_at = arith.constant 0 : index\n"
        f"memref.store $0, {memory}[{memory}_at] : memref<2xindex>"
    )
    scope.nodes.append(Compute(memory, Formula(text, "($0,)", (scope.index(),))))
    return scope.compute(f"memref.load $0[{memory}_at] : memref<2xindex>", "$0[0]", memory)


def called(scope: Scope) -> Value:
    """What a function returns."""
    if scope.chance.random() < 0.3:
        return scope.compute("func.call @seven() : () -> index", "7")
    return scope.compute("func.call @at_least_three($0) : (index) -> index", "max($0, 3)", scope.index())


def joined(scope: Scope) -> Value:
    """An argument of a block that is one of two values, or what counts up to a number in two blocks."""
    if scope.depth > 0:
        return stored(scope)
    zero = scope.counters.fresh("z")
    label = f"^{zero.name[1:]}"
    first = "arith.constant 0 : index\n"
    if scope.chance.random() < 0.5 and scope.truths:
        text = f"cf.cond_br $0, {label}($1 : index), {label}($2 : index)\n{label}({zero}_b: index):"
        formula = Formula(first + text, "$1 if $0 else $2", (scope.truth(), scope.index(), scope.index()))
    else:
        text = (
            f"{zero}_1 = arith.constant 1 : index\n"
            f"cf.br {label}({zero} : index)\n"
            f"{label}({zero}_b: index):\n"
            f"{zero}_more = arith.cmpi slt, {zero}_b, $0 : index\n"
            f"cf.cond_br {zero}_more, {label}_body, {label}_end\n"
            f"{label}_body:\n"
            f"{zero}_next = arith.addi {zero}_b, {zero}_1 : index\n"
            f"cf.br {label}({zero}_next : index)\n"
            f"{label}_end:"
        )
        formula = Formula(first + text, "max($0, 0)", (scope.index(),))
    scope.nodes.append(Compute(zero, formula))
    return scope.compute(f"arith.addi $0, {zero}_b : index", "$0", zero)
