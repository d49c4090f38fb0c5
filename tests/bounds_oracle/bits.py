"""Random unsigned and bitwise operations on all widths, and elements of constants."""

from __future__ import annotations

from tests.bounds_oracle.nodes import Formula
from tests.bounds_oracle.scope import Scope
from tests.bounds_oracle.values import Value

WIDTHS = (8, 16, 32, 64)
BITWISE = {
    "andi": "$0 & $1", "ori": "$0 | $1", "xori": "$0 ^ $1",
    "addi": "$0 + $1", "subi": "$0 - $1", "muli": "$0 * $1",
    "minui": "min(unsigned($0, W), unsigned($1, W))", "maxui": "max(unsigned($0, W), unsigned($1, W))",
}  # fmt: skip
DIVISIONS = {
    "divui": "unsigned($0, W) // unsigned($1, W)", "remui": "unsigned($0, W) % unsigned($1, W)",
    "ceildivui": "-(-unsigned($0, W) // unsigned($1, W))", "remsi": "$0 - $1 * truncated($0, $1)",
    "divsi": "truncated($0, $1)", "floordivsi": "$0 // $1", "ceildivsi": "-(-$0 // $1)",
}  # fmt: skip
SHIFTS = {"shli": "$0 << $1", "shrsi": "$0 >> $1", "shrui": "unsigned($0, W) >> $1"}
PREDICATES = {"ult": "<", "ule": "<=", "ugt": ">", "uge": ">="}


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
        table = {name: table[name] for name in ("andi", "ori", "xori", "minui", "maxui")}
    name, python = chance.choice(list(table.items()))
    python = f"signed({python.replace('W', str(bits))}, {bits})"
    if width is None:
        return scope.compute(f"arith.{name} $0, $1 : index", python, left, right)
    result = scope.unlisted(Formula(f"arith.{name} $0, $1 : {kind}", python, (left, right)), kind)
    return widened(scope, result, bits, kind)


def narrowed(scope: Scope, value: Value, bits: int, kind: str) -> Value:
    """The lowest BITS of VALUE."""
    if kind == "index":
        return value
    return scope.unlisted(
        Formula(f"arith.index_cast $0 : index to {kind}", f"signed($0, {bits})", (value,)), kind
    )


def widened(scope: Scope, value: Value, bits: int, kind: str) -> Value:
    """VALUE as an index, with its sign or without; the unsigned ones of 64 bits are too large to print."""
    if bits == 64 or scope.chance.random() < 0.5:
        return scope.compute(f"arith.index_cast $0 : {kind} to index", "$0", value)
    return scope.compute(f"arith.index_castui $0 : {kind} to index", f"unsigned($0, {bits})", value)


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
    return scope.unlisted(Formula(f"arith.maxsi $0, $1 : {kind}", "max($0, $1)", (value, one)), kind)


def itself(scope: Scope) -> Value:
    """An operation of a positive number with itself."""
    chance = scope.chance
    value = scope.unlisted(
        Formula("affine.max affine_map<(d0) -> (d0, 1)>($0)", "max($0, 1)", (scope.index(),))
    )
    name, python = chance.choice(list({**DIVISIONS, **BITWISE}.items()))
    if name in ("muli", "addi"):
        name, python = "xori", "$0 ^ $1"
    python = f"signed({python.replace('W', '64')}, 64)"
    return scope.compute(f"arith.{name} $0, $1 : index", python, value, value)


def unsigned_comparison(scope: Scope) -> Value:
    """arith.cmpi of unsigned numbers."""
    predicate, python = scope.chance.choice(list(PREDICATES.items()))
    left = scope.index()
    text = f"int(unsigned($0, 64) {python} unsigned($1, 64))"
    return scope.compute(f"arith.cmpi {predicate}, $0, $1 : index", text, left, scope.other(left), type="i1")


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
