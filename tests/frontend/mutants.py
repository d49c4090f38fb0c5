"""Broken programs: texts that are almost MLIR, for whoever has to survive them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

from tests.oracles.elements.strategies import seeded

ROOT = Path(__file__).parents[2]
GENERATED = 60  # programs of the oracle's generator among the seeds
LONGEST = 6_000  # bytes of a seed: longer files are taken apart into their functions

_TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|[%@#!^]?[\w$.-]+|->|\s+|.', re.DOTALL)
_NUMBER = re.compile(rb"(?<![\w%#@^.])[0-9]+")
_CHUNK = re.compile(rb"^// -----.*\n", re.MULTILINE)
_FUNCTION = re.compile(rb"^(?=func\.func\b)", re.MULTILINE)

NUMBERS = (
    b"0", b"-1", b"1", b"2", b"3", b"255", b"65536", b"2147483648", b"9223372036854775807",
    b"9223372036854775808", b"18446744073709551616", b"1" + b"0" * 40, b"9" * 5000, b"1e400", b"1.5",
    b"0x7FF8000000000001", b"0xFF", b"?", b"*", b"0x", b"-9223372036854775808",
)  # fmt: skip
WORDS = (
    b"(", b")", b"{", b"}", b"[", b"]", b"<", b">", b",", b":", b"=", b"->", b"-", b"\"", b"//", b"%0", b"%",
    b"#a", b"!t", b"^bb0", b"@f", b"?", b"*", b"x", b"i32", b"f32", b"i0", b"i99999999", b"index", b"none",
    b"tensor<", b"tensor<?xf32>", b"tensor<*xf32>", b"tensor<0xf32>", b"tensor<f32>", b"memref<?xf32>",
    b"vector<[4]xf32>", b"complex<f32>", b"tuple<>", b"dense<", b"dense<[]>", b"sparse<", b"array<i64: 1>",
    b"affine_map<", b"affine_map<(d0)[s0] -> (d0 mod s0)>", b"affine_map<() -> ()>", b"affine_set<(d0) : (d0 == 0)>",
    b"loc(unknown)", b"loc(", b"unit", b"true", b"strided<[1], offset: ?>", b"{-#", b"#-}", b"module", b"func.func",
    b"return", b"\"t.a\"()", b"\x00", b"\xff", b"\xe2\x80\xa8", b"\xf0\x9f\x98\x80", b"\r", b"\x0c",
)  # fmt: skip
NESTINGS = (
    (b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"<", b">"), (b"tuple<", b">"), (b"tensor<2x", b">"),
    (b"vector<2x", b">"), (b"complex<", b">"), (b"{a = ", b"}"), (b"affine_map<(d0) -> (", b")>"),
    (b"(d0 + ", b")"), (b"-(", b")"), (b"loc(fused[", b"])"), (b"() -> (", b")"), (b"dense<[", b"]>"),
    (b"module {\n", b"}\n"), (b"func.func @f() {\n", b"}\n"), (b'"t.a"() ({\n', b"}) : () -> ()\n"),
    (b"scf.execute_region {\n", b"scf.yield\n}\n"), (b"t.a {\n", b"}\n"), (b"!t.a<", b">"), (b"#t.a<", b">"),
)  # fmt: skip
DEPTHS = (2, 8, 40, 200, 1_000, 10_000)


def seeds(seed: int) -> list[bytes]:
    """Correct programs: the project's own, in pieces of moderate size, and generated ones."""
    paths = [*sorted(ROOT.glob("testdata/**/*.mlir")), *sorted(ROOT.glob("tests/dialects/units/*.mlir"))]
    pieces: list[bytes] = []
    for path in paths:
        for chunk in _CHUNK.split(path.read_bytes()):
            pieces += [chunk] if len(chunk) <= LONGEST else _functions(chunk)
    generated = [seeded(seed + index).mlir().encode() for index in range(GENERATED)]
    return [*(piece for piece in pieces if piece.strip()), *generated]


