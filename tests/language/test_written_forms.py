"""Linear forms as options write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import volcli
from volcli.language.written_forms import NotLinear, WrittenForm


@pytest.mark.parametrize(
    ("text", "terms", "constant"),
    [
        ("i", {"%i": 1}, 0),
        ("-i", {"%i": -1}, 0),
        (" + i - 2 ", {"%i": 1}, -2),
        ("2i", {"%i": 2}, 0),
        ("2 * i", {"%i": 2}, 0),
        ("i*2", {"%i": 2}, 0),
        ("i + i + 1 + 1", {"%i": 2}, 2),
        ("0*j + i", {"%i": 1}, 0),
        ("%0 - 3*%1", {"%0": 1, "%1": -3}, 0),
        ("2%0", {"%0": 2}, 0),
        ("a$b.c_1 + %a$b.c_1", {"%a$b.c_1": 2}, 0),
    ],
)
def test_what_is_read(text: str, terms: dict[str, int], constant: int) -> None:
    form = WrittenForm.parse(text)
    assert (form.factors, form.constant) == (terms, constant)


@pytest.mark.parametrize(
    "text",
    ["", "  ", "2", "i - i", "i j", "2 3", "2*3*i", "2*i*3", "i*j", "i**2", "i +", "+", "i & j", "%", "i|j"],
)
def test_what_is_no_linear_form(text: str) -> None:
    with pytest.raises(NotLinear):
        WrittenForm.parse(text)


@given(
    st.dictionaries(st.sampled_from(["%i", "%j", "%0", "%x_1"]), st.integers(-9, 9).filter(bool), min_size=1),
    st.integers(-9, 9),
)
def test_what_is_written_is_read_again(terms: dict[str, int], constant: int) -> None:
    form = WrittenForm(tuple(terms.items()), constant)
    assert WrittenForm.parse(str(form)) == form


NUMBERED = """
func.func @f(%arg0: memref<32xf32>, %n: index, %b: index) {
  affine.for %0 = 1 to 32 {
    %1 = affine.load %arg0[%0 - 1] : memref<32xf32>
    affine.store %1, %arg0[%0] : memref<32xf32>
  }
  return
}
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("tile", ["%0: 8", "-1%0: 8", "2*%0: 16"])
def test_loops_without_names_are_tiled(tile: str) -> None:
    """By the grammar of one option as by that of the other."""
    program = volcli.load(NUMBERED)
    program.run(f"mars{{tile='{tile}' assume-noalias-args}}")
    assert [fact.question for fact in program.facts]
    program.run(f"tile-symbolic{{sizes=%b hyperplanes='{tile.partition(':')[0].removeprefix('-1')}'}}")
    assert "scf.for" in program.text()
