"""Views of a function: one for each thing that is known of its sizes, whatever is asserted."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.function import FunctionModel

TEXT = """
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>, %c: i1, %d: i1) -> tensor<?xf32> {{
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %m = tensor.dim %y, %zero : tensor<?xf32>
  %four = arith.constant 4 : index
  %same = arith.cmpi eq, %n, %m : index
  %is_four = arith.cmpi eq, %n, %four : index
  %a = linalg.copy ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  cf.assert {first}, "first"
  %b = linalg.copy ins(%a : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  cf.assert {second}, "second"
  %r = linalg.copy ins(%b : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}}
"""


@pytest.mark.parametrize(
    ("first", "second", "views"),
    [
        ("%c", "%d", 1),
        ("%c", "%same", 2),
        ("%same", "%c", 2),
        ("%same", "%same", 2),
        ("%same", "%is_four", 3),
    ],
)
def test_there_is_a_view_for_what_is_known(first: str, second: str, views: int) -> None:
    function = volcli.loads(TEXT.format(first=first, second=second)).function("f")
    (model,) = function.unit.models()
    assert isinstance(model, FunctionModel)
    found = {id(model.view(value)) for value in model.values() if value.name_hint in ("a", "b", "r")}
    assert len(found) == views
    assert len(model.views) == views


def test_what_is_asserted_later_is_not_known_before() -> None:
    program = volcli.loads(TEXT.format(first="%c", second="%is_four")).run("infer-shapes,volumes{of=all}")
    volumes = {
        fact.subject: str(fact.to_json()["domain"]) for fact in program.facts if fact.question == "volumes"
    }
    assert "4" not in volumes["%a"] + volumes["%b"]
    assert "<= 3" in volumes["%r"] or "x_d0 = 4" in volumes["%r"]