def _functions(chunk: bytes) -> list[bytes]:
    """The functions of CHUNK, each behind what stands before the first: the aliases."""
    aliases, *functions = _FUNCTION.split(chunk)
    return [aliases + function for function in functions] or [chunk]


Mutation = Callable[[random.Random, bytes, list[bytes]], bytes]


def flip_bytes(chance: random.Random, data: bytes, pool: list[bytes]) -> bytes:
    """Other bytes in up to four places."""
    mutated = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        if mutated:
            mutated[chance.randrange(len(mutated))] = chance.randrange(256)
    return bytes(mutated)


def change_tokens(chance: random.Random, data: bytes, pool: list[bytes]) -> bytes:
    """Up to three tokens deleted, doubled, swapped with others of this or another program, or replaced."""
    tokens = _TOKEN.findall(data)
    for _ in range(chance.randint(1, 3) if tokens else 0):
        at, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        match chance.randrange(6):
            case 0:
                tokens[at] = b""
            case 1:
                tokens[at] += b" " + tokens[at]
            case 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens[at] = chance.choice(_TOKEN.findall(chance.choice(pool)))
            case 4:
                tokens[at] = chance.choice(WORDS)
            case _:
                tokens[at] += b" " + chance.choice(WORDS)
    return b"".join(tokens)


def change_lines(chance: random.Random, data: bytes, pool: list[bytes]) -> bytes:
    """A line deleted, doubled, or moved."""
    lines = data.splitlines(keepends=True) or [b""]
    line = lines[chance.randrange(len(lines))]
    if chance.random() < 0.7:
        lines.remove(line)
    if chance.random() < 0.7:
        lines.insert(chance.randint(0, len(lines)), line)
    return b"".join(lines)


def change_numbers(chance: random.Random, data: bytes, pool: list[bytes]) -> bytes:
    """Some numbers, sizes in types among them, become extreme or merely wrong."""
    places = list(_NUMBER.finditer(data))
    sizes = list(re.finditer(rb"(?<=[<x])[0-9]+(?=x)", data))
    for match in sorted(chance.sample(places + sizes, min(len(places + sizes), chance.randint(1, 2))),
                        key=lambda found: -found.start()):  # fmt: skip
        data = data[: match.start()] + chance.choice(NUMBERS) + data[match.end() :]
    return data


def cut(chance: random.Random, data: bytes, pool: list[bytes]) -> bytes:
    """The text up to somewhere."""
    return data[: chance.randint(0, len(data))]


def splice(chance: random.Random, data: bytes, pool: list[bytes]) -> bytes:
    """The beginning of one program and the end of another, or a piece of it in the middle."""
    other = chance.choice(pool)
    at, first = chance.randint(0, len(data)), chance.randint(0, len(other))
    if chance.random() < 0.5:
        return data[:at] + other[first:]
    return data[:at] + other[first : first + chance.randint(1, 200)] + data[at:]


def nest(chance: random.Random, data: bytes, pool: list[bytes]) -> bytes:
    """Something nested in front of a token, around it, or never closed."""
    tokens = _TOKEN.findall(data) or [b""]
    at = chance.randrange(len(tokens))
    (opening, closing), depth = chance.choice(NESTINGS), chance.choice(DEPTHS)
    inside = chance.choice((tokens[at], b"", b"1", b"d0", b"i32"))
    closed = chance.choice((depth, depth, depth, depth - 1, 0))
    tokens[at] = opening * depth + inside + closing * closed
    return b"".join(tokens)


MUTATIONS: tuple[tuple[Mutation, int], ...] = (
    (change_tokens, 8), (change_numbers, 4), (change_lines, 3), (splice, 2), (flip_bytes, 2), (nest, 2), (cut, 1),
)  # fmt: skip


def mutant(index: int, pool: list[bytes]) -> bytes:
    """The INDEXth broken program made of POOL."""
    chance = random.Random(index)
    data = chance.choice(pool)
    names, weights = zip(*MUTATIONS, strict=True)
    for mutate in chance.choices(names, weights, k=chance.choice((1, 1, 1, 2, 2, 3, 5))):
        data = mutate(chance, data, pool)
    return data
