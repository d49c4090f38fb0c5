"""undefined-elements: what certainly reaches a result, and what only may."""

from __future__ import annotations

import random

import pytest

import volcli

EMPTY = "%e = tensor.empty() : tensor<8xf32>\n"
GENERIC = """
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {{
  ^bb0(%p: f32, %o: f32):
    {}
    linalg.yield %s : f32
  }} -> tensor<8xf32>
"""
FOUR = "%four = tensor.extract_slice %x[0] [4] [1] : tensor<8xf32> to tensor<4xf32>\n"


def found(body: str) -> list[str]:
    text = f"""func.func @f(%x: tensor<8xf32>, %k: i1, %n: index) -> tensor<8xf32> {{
  {EMPTY}{body}
  return %r : tensor<8xf32>
}}"""
    return [
        each.message
        for each in volcli.loads(text).run("undefined-elements").diagnostics
        if each.code == "V205"
    ]


@pytest.mark.parametrize(
    ("body", "elements"),
    [
        ("%r = linalg.add ins(%e, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>", "0 <= d0 <= 7"),
        (GENERIC.format("%s = arith.addf %p, %o : f32"), "0 <= d0 <= 7"),
        (GENERIC.format("%c = arith.cmpf ogt, %o, %p : f32\n %s = arith.select %c, %o, %p : f32"), "0 <= d0 <= 7"),
        (FOUR + "%r = tensor.insert_slice %four into %e[2] [4] [1] : tensor<4xf32> into tensor<8xf32>", "d0 >= 6 or d0 <= 1"),
    ],
)  # fmt: skip
def test_what_reaches_a_result(body: str, elements: str) -> None:
    (message,) = found(body)
    assert "computes a result from uninitialized elements of %e" in message
    assert elements in message


@pytest.mark.parametrize(
    "body",
    [
        GENERIC.format("%s = arith.addf %p, %p : f32"),
        GENERIC.format("%s = arith.select %k, %p, %o : f32"),
        "%r = arith.select %k, %x, %e : tensor<8xf32>",
        "%r = scf.if %k -> tensor<8xf32> { scf.yield %x : tensor<8xf32> } else { scf.yield %e : tensor<8xf32> }",
        # another half each, and one of a size that nobody knows
        FOUR + """%a = tensor.insert_slice %four into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %r = tensor.insert_slice %four into %a[4] [4] [1] : tensor<4xf32> into tensor<8xf32>""",
        """%part = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %r = tensor.insert_slice %part into %e[0] [%n] [1] : tensor<?xf32> into tensor<8xf32>""",
        # it has the elements of another tensor
        "%r = bufferization.alloc_tensor() copy(%x) : tensor<8xf32>",
        # nobody asks for it
        """%y = linalg.add ins(%e, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.cast %x : tensor<8xf32> to tensor<8xf32>""",
    ],
)  # fmt: skip
def test_what_may_not(body: str) -> None:
    assert found(body) == []


# -- what is read one by one -----------------------------------------------------------------------------------

EXTRACTED = """func.func @f(%x: tensor<8xf32>, %m: memref<8xf32>, %y: f32, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<8xf32>
  %four = tensor.extract_slice %x[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %half = tensor.insert_slice %four into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  BODY
  return
}"""
STORED = "affine.store %v, %m[0] : memref<8xf32>"
LOOP = "affine.for %i = 0 to {} {{ %v = tensor.extract %half[%i] : tensor<8xf32> " + STORED + " }}"


