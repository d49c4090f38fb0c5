"""A generator of programs with findings, each with the text that its fixes make of it."""

from __future__ import annotations

import random
from dataclasses import replace

from tests.gate.fixes.programs import Fixable, marked


def _dead_store(number: int, draw: random.Random) -> tuple[list[str], str]:
    place = f"%m[{number}] : memref<64xf32>"
    lines = [f"-%d{number} = arith.constant {number}.5 : f32", f"-affine.store %d{number}, {place}"]
    if draw.random() < 0.3:
        lines[1:] = [f"-affine.store %d{number},", f"-    %m[{number}]", "-  : memref<64xf32>"]
    if note := draw.choice(["", "  // note", " // {"]):
        lines[-1] += note
        lines.append(f"+{note.strip()}")
    return [*lines, f" affine.store %x, {place}"], "V206"


def _dead_loop(number: int, draw: random.Random) -> tuple[list[str], str]:
    name, low = f"%i{number}", draw.randrange(4)
    head = draw.choice(
        [f"affine.for {name} = {low} to {low}", f"affine.parallel ({name}) = ({low}) to ({low})"]
    )
    return [f"-{head} {{", f"-  affine.store %x, %m[{name}] : memref<64xf32>", "-}"], "V210"


def _dead_branch(number: int, draw: random.Random) -> tuple[list[str], str]:
    limit, test = f"%c{number}", f"%b{number}"
    head = [f"-{limit} = arith.constant 8 : index", f"-{test} = arith.cmpi uge, %at, {limit} : index"]
    dead = [f"-scf.if {test} {{", f"-  affine.store %x, %m[{draw.randrange(8)}] : memref<64xf32>"]
    if draw.random() < 0.5:
        return [*head, *dead, "-}"], "V210"
    kept = f"affine.store %y, %m[{number}] : memref<64xf32>"
    return [*head, *dead, "-} else {", f"-  {kept}", "-}", f"+{kept}"], "V210"


def _unused_comment(number: int, draw: random.Random) -> tuple[list[str], str]:
    value = f"%v{number} = affine.load %m[{draw.randrange(8)}] : memref<64xf32>"
    use = f" affine.store %v{number}, %m[{16 + number}] : memref<64xf32>"
    if draw.random() < 0.5:
        return ["-// volcli: ignore V203: never", f" {value}", use], "V223"
    return [f"-{value} // volcli: ignore V203", f"+{value}", use], "V223"


def _stated(number: int, draw: random.Random) -> list[str]:
    """A function that needs something of its arguments, and another one that passes it."""
    size, name, more = draw.randint(1, 9), f"@needs{number}", draw.randint(0, 3)
    old, rest = draw.choice([("", ""), (" {foo.n}", ", foo.n"), (" {}", "")])
    of_size = f" {{volcli.assume = affine_set<(d0) : (d0 - {size} >= 0)>}}"
    of_number = f" {{volcli.assume = affine_set<(d0) : (d0 >= 0, -d0 + 15 >= 0)>{rest}}}"
    head = f"func.func {name}(%t: memref<?xf32>{{}}, %k: index{{}}, %b: memref<16xf32>) {{{{"
    return [
        "-" + head.format("", old),
        "+" + head.format(of_size, of_number),
        f"   %v = affine.load %t[{size - 1}] : memref<?xf32>",
        "   memref.store %v, %b[%k] : memref<16xf32>",
        "   return",
        " }",
        f" func.func @calls{number}(%a: memref<{size + more}xf32>, %b: memref<16xf32>) {{",
        f"   %t = memref.cast %a : memref<{size + more}xf32> to memref<?xf32>",
        f"   %k = arith.constant {draw.randrange(16)} : index",
        f"   call {name}(%t, %k, %b) : (memref<?xf32>, index, memref<16xf32>) -> ()",
        "   return",
        " }",
    ]


_KINDS = (_dead_store, _dead_loop, _dead_branch, _unused_comment)


def random_program(seed: int) -> Fixable:
    """A loop with some findings that can be fixed, with the line endings of Unix or of Windows."""
    draw = random.Random(seed)
    lines: list[str] = []
    codes: list[str] = []
    for number in range(draw.randint(2, 6)):
        found, code = draw.choice(_KINDS)(number, draw)
        lines += [f"{each[0]}    {each[1:]}" for each in found]
        codes.append(code)
        if draw.random() < 0.5:
            lines.append(f"     affine.store %y, %m[{32 + number}] : memref<64xf32>")
    head = [
        " func.func @f(%m: memref<64xf32>, %x: f32, %y: f32) {",
        "   affine.for %at = 0 to 8 {",
    ]
    lines = [*head, *lines, "   }", "   return", " }"]
    for number in range(draw.choice([0, 0, 1, 2])):
        lines += _stated(number, draw)
        codes.append("V204")
    made = marked(f"seed {seed}", " ".join(codes), "\n".join(lines))
    ending = draw.choice(["\n", "\r\n"])
    return replace(made, before=made.before.replace("\n", ending), after=made.after.replace("\n", ending))
