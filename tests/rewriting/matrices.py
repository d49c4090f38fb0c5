"""Random programs with matrices of which parts are zero: triangles, bands, blocks."""

from __future__ import annotations

import random

from tests.rewriting.texts import Program, filled, function, tensor, zero

IDENTITY = "affine_map<(i, j) -> (i, j)>"

_BANDS = (
    "arith.cmpi sge, %row, %col : index",
    "arith.cmpi sle, %row, %col : index",
    "arith.cmpi slt, %row, %col : index",
)


def _masked(name: str, kind: str, element: str, chance: random.Random) -> list[str]:
    """%NAME_m: %NAME where a triangle, a band or some columns are, and 0 elsewhere."""
    form = chance.choice(("triangle", "band", "columns"))
    if form == "triangle":
        conditions = [f"%in = {chance.choice(_BANDS)}"]
    elif form == "band":
        below, above = chance.randint(-1, 2), chance.randint(0, 2)
        conditions = [
            f"%lo = arith.constant {-below} : index",
            f"%hi = arith.constant {above} : index",
            "%d = arith.subi %col, %row : index",
            "%c1 = arith.cmpi sge, %d, %lo : index",
            "%c2 = arith.cmpi sle, %d, %hi : index",
            "%in = arith.andi %c1, %c2 : i1",
        ]
    else:
        conditions = [
            f"%lo = arith.constant {chance.randint(0, 3)} : index",
            f"%in = arith.cmpi {chance.choice(('sge', 'slt'))}, %{chance.choice(('row', 'col'))}, %lo : index",
        ]
    return [
        f"%{name}_e = tensor.empty() : {kind}",
        f"%{name}_m = linalg.generic {{indexing_maps = [{IDENTITY}, {IDENTITY}], "
        f'iterator_types = ["parallel", "parallel"]}} ins(%{name} : {kind}) outs(%{name}_e : {kind}) {{',
        f"^bb0(%v: {element}, %o: {element}):",
        "%row = linalg.index 0 : index",
        "%col = linalg.index 1 : index",
        *conditions,
        f"%r = arith.select %in, %v, %zero : {element}",
        f"linalg.yield %r : {element}",
        f"}} -> {kind}",
    ]


def product(chance: random.Random) -> Program:
    """A product of two matrices, of which one or both are masked, perhaps transposed, added to a third one."""
    element = chance.choice(("f32", "f32", "i32"))
    m, n, k = (chance.randint(2, 9) for _ in range(3))
    a, b, out = tensor(m, k, element), tensor(k, n, element), tensor(m, n, element)
    lines = [zero(element)]
    left, right = "a", "b"
    which = chance.choice(("left", "right", "both"))
    if which != "right":
        lines += _masked("a", a, element, chance)
        left = "a_m"
    if which != "left":
        lines += _masked("b", b, element, chance)
        right = "b_m"
    initial = "c"
    if chance.random() < 0.5:
        lines += filled("i", out)
        initial = "i"
    lines.append(f"%y = linalg.matmul ins(%{left}, %{right} : {a}, {b}) outs(%{initial} : {out}) -> {out}")
    return Program(function([f"%a: {a}", f"%b: {b}", f"%c: {out}"], out, lines))


def elementwise(chance: random.Random) -> Program:
    """The product of a masked matrix and another one, element by element."""
    element = chance.choice(("f32", "i32"))
    m, n = chance.randint(2, 40), chance.randint(2, 40)
    kind = tensor(m, n, element)
    lines = [zero(element), *_masked("a", kind, element, chance)]
    lines += [
        f"%y_e = tensor.empty() : {kind}",
        f"%y = linalg.mul ins(%a_m, %b : {kind}, {kind}) outs(%y_e : {kind}) -> {kind}",
    ]
    return Program(function([f"%a: {kind}", f"%b: {kind}"], kind, lines))


def joined(chance: random.Random) -> Program:
    """A product with a matrix that is joined with zeros, or has a block inserted into zeros."""
    element = chance.choice(("f32", "i32"))
    m, k, extra, n = chance.randint(1, 5), chance.randint(1, 5), chance.randint(1, 5), chance.randint(1, 5)
    a, zeros, whole = tensor(m, k, element), tensor(m, extra, element), tensor(m, k + extra, element)
    b, out = tensor(k + extra, n, element), tensor(m, n, element)
    lines = [zero(element)]
    if chance.random() < 0.5:
        lines += filled("z", zeros)
        order = ("%a, %z", f"{a}, {zeros}") if chance.random() < 0.5 else ("%z, %a", f"{zeros}, {a}")
        lines.append(f"%j = tensor.concat dim(1) {order[0]} : ({order[1]}) -> {whole}")
    else:
        lines += filled("z", whole)
        at = chance.randint(0, extra)
        lines.append(f"%j = tensor.insert_slice %a into %z[0, {at}] [{m}, {k}] [1, 1] : {a} into {whole}")
    lines += [*filled("i", out), f"%y = linalg.matmul ins(%j, %b : {whole}, {b}) outs(%i : {out}) -> {out}"]
    return Program(function([f"%a: {a}", f"%b: {b}"], out, lines))