def extracted(body: str, text: str = EXTRACTED) -> list[str]:
    run = volcli.loads(text.replace("BODY", body)).run("undefined-elements")
    return [each.message.removeprefix("'tensor.extract' op reads ") for each in run.diagnostics]


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("%v = tensor.extract %e[%n] : tensor<8xf32>", "%e"),
        ("%v = tensor.extract %half[%c7] : tensor<8xf32>", "%half"),
        ("%v = tensor.extract %half[%c1] : tensor<8xf32>", None),
        ("%v = tensor.extract %half[%n] : tensor<8xf32>", None),
        ("%p = tensor.extract_slice %half[3] [2] [1] : tensor<8xf32> to tensor<2xf32> "
         "%v = tensor.extract %p[%c1] : tensor<2xf32>", "%p"),
        ("%p = tensor.extract_slice %half[3] [2] [1] : tensor<8xf32> to tensor<2xf32> "
         "%v = tensor.extract %p[%c0] : tensor<2xf32>", None),
        ("%p = tensor.insert %y into %e[%c1] : tensor<8xf32> %v = tensor.extract %p[%c0] : tensor<8xf32>", "%p"),
        ("%p = tensor.insert %y into %e[%n] : tensor<8xf32> %v = tensor.extract %p[%n] : tensor<8xf32>", None),
        ("%p = tensor.empty(%n) : tensor<?xf32> %v = tensor.extract %p[%c0] : tensor<?xf32>", "%p"),
        (LOOP.format("5"), "%half at %i = 4"),
        (LOOP.format("4"), None),
        (LOOP.format("%n"), None),
        (f"scf.if %c {{ %v = tensor.extract %half[%c7] : tensor<8xf32> {STORED} }}", "%half for %c = 1"),
        ("%p = arith.select %c, %e, %x : tensor<8xf32> %v = tensor.extract %p[%c1] : tensor<8xf32>", None),
        ("%p = linalg.fill ins(%y : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32> "
         "%v = tensor.extract %p[%c1] : tensor<8xf32>", None),
        ("%p = bufferization.alloc_tensor() copy(%x) : tensor<8xf32> "
         "%v = tensor.extract %p[%c1] : tensor<8xf32>", None),
    ],
)  # fmt: skip
def test_elements_that_are_read_one_by_one(body: str, message: str | None) -> None:
    assert extracted(body) == ([] if message is None else [f"an uninitialized element of {message}"])


class Slices:
    """A random chain of slices of a tensor, of which it is counted which elements are initialized."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.lines: list[str] = []
        self.known = [False] * 8
        self.name = "%e"

    def grow(self, number: int) -> None:
        """Insert a part, or an element, or go on with a part."""
        name, old = f"%t{number}", f"tensor<{len(self.known)}xf32>"
        first = self.chance.randrange(len(self.known))
        size = self.chance.randint(1, len(self.known) - first)
        part = f"tensor<{size}xf32>"
        match self.chance.randrange(3):
            case 0:
                self.lines.append(
                    f"%s{number} = tensor.extract_slice %x[0] [{size}] [1] : tensor<8xf32> to {part}"
                )
                at = f"[{first}] [{size}] [1] : {part} into {old}"
                self.lines.append(f"{name} = tensor.insert_slice %s{number} into {self.name}{at}")
                self.known[first : first + size] = [True] * size
            case 1:
                self.lines.append(f"%k{number} = arith.constant {first} : index")
                self.lines.append(f"{name} = tensor.insert %y into {self.name}[%k{number}] : {old}")
                self.known[first] = True
            case _:
                at = f"[{first}] [{size}] [1] : {old} to {part}"
                self.lines.append(f"{name} = tensor.extract_slice {self.name}{at}")
                self.known = self.known[first : first + size]
        self.name = name

    def read(self) -> str:
        """A loop that reads the first elements, and how many these are."""
        self.count = self.chance.randint(1, len(self.known))
        extract = f"%v = tensor.extract {self.name}[%i] : tensor<{len(self.known)}xf32>"
        return f"affine.for %i = 0 to {self.count} {{ {extract} {STORED} }}"


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(12))
def test_slices_of_slices_leave_what_they_leave_uninitialized(seed: int) -> None:
    slices = Slices(seed)
    for number in range(slices.chance.randint(1, 5)):
        slices.grow(number)
    body = "\n".join([*slices.lines, slices.read()])
    missing = [k for k, is_known in enumerate(slices.known[: slices.count]) if not is_known]
    expected = [f"an uninitialized element of {slices.name} at %i = {missing[0]}"] if missing else []
    if missing and not any(slices.known):
        expected = [f"an uninitialized element of {slices.name}"]
    assert extracted(body) == expected, body
