"""Random programs: for hypothesis, which shrinks them, and from a seed for the long campaign."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from tests.oracles.elements.builder import Builder, Chooser, RandomChooser
from tests.oracles.elements.draw_linalg import LINALG_OPS
from tests.oracles.elements.draw_tensors import TENSOR_OPS, Draw, concat, insert_slice, pad
from tests.oracles.elements.programs import Program

# Where boundaries arise: what most programs begin with.
OPENINGS: tuple[Draw, ...] = (pad, pad, pad, insert_slice, concat)
OPS: tuple[Draw, ...] = tuple(draw for weight, draw in (*TENSOR_OPS, *LINALG_OPS) for _ in range(weight))


def draw_program(chooser: Chooser) -> Program:
    """A program of 2 to 7 operations on one or two arguments (and more where an operation needs one)."""
    b = Builder(chooser, element="i32" if chooser.integer(0, 9) == 9 else "f32")
    for _ in range(b.integer(1, 2)):
        b.argument(b.shape(b.integer(0, 4), 120))
    wanted = b.integer(2, 7)
    opening = b.chance(65)
    for _ in range(4 * wanted):
        if wanted == 0:
            break
        node = b.pick(OPENINGS if opening else OPS)(b)
        opening = False
        if node is not None:
            b.used |= {access.value.name for layer in node.layers() for access in layer.accesses()}
            b.add(node)
            wanted -= 1
    if not b.nodes:
        b.constant(0)
    return b.finish()


def seeded(seed: int) -> Program:
    """The program of SEED."""
    return draw_program(RandomChooser(seed))


class _Drawn:
    """Choices from hypothesis."""

    def __init__(self, draw: Callable[[st.SearchStrategy[int]], int]) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Random programs."""
    return draw_program(_Drawn(draw))