def generic(chance: random.Random) -> Program:
    """Two results of one operation over a masked matrix, one of which adds up coordinates, too; one reversed access."""
    element = chance.choice(("f32", "i32"))
    m, k = chance.randint(3, 12), chance.randint(3, 12)
    a, b, row = tensor(m, k, element), tensor(k, element), tensor(m, element)
    index = chance.choice(("k", f"{k - 1} - k"))
    add, mul = ("arith.addf", "arith.mulf") if element == "f32" else ("arith.addi", "arith.muli")
    cast = "arith.sitofp %c : i32 to f32" if element == "f32" else "arith.addi %c, %c : i32"
    lines = [zero(element), *_masked("a", a, element, chance), *filled("s", row), *filled("t", row)]
    lines += [
        "%z, %y = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, "
        f"affine_map<(m, k) -> ({index})>, affine_map<(m, k) -> (m)>, affine_map<(m, k) -> (m)>], "
        f'iterator_types = ["parallel", "reduction"]}} ins(%a_m, %b : {a}, {b}) outs(%s, %t : {row}, {row}) {{',
        f"^bb0(%u: {element}, %v: {element}, %p: {element}, %q: {element}):",
        "%i = linalg.index 0 : index",
        "%j = linalg.index 1 : index",
        "%w = arith.addi %i, %j : index",
        "%c = arith.index_cast %w : index to i32",
        f"%f = {cast}",
        f"%x = {mul} %u, %v : {element}",
        f"%x2 = {mul} %x, %f : {element}",
        f"%p2 = {add} %p, %x : {element}",
        f"%q2 = {add} %q, %x2 : {element}",
        f"linalg.yield %p2, %q2 : {element}, {element}",
        f"}} -> ({row}, {row})",
        f"%r = tensor.concat dim(0) %z, %y : ({row}, {row}) -> {tensor(2 * m, element)}",
    ]
    text = function([f"%a: {a}", f"%b: {b}"], tensor(2 * m, element), lines)
    return Program(text.replace("return %y", "return %r"))


def contraction(chance: random.Random) -> Program:
    """A contraction with operands in any order of dimensions, of which one is masked, of an unknown batch."""
    element = chance.choice(("f32", "i32"))
    m, n, k = (chance.randint(2, 9) for _ in range(3))
    batch = chance.choice((2, "?"))
    sizes = {"i": m, "j": n, "k": k, "b": batch}
    first, second = chance.choice(("ik", "ki")), chance.choice(("bkj", "kbj", "jkb"))
    left, right = (tensor(*(sizes[d] for d in dims), element) for dims in (first, second))
    out = tensor(batch, m, n, element)
    add, mul = ("arith.addf", "arith.mulf") if element == "f32" else ("arith.addi", "arith.muli")

    def map_of(dims: str) -> str:
        return f"affine_map<(b, i, j, k) -> ({', '.join(dims)})>"

    position = second.index("b")
    lines = [zero(element), *_masked("a", left, element, chance)]
    lines += [
        f"%at = arith.constant {position} : index",
        f"%size = tensor.dim %x, %at : {right}",
        f"%i_e = tensor.empty({'%size' if batch == '?' else ''}) : {out}",
        f"%i = linalg.fill ins(%zero : {element}) outs(%i_e : {out}) -> {out}",
        f"%y = linalg.generic {{indexing_maps = [{map_of(first)}, {map_of(second)}, {map_of('bij')}], "
        'iterator_types = ["parallel", "parallel", "parallel", "reduction"]} '
        f"ins(%a_m, %x : {left}, {right}) outs(%i : {out}) {{",
        f"^bb0(%u: {element}, %v: {element}, %s: {element}):",
        f"%p = {mul} %v, %u : {element}",
        f"%t = {add} %s, %p : {element}",
        f"linalg.yield %t : {element}",
        f"}} -> {out}",
    ]
    return Program(function([f"%a: {left}", f"%x: {right}"], out, lines), (2,) if batch == "?" else ())
