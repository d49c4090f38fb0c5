"""Steps that compute numbers from numbers: of arith, math and index, alone or on tensors and vectors.

What would be undefined or poison is avoided by its operands: divisors are odd, shifts are taken modulo the
width, floats are made small before they become integers. What IEEE 754 leaves open is not looked at: bits of
NaN, and which zero is the minimum of two.
"""

from __future__ import annotations

from functools import partial

from tests.execution.programs.draft import SCALAR, Draft, Form, Step, Value
from tests.execution.programs.support import FLOATS, INTEGERS, WIDTHS

PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_PREDICATES = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip
TOTAL = ("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui")
DIVISIONS = ("divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi")
SHIFTS = ("shli", "shrsi", "shrui")
EXTENDED = ("addui_extended", "mulsi_extended", "mului_extended")
FLOAT_BINARY = ("addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf")
ROUNDINGS = ("absf", "ceil", "floor", "sqrt", "trunc", "round", "roundeven")
"""The functions of math that IEEE 754 determines; for the others, no two libraries agree on the last bit."""
COUNTS = ("ctlz", "cttz", "ctpop", "absi")
TESTS = ("isfinite", "isnan")
OF_INDEX = (
    "add", "sub", "mul", "and", "or", "xor", "maxs", "maxu", "mins", "minu", "divs", "divu", "rems", "remu",
    "ceildivs", "ceildivu", "floordivs", "shl", "shrs", "shru",
)  # fmt: skip
INDEX_DIVISIONS = ("divs", "divu", "rems", "remu", "ceildivs", "ceildivu", "floordivs")


def _let(d: Draft, form: Form, text: str, element: str) -> Value:
    return d.let(text, form.of(element), element, form.sizes)


def _drawn(d: Draft, *elements: str) -> tuple[Form, str]:
    return d.form(), d.chance.choice(elements)


def total(name: str, d: Draft) -> None:
    form, e = _drawn(d, *INTEGERS)
    a, b = d.value(form, e), d.value(form, e)
    _let(d, form, f"arith.{name} {a.name}, {b.name} : {form.of(e)}", e)


def divisor(d: Draft, form: Form, element: str) -> str:
    """An odd number, and not -1 of i1."""
    one = d.splat(form, element, "true" if element == "i1" else "1")
    return d.defined(f"arith.ori {d.value(form, element).name}, {one} : {form.of(element)}")


def halved(d: Draft, form: Form, element: str, by: int = 1) -> str:
    """A number of the lower half of its width, with its sign."""
    return d.defined(
        f"arith.shrsi {d.value(form, element).name}, {d.splat(form, element, str(by))} : {form.of(element)}"
    )


def division(name: str, d: Draft) -> None:
    form, e = _drawn(d, *(each for each in INTEGERS if each != "i1" or name.endswith("ui")))
    a = halved(d, form, e) if name.endswith("si") else d.value(form, e).name
    _let(d, form, f"arith.{name} {a}, {divisor(d, form, e)} : {form.of(e)}", e)


def shift(name: str, d: Draft) -> None:
    form, e = _drawn(d, *INTEGERS[1:])
    kind = form.of(e)
    mask = d.splat(form, e, str(WIDTHS[e] - 1))
    by = d.defined(f"arith.andi {d.value(form, e).name}, {mask} : {kind}")
    _let(d, form, f"arith.{name} {d.value(form, e).name}, {by} : {kind}", e)


def promised(name: str, d: Draft) -> None:
    """Sums and products that keep `nsw`, and what is exact."""
    form, e = _drawn(d, *INTEGERS[2:])
    by = WIDTHS[e] // 2 + 1 if name == "muli" else 1
    a, b = halved(d, form, e, by), halved(d, form, e, by)
    _let(d, form, f"arith.{name} {a}, {b} overflow<nsw> : {form.of(e)}", e)


def exactly(name: str, d: Draft) -> None:
    form, e = _drawn(d, *INTEGERS[2:])
    kind, two = form.of(e), d.splat(form, e, "2")
    a = d.defined(f"arith.shli {d.value(form, e).name}, {two} : {kind}")
    _let(d, form, f"arith.{name} {a}, {two} exact : {kind}", e)


def extended(name: str, d: Draft) -> None:
    form, e = _drawn(d, *INTEGERS[1:-1])
    a, b, kind = d.value(form, e), d.value(form, e), form.of(e)
    pair, flag = d.fresh(), "i1" if name == "addui_extended" else e
    kinds = f"{kind}, {form.of(flag)}" if flag == "i1" else kind
    d.line(f"{pair}:2 = arith.{name} {a.name}, {b.name} : {kinds}")
    d.add(Value(f"{pair}#0", kind, e, form.sizes))
    d.add(Value(f"{pair}#1", form.of(flag), flag, form.sizes))


