"""Constants of any size are carried: nobody decodes what nobody asks for. (How long it takes: `make bench`.)"""

from __future__ import annotations

import pytest
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr

from volcli.frontend.parse.constants.blob import BlobElementsAttr, blob
from volcli.frontend.parse.constants.carried import CarriedAttr
from volcli.frontend.parse.constants.splat import SplatElementsAttr
from volcli.frontend.text.source import Source
from volcli.loading.driver import load_source

PASSES = "infer-shapes,element-maps{of=all},sparsity-regions{of=all}"

BYTES = "0x" + "0001020304050607" * 1000
RESOURCE = f"""
{{-#
  dialect_resources: {{
    builtin: {{
      weights: "0x04000000{"0000803F" * 2000}"
    }}
  }}
#-}}
"""


def program(constant: str, type_: str) -> str:
    return f"func.func @f() -> {type_} {{\n  %c = arith.constant {constant} : {type_}\n  return %c : {type_}\n}}\n"


def constant_of(text: str) -> object:
    (op,) = (op for op in load_source(Source("t.mlir", text), via="xdsl").units[0].parsed.module.walk()
             if isinstance(op, ConstantOp))  # fmt: skip
    return op.value


@pytest.fixture
def no_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail whoever asks for all elements of a constant."""

    def refuse(*_: object) -> None:
        raise AssertionError("a constant was decoded")

    for kind in (BlobElementsAttr, SplatElementsAttr, DenseIntOrFPElementsAttr):
        for name in ("get_values", "get_attrs", "iter_attrs"):
            monkeypatch.setattr(kind, name, refuse)
    monkeypatch.setattr(BlobElementsAttr, "data", property(refuse))


CONSTANTS = [
    ("dense<0>", "tensor<100x64x220x220xi32>", SplatElementsAttr),
    (f'dense<"{BYTES}">', "tensor<2000xf32>", BlobElementsAttr),
    ("sparse<[[0, 0], [7, 7]], [1.0, 2.0]>", "tensor<9x9xf32>", CarriedAttr),
]


@pytest.mark.parametrize(("constant", "type_", "kind"), CONSTANTS, ids=["splat", "bytes", "sparse"])
def test_a_constant_is_carried(constant: str, type_: str, kind: type) -> None:
    assert isinstance(constant_of(program(constant, type_)), kind)


@pytest.mark.parametrize(("constant", "type_", "kind"), CONSTANTS, ids=["splat", "bytes", "sparse"])
@pytest.mark.usefixtures("no_elements")
@pytest.mark.parametrize("reprint", [False, True])
def test_reading_and_printing_decode_nothing(constant: str, type_: str, kind: type, reprint: bool) -> None:
    text = load_source(Source("t.mlir", program(constant, type_)), via="xdsl").text(reprint=reprint)
    assert constant in text


@pytest.mark.usefixtures("no_elements")
@pytest.mark.parametrize("reprint", [False, True])
def test_shapes_and_maps_decode_nothing(reprint: bool) -> None:
    source = Source("t.mlir", program(f'dense<"{BYTES}">', "tensor<2000xf32>"))
    read = load_source(source, via="xdsl").run("infer-shapes,element-maps{of=all}")
    assert read.exit_code == 0
    assert f'dense<"{BYTES}">' in read.text(reprint=reprint)


@pytest.mark.parametrize("reprint", [False, True])
def test_resources_are_carried_with_their_section(reprint: bool) -> None:
    text = program("dense_resource<weights>", "tensor<2000xf32>") + RESOURCE
    again = load_source(Source("t.mlir", text), via="xdsl").run(PASSES).text(reprint=reprint)
    assert "dense_resource<weights> : tensor<2000xf32>" in again
    assert RESOURCE in again


def test_a_part_of_a_text_is_the_same_constant() -> None:
    type_ = constant_of(program(f'dense<"{BYTES}">', "tensor<2000xf32>"))
    assert isinstance(type_, BlobElementsAttr)
    quoted = blob(f'"{BYTES}"', type_.type, 1, len(BYTES) + 1)
    assert isinstance(quoted, BlobElementsAttr)
    assert quoted.digits == BYTES[2:]
    assert isinstance(quoted.data, BytesAttr)
    assert quoted.data.data == bytes.fromhex(BYTES[2:])
    with pytest.raises(ValueError, match="two hexadecimal digits"):
        blob(f'"{BYTES}"', type_.type, 1, len(BYTES))
