"""Random functions on memrefs that call themselves, or each other, as often as a number says."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tests.oracles.contents import truth

SHAPES: Mapping[str, truth.Point] = {"%a": (8,), "%b": (8,), "%x": ()}
"""The shapes of the arguments of @f."""

_ARGUMENTS = "%a: memref<8xf32>, %b: memref<8xf32>, %x: f32"
_KINDS = "(memref<8xf32>, memref<8xf32>, f32, index) -> ()"


def drawn(seed: int) -> str:
    """A module with a function @f that calls @p with a constant, once or twice."""
    chance = random.Random(seed)
    functions = _function(chance, "p", "p")
    if chance.random() < 0.3:
        functions = _function(chance, "p", "q") + _function(chance, "q", "p")
    calls = [("%a, %b", chance.randint(0, 6))]
    if chance.random() < 0.3:
        calls.append(("%b, %a", chance.randint(0, 4)))
    lines = [f"{functions}func.func @f({_ARGUMENTS}) {{"]
    for k, (buffers, number) in enumerate(calls):
        lines.append(f"  %n{k} = arith.constant {number} : index")
        lines.append(f"  func.call @p({buffers}, %x, %n{k}) : {_KINDS}")
    return "\n".join([*lines, "  return", "}", ""])


def _function(chance: random.Random, name: str, called: str) -> str:
    """@NAME does something before and after it calls @CALLED with less than its number, while that is positive."""
    before, after = (_statements(chance, when) for when in ("before", "after"))
    inside = (
        f"{before}  %m = arith.subi %n, %s : index\n  func.call @{called}(%a, %b, %x, %m) : {_KINDS}\n{after}"
    )
    head = f"""func.func private @{name}({_ARGUMENTS}, %n: index) {{
  %t = arith.constant {chance.randint(0, 2)} : index
  %s = arith.constant {chance.randint(1, 2)} : index
  %k = arith.cmpi sgt, %n, %t : index
"""
    if chance.random() < 0.4:
        return f"{head}  cf.cond_br %k, ^t, ^e\n^t:\n{inside}  cf.br ^e\n^e:\n  return\n}}\n"
    return f"{head}  scf.if %k {{\n{inside}  }}\n  return\n}}\n"


def _statements(chance: random.Random, when: str) -> str:
    return "".join(_statement(chance, f"%{when}{k}") for k in range(chance.randint(0, 2)))


def _statement(chance: random.Random, name: str) -> str:
    """A number that is stored: one that is loaded, or computed."""
    source, target = chance.choice((("%a", "%b"), ("%b", "%a"), ("%a", "%a")))
    first, second = (chance.choice(("%n", "%n + 1", "7 - %n")).replace("%n", "symbol(%n)") for _ in range(2))
    load = f"  {name} = affine.load {source}[{first}] : memref<8xf32>\n"
    number = load if chance.random() < 0.8 else f"  {name} = arith.addf %x, %x : f32\n"
    return f"{number}  affine.store {name}, {target}[{second}] : memref<8xf32>\n"
