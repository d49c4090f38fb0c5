"""One value of many, chosen by a remainder: the element map names the one that is, for every number."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import islpy as isl
import pytest

import volcli

CASES = 12


def _regions(remainder: str) -> str:
    cases = "\n".join(f"case {k} {{ scf.yield %x{k} : f32 }}" for k in range(CASES))
    return f"{remainder}\n%r = scf.index_switch %s -> f32\n{cases}\ndefault {{ scf.yield %x{CASES} : f32 }}"


def _conditions(remainder: str) -> str:
    lines = [remainder]
    for k in reversed(range(CASES)):
        last = f"%x{CASES}" if k == CASES - 1 else f"%v{k + 1}"
        lines += [
            f"%k{k} = arith.constant {k} : index",
            f"%c{k} = arith.cmpi eq, %s, %k{k} : index",
            f"%{f'v{k}' if k else 'r'} = scf.if %c{k} -> f32 {{ scf.yield %x{k} : f32 }}"
            f" else {{ scf.yield {last} : f32 }}",
        ]
    return "\n".join(lines)


def _blocks(remainder: str) -> str:
    targets = ", ".join(f"{k}: ^b{k}" for k in range(CASES))
    blocks = "\n".join(f"^b{k}:\n cf.br ^e(%x{k} : f32)" for k in range(CASES))
    return (
        f"{remainder}\n%q = arith.index_cast %s : index to i32\ncf.switch %q : i32, [default: ^d, {targets}]\n"
        f"{blocks}\n^d:\n cf.br ^e(%x{CASES} : f32)\n^e(%r: f32):"
    )


FORMS: Mapping[str, Callable[[str], str]] = {
    "regions": _regions,
    "conditions": _conditions,
    "blocks": _blocks,
}
REMAINDERS: Mapping[str, Callable[[int], int]] = {
    "remui": lambda n: n % 2**64 % (CASES + 1),
    "remsi": lambda n: abs(n) % (CASES + 1) * (1 if n >= 0 else -1),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("remainder", REMAINDERS)
def test_the_value_of_each_case(form: str, remainder: str) -> None:
    values = ", ".join(f"%x{k}: f32" for k in range(CASES + 1))
    computed = f"%m = arith.constant {CASES + 1} : index\n%s = arith.{remainder} %n, %m : index"
    body = FORMS[form](computed)
    fact = (
        volcli.loads(f"func.func @f(%n: index, {values}) -> f32 {{\n{body}\nreturn %r : f32\n}}")
        .function("f")
        .element_map("%r")
    )
    assert fact.exact
    assert fact.map is not None
    for n in range(-30, 31):
        case = REMAINDERS[remainder](n)
        assert _chosen(fact.map, n) == {f"x{case}" if 0 <= case < CASES else f"x{CASES}"}


def _chosen(found: isl.UnionMap, n: int) -> set[str]:
    """The inputs that are read for %n = N."""
    given = found.intersect_params(isl.Set(f"[n] -> {{ : n = {n} }}"))
    names: set[str] = set()
    given.foreach_map(
        lambda each: None if each.is_empty() else names.add(each.get_tuple_name(isl.dim_type.out))
    )
    return names


def test_a_copy_between_blocks() -> None:
    text = """
    func.func @f(%x: f32, %y: f32, %c: i1) -> (f32, f32) {
      cf.br ^next(%x : f32)
    ^next(%t: f32):
      cf.cond_br %c, ^a, ^b
    ^a:
      cf.br ^end(%y : f32)
    ^b:
      cf.br ^end(%y : f32)
    ^end(%u: f32):
      return %t, %u : f32, f32
    }
    """
    function = volcli.loads(text).function("f")
    copied = function.element_map("%t")
    assert copied.exact
    assert str(copied.map) == "{ x[] -> x[] }"
    assert function.element_map("%u").exact