def compare(name: str, d: Draft) -> None:
    form, e = _drawn(d, *INTEGERS)
    a, b = d.value(form, e), d.value(form, e)
    _let(d, form, f"arith.cmpi {name}, {a.name}, {b.name} : {form.of(e)}", "i1")


def compare_floats(name: str, d: Draft) -> None:
    form, e = _drawn(d, *FLOATS)
    a, b = d.value(form, e), d.value(form, e)
    _let(d, form, f"arith.cmpf {name}, {a.name}, {b.name} : {form.of(e)}", "i1")


def select(d: Draft) -> None:
    form, e = _drawn(d, *INTEGERS, *FLOATS)
    condition, a, b, kind = d.value(form, "i1"), d.value(form, e), d.value(form, e), form.of(e)
    of = f"{condition.type}, {kind}" if form is not SCALAR else kind
    _let(d, form, f"arith.select {condition.name}, {a.name}, {b.name} : {of}", e)


def widen(name: str, d: Draft) -> None:
    form = d.form()
    source, target = sorted(d.chance.sample(range(6), 2))
    if name == "trunci":
        source, target = target, source
    _cast(d, form, f"arith.{name}", INTEGERS[source], INTEGERS[target])


def _cast(d: Draft, form: Form, name: str, source: str, target: str, value: str | None = None) -> Value:
    given = value or d.value(form, source).name
    return _let(d, form, f"{name} {given} : {form.of(source)} to {form.of(target)}", target)


def index_cast(name: str, d: Draft) -> None:
    form, e = _drawn(d, *INTEGERS[:-1])
    source, target = d.chance.choice(((e, "index"), ("index", e)))
    _cast(d, form, f"arith.{name}", source, target)


def index_dialect_cast(name: str, d: Draft) -> None:
    e = d.chance.choice(INTEGERS[1:-1])
    source, target = d.chance.choice(((e, "index"), ("index", e)))
    _cast(d, SCALAR, f"index.{name}", source, target)


def integer_to_float(name: str, d: Draft) -> None:
    form, e = _drawn(d, *INTEGERS[:-1])
    _cast(d, form, f"arith.{name}", e, d.chance.choice(FLOATS))


def float_to_integer(name: str, d: Draft) -> None:
    form, e = _drawn(d, *FLOATS)
    target = d.chance.choice(INTEGERS[:-1])
    bound = {"i1": 1, "i4": 8, "i8": 120}.get(target, 1000)
    kind, a = form.of(e), d.value(form, e)
    magnitude = d.defined(f"math.absf {a.name} : {kind}")
    small = d.defined(f"arith.cmpf olt, {magnitude}, {d.splat(form, e, f'{bound}.0')} : {kind}")
    given = magnitude if name == "fptoui" else a.name
    of = f"{form.of('i1')}, {kind}" if form is not SCALAR else kind
    kept = d.defined(f"arith.select {small}, {given}, {d.splat(form, e, '0.5')} : {of}")
    _cast(d, form, f"arith.{name}", e, target, kept)


def float_cast(name: str, d: Draft) -> None:
    narrow, wide = d.chance.choice(
        (("f16", "f32"), ("bf16", "f32"), ("f32", "f64"), ("f16", "f64"), ("bf16", "f64"))
    )
    source, target = (narrow, wide) if name == "extf" else (wide, narrow)
    _cast(d, d.form(), f"arith.{name}", source, target)


def without_nan(d: Draft, form: Form, element: str, name: str) -> str:
    """The number NAME, or 1 in the place of a NaN."""
    kind = form.of(element)
    test = d.defined(f"arith.cmpf uno, {name}, {name} : {kind}")
    of = f"{form.of('i1')}, {kind}" if form is not SCALAR else kind
    return d.defined(f"arith.select {test}, {d.splat(form, element, '1.0')}, {name} : {of}")


def bitcast(d: Draft) -> None:
    form, e = _drawn(d, *FLOATS)
    bits = f"i{WIDTHS[e]}"
    if d.chance.random() < 0.5:
        _cast(d, form, "arith.bitcast", e, bits, without_nan(d, form, e, d.value(form, e).name))
        return
    name = d.defined(f"arith.bitcast {d.value(form, bits).name} : {form.of(bits)} to {form.of(e)}")
    d.add(Value(without_nan(d, form, e, name), form.of(e), e, form.sizes))


def float_binary(name: str, d: Draft) -> None:
    form, e = _drawn(d, *FLOATS)
    a, b = d.value(form, e), d.value(form, e)
    _let(d, form, f"arith.{name} {a.name}, {b.name} : {form.of(e)}", e)


