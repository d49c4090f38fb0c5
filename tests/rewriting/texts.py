"""The texts that random programs for rewrites are made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """The text of @f, and the sizes of the `?` of its arguments in their order."""

    text: str
    sizes: tuple[int, ...] = ()


def zero(kind: str) -> str:
    return f"%zero = arith.constant {'0.0' if kind.startswith('f') else '0'} : {kind}"


def function(arguments: list[str], result: str, lines: list[str]) -> str:
    """@f, which returns %y of type RESULT."""
    body = "\n".join(f"  {line}" for line in [*lines, f"return %y : {result}"])
    return f"func.func @f({', '.join(arguments)}) -> {result} {{\n{body}\n}}\n"


def filled(name: str, kind: str) -> list[str]:
    element = kind.removesuffix(">").rpartition("x")[2]
    return [
        f"%{name}_e = tensor.empty() : {kind}",
        f"%{name} = linalg.fill ins(%zero : {element}) outs(%{name}_e : {kind}) -> {kind}",
    ]


def padded(name: str, source: str, kind: str, low: list[int], high: list[int], result: str) -> list[str]:
    indices = ", ".join(f"%p{d}: index" for d in range(len(low)))
    element = kind.removesuffix(">").rpartition("x")[2]
    return [
        f"%{name} = tensor.pad %{source} low{low} high{high} {{",
        f"^bb0({indices}):",
        f"tensor.yield %zero : {element}",
        f"}} : {kind} to {result}",
    ]


def tensor(*sizes: object) -> str:
    return f"tensor<{'x'.join(map(str, sizes))}>"
