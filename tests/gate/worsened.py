"""Known findings that are made worse, or moved: each is told again, as changed or as new."""

from __future__ import annotations

from tests.gate.known import CALLS, FREED, LOAD, OTHER, PARTLY, RACE, SHAPES


def _edited(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def worse() -> dict[str, tuple[dict[str, str], dict[str, str]]]:
    """By a name, the files before and after of a known finding that is made worse, or moved."""

    def one(before: str, *pairs: tuple[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        return {"a.mlir": before}, {"a.mlir": _edited(before, *pairs)}

    load, wrong = LOAD, OTHER.replace("[8]", "[9]")
    right = OTHER.replace("@g", "@h")
    return {
        "further out of bounds": one(load, ("%i + 1", "%i + 2")),
        "a longer loop": one(load, ("0 to 9", "0 to 12"), ("%n[%i]", "%n[0]")),
        "a smaller buffer": one(wrong, ("memref<9xf32>", "memref<7xf32>")),
        "more elements unwritten": one(PARTLY, ("0 to 5", "0 to 4")),
        "more elements read": one(PARTLY, ("3 to 7", "3 to 9")),
        "other elements read": one(PARTLY, ("%b[6]", "%b[7]")),
        "a race with a write": one(RACE, ("%v = affine.load %m[%i + 1]", "%v = arith.addf %x, %x : f32\n      affine.store %x, %m[%i + 1]")),
        "a race at a distance": one(RACE, ("%i + 1", "%i + 1 - 1 + 1"), ("%m[%i] ", "%m[%i floordiv 2] ")),
        "a race of more iterations": one(RACE, ("%m[%i] ", "%m[0] ")),
        "a larger argument": one(CALLS, ("constant 8", "constant 9")),
        "another called function": one(CALLS, ("call @at", "call @near")),
        "a smaller buffer in the called function": one(CALLS, ("memref<8xf32>", "memref<6xf32>")),
        "freed in a branch": one(
            FREED,
            ("  memref.dealloc %t : memref<1xf32>\n", "  scf.if %c {\n    memref.dealloc %t : memref<1xf32>\n  } else {\n    memref.dealloc %t : memref<1xf32>\n  }\n"),
        ),
        "another shape": one(SHAPES, ("<4xf32>", "<3xf32>")),
        "moved to another function": ({"a.mlir": wrong + right}, {"a.mlir": OTHER + right.replace("[8]", "[9]")}),
        "moved to another file": (
            {"a.mlir": wrong, "b.mlir": right},
            {"a.mlir": OTHER, "b.mlir": right.replace("[8]", "[9]")},
        ),
        "exchanged between functions": (
            {"a.mlir": wrong + right.replace("[8]", "[10]")},
            {"a.mlir": wrong.replace("[9]", "[10]") + right.replace("[8]", "[9]")},
        ),
        "exchanged between buffers": one(
            load,
            ("%w = affine.load %m[%i + 1]", "%w = affine.load %n[%i + 1]"), ("store %w, %n", "store %w, %m"),
        ),
        "a copy of it": ({"a.mlir": wrong}, {"a.mlir": wrong + wrong.replace("@g", "@copy")}),
        "in another function of a new file": (
            {"a.mlir": wrong}, {"a.mlir": OTHER, "b.mlir": wrong.replace("@g", "@k")},
        ),
    }  # fmt: skip