def float_number(name: str, d: Draft) -> None:
    """maxnumf and minnumf; adding 0.0 makes one zero of the two."""
    form, e = _drawn(d, *FLOATS)
    a, b, kind = d.value(form, e), d.value(form, e), form.of(e)
    found = d.defined(f"arith.{name} {a.name}, {b.name} : {kind}")
    _let(d, form, f"arith.addf {found}, {d.splat(form, e, '0.0')} : {kind}", e)


def negf(d: Draft) -> None:
    form, e = _drawn(d, *FLOATS)
    _let(d, form, f"arith.negf {d.value(form, e).name} : {form.of(e)}", e)


def rounding(name: str, d: Draft) -> None:
    form, e = _drawn(d, *FLOATS)
    _let(d, form, f"math.{name} {d.value(form, e).name} : {form.of(e)}", e)


def copysign(d: Draft) -> None:
    form, e = _drawn(d, *FLOATS)
    sign = without_nan(d, form, e, d.value(form, e).name)
    _let(d, form, f"math.copysign {d.value(form, e).name}, {sign} : {form.of(e)}", e)


def fma(d: Draft) -> None:
    form, e = _drawn(d, "f32", "f64")
    a, b, c = (d.value(form, e).name for _ in range(3))
    _let(d, form, f"math.fma {a}, {b}, {c} : {form.of(e)}", e)


def float_test(name: str, d: Draft) -> None:
    """Not on vectors of two dimensions, which mlir-opt-22 does not lower."""
    form, e = _drawn(d, *FLOATS)
    form = SCALAR if form.text.startswith("vector") else form
    _let(d, form, f"math.{name} {d.value(form, e).name} : {form.of(e)}", "i1")


def count(name: str, d: Draft) -> None:
    form, e = _drawn(d, *INTEGERS[1:-1])
    _let(d, form, f"math.{name} {d.value(form, e).name} : {form.of(e)}", e)


def power(d: Draft) -> None:
    e = d.chance.choice(("i8", "i16", "i32", "i64"))
    base, exponent = divisor(d, SCALAR, e), d.scalar(e).name
    _let(d, SCALAR, f"math.ipowi {base}, {exponent} : {e}", e)


def of_index(name: str, d: Draft) -> None:
    a, b = d.scalar("index").name, d.scalar("index").name
    if name in INDEX_DIVISIONS:
        a, b = halved(d, SCALAR, "index"), divisor(d, SCALAR, "index")
    elif name in ("shl", "shrs", "shru"):
        b = d.defined(f"arith.andi {b}, {d.constant(63)} : index")
    _let(d, SCALAR, f"index.{name} {a}, {b}", "index")


def compare_indices(name: str, d: Draft) -> None:
    a, b = d.scalar("index").name, d.scalar("index").name
    _let(d, SCALAR, f"index.cmp {name}({a}, {b})", "i1")


def index_constants(d: Draft) -> None:
    _let(d, SCALAR, f"index.constant {d.chance.randint(-9, 9)}", "index")
    _let(d, SCALAR, "index.bool.constant true", "i1")
    _let(d, SCALAR, "index.sizeof", "index")


STEPS: list[Step] = [
    *(partial(total, name) for name in TOTAL),
    *(partial(division, name) for name in DIVISIONS),
    *(partial(shift, name) for name in SHIFTS),
    *(partial(promised, name) for name in ("addi", "subi", "muli")),
    *(partial(exactly, name) for name in ("shrui", "shrsi", "shrui")),
    *(partial(extended, name) for name in EXTENDED),
    *(partial(compare, name) for name in PREDICATES),
    *(partial(compare_floats, name) for name in FLOAT_PREDICATES),
    *(partial(widen, name) for name in ("extsi", "extui", "trunci")),
    *(partial(index_cast, name) for name in ("index_cast", "index_castui")),
    *(partial(index_dialect_cast, name) for name in ("casts", "castu")),
    *(partial(integer_to_float, name) for name in ("sitofp", "uitofp")),
    *(partial(float_to_integer, name) for name in ("fptosi", "fptoui")),
    *(partial(float_cast, name) for name in ("extf", "truncf")),
    *(partial(float_binary, name) for name in FLOAT_BINARY),
    *(partial(float_number, name) for name in ("maxnumf", "minnumf")),
    *(partial(rounding, name) for name in ROUNDINGS),
    *(partial(float_test, name) for name in TESTS),
    *(partial(count, name) for name in COUNTS),
    *(partial(of_index, name) for name in OF_INDEX),
    *(partial(compare_indices, name) for name in PREDICATES),
    select, bitcast, negf, copysign, fma, power, index_constants,
]  # fmt: skip
