"""One bad top-level operation costs itself; nothing in a text raises."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation
from xdsl.parser import Parser

from volcli.diagnostics import UsageError
from volcli.frontend.parse.context import make_context
from volcli.frontend.parse.parser import ParsedModule, parse
from volcli.frontend.parse.reader import LocatingParser
from volcli.frontend.parse.recovery import end_of_operation
from volcli.frontend.print.printer import print_module
from volcli.frontend.text.source import Source, read_source
from volcli.frontend.unread import UnreadOperation

Read = Callable[..., ParsedModule]

ROOT = Path(__file__).parents[2]


def summary(parsed: ParsedModule) -> list[str]:
    """What is in the module, in order: functions by name, unread text as ?."""
    found: list[str] = []
    for op in parsed.module.walk():
        match op:
            case FuncOp():
                found.append(op.sym_name.data)
            case UnreadOperation():
                found.append("?")
            case ModuleOp():
                pass
            case Operation(parent=block) if block is not None and isinstance(block.parent_op(), ModuleOp):
                found.append(str(op.attributes.get("op_name__", op.name)).strip('"'))
            case _:
                pass
    return found


def found(parsed: ParsedModule) -> list[str]:
    return [f"{d.place.line}:{d.place.column} {d.code}" for d in parsed.diagnostics if d.place is not None]


def function(name: str, body: str = "") -> str:
    return f"func.func @{name}() {{{body}\n  return\n}}\n"


A, C = function("a"), function("c")
A1, C1 = "func.func @a() { return } ", "func.func @c() { return }"
CONSTANT = "\n  %0 = arith.constant 1.0 : f32"


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("text", "read_ops", "diagnostics"),
    [
        # Syntax errors.
        (A + function("b", "\n  oops") + C, "a ? c", ["5:3 V103"]),
        (A + function("b", '\n  "t.a"(%y, %z) : (i32, i32) -> ()') + C, "a ? c", ["5:9 V103"]),
        (A + function("b", "\n  cf.br ^nowhere\n^bb1:") + C, "a ? c", ["5:9 V103"]),
        (A + function("b", "\n  mystery.op [%x) : <") + C, "a ? c", ["5:3 V104"]),
        (A + function("b", '\n  "t.a"() {s = "not closed} : () -> ()') + C, "a ? c", ["5:16 V103"]),
        (A + function("b", "\n  @@") + C, "a ? c", ["5:3 V103"]),
        # In one line.
        (A1 + "func.func @b() { oops } " + C1, "a ? c", ["1:44 V103"]),
        # Braces that do not balance.
        (A + "func.func @b() {\n  return\n" + C, "a ? c", ["5:9 V103"]),
        (A + 'func.func @b() {\n  "t.x"() ({ : () -> ()\n  return\n' + C, "a ? c", ["5:13 V103"]),
        (A + 'func.func @b() {\n  "t.x"( : () -> ()\n  return\n}\n' + C, "a ? c", ["5:9 V103"]),
        ("func.func @a() { return func.func @c() { return }", "? c", ["1:24 V103"]),
        (A + "}\n" + C, "a ? c", ["3:2 V103"]),
        (A + "func.func @b() {\n  return\n", "a ?", ["5:9 V103"]),
        (f"module {{\n{A}func.func @b() {{\n  return\n{C}}}\n", "a ? c", ["6:9 V103"]),
        (f"module {{\n{A}{C}", "a c", ["8:1 V103"]),
        (f"module {{\n{A}}}\n}}\n{C}", "a ? c", ["5:2 V103"]),
        (f'"builtin.module"() ({{\n{A} oops\n{C}}}) : () -> ()', "a ? c", ["5:2 V103"]),
        (f"module {{ module {{\n{A} oops\n }}\n{C}}}", "a ? c", ["5:2 V103"]),
        # Text around operations.
        ("hello world\n" + A, "? a", ["1:1 V103"]),
        ("\ufeff" + A, "? a", ["1:1 V103"]),
        (A + "\u2028\u2028 $$$\n" + C, "a ? c", ["4:1 V103"]),
        (f"module {{\n {{ }}\n{A}}}", "? a", ["1:9 V103"]),
        (A + "{-# dialect_resources: {", "a", ["4:1 V103"]),
        # Values outside functions.
        ('%0 = "t.x"() : () -> i32\n"t.a"(%0, %1) : (i32, i32) -> ()\n' + A, "t.x ? a", ["2:11 V103"]),
        (
            '%0 = mystery.x 1)\n%1 = "t.a"(%0) : (i32) -> i32\n"t.b"(%1) : (i32) -> ()\n' + A,
            "? ? ? a",
            ["1:6 V104", "2:12 V103"],
        ),
        ('%0 = "t.a"() : () -> i32\n"t.b"(%0) ({ oops }) : (i32) -> ()\n' + A, "t.a ? a", ["2:14 V103"]),
        # Invalid IR, and exceptions that xDSL leaks.
        (A + function("b", CONSTANT + "\n  %1 = arith.sitofp %0 : f32 to i32") + C, "a ? c", ["6:8 V110"]),
        (A + function("b", f"\n  %0 = arith.constant {'9' * 5000} : i32") + C, "a ? c", ["5:5024 V103"]),
        (A + '"t.a"() {m = affine_map<(d0, d1) -> (d0 * d1)>} : () -> ()\n' + C, "a ? c", None),
        # Nothing.
        ("", "", ["1:1 V107"]),
        ("// nothing\n#a = 1 : i32\n", "", ["1:1 V107"]),
    ],
)  # fmt: skip
def test_the_rest_is_read(read: Read, text: str, read_ops: str, diagnostics: list[str] | None) -> None:
    parsed = read(text)
    assert summary(parsed) == read_ops.split()
    if diagnostics is not None:
        assert found(parsed) == diagnostics
    for op in parsed.unread:
        assert op.text == text[op.first : op.last]
        assert op.reason in parsed.diagnostics
        assert op.text in print_module(parsed)


def test_what_is_known_of_an_unread_operation(read: Read) -> None:
    (op,) = read(A + "// about b\nfunc.func private @b(%x: ??) {\n  return\n} // end\n\n" + C).unread
    assert (op.op_name, op.symbol, op.name) == ("func.func", "@b", "func.func @b")
    assert (op.place.line, op.place.column) == (5, 1)
    assert op.text.startswith("func.func private @b")
    assert op.text.endswith("}")
    assert op.reason.code == "V103"


def test_values_outside_forget_the_uses_of_what_was_not_read(read: Read) -> None:
    parsed = read('%0 = "t.a"() : () -> i32\n"t.b"(%0) ({ "t.c"(%0) : (i32) -> () oops }) : (i32) -> ()\n')
    op = parsed.module.body.block.first_op
    assert op is not None
    assert not tuple(op.results[0].uses)


def test_isolated_regions_have_their_own_names(read: Read) -> None:
    assert not read(
        '%0 = "t.a"() : () -> i32\nfunc.func @f() { %0 = "t.b"() : () -> i32 return }'
    ).diagnostics
    parsed = read('%0 = "t.a"() : () -> i32\nfunc.func @f() { "t.b"(%0) : (i32) -> () return }')
    assert [d.message for d in parsed.diagnostics] == ["%0 is used but never defined"]


LEAKS = [AssertionError(), IndexError("list index"), KeyError("k"), ValueError("v"), NotImplementedError()]


@pytest.mark.parametrize("error", LEAKS)
def test_leaked_exceptions_have_a_place(
    read: Read, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def leak(_: type[FuncOp], parser: Parser) -> Operation:
        parser.parse_symbol_name()
        raise error

    monkeypatch.setattr(FuncOp, "parse", classmethod(leak))
    parsed = read('"t.a"() : () -> ()\n  func.func @f(')
    (diagnostic,) = parsed.diagnostics
    assert (diagnostic.code, str(diagnostic.place)) == ("V103", "t.mlir:2:15")
    assert "'func.func' cannot be read" in diagnostic.message


OWN_FAULTS = [
    ImportError("no module"), ModuleNotFoundError("no module"), NameError("x"), AttributeError("a"), TypeError("t"),
    MemoryError(),
]  # fmt: skip


@pytest.mark.parametrize("error", OWN_FAULTS, ids=lambda error: type(error).__name__)
def test_a_bug_in_a_dialect_is_no_syntax_error(
    read: Read, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(_: type[FuncOp], parser: Parser) -> Operation:
        parser.parse_symbol_name()
        raise error

    monkeypatch.setattr(FuncOp, "parse", classmethod(fail))
    parsed = read('"t.a"() : () -> ()\n  func.func @f(')
    (diagnostic,) = parsed.diagnostics
    assert (diagnostic.code, str(diagnostic.place)) == ("V900", "t.mlir:2:3")
    assert diagnostic.message.startswith(f"'func.func' cannot be read: {type(error).__name__}")
    assert diagnostic.exit_code == 2


@pytest.mark.parametrize(
    "error", [ImportError("no module"), TypeError("t")], ids=["ImportError", "TypeError"]
)
def test_a_bug_inside_an_opaque_operation_is_said_too(
    read: Read, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(_: type[FuncOp], parser: Parser) -> Operation:
        raise error

    monkeypatch.setattr(ReturnOp, "parse", classmethod(fail))
    assert found(read("func.func @f() {\n  t.a {\n    func.return\n  }\n}\n")) == ["3:5 V900"]


def test_a_wrong_argument_in_a_dialect_is_no_syntax_error(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: type[FuncOp], parser: Parser) -> Operation:
        functools.reduce(parser.parse_symbol_name, [1, 2])  # called by Python's own library
        raise AssertionError

    monkeypatch.setattr(FuncOp, "parse", classmethod(fail))
    assert found(read("func.func @f(")) == ["1:1 V900"]


def test_what_xdsl_makes_of_a_bad_text_is_a_syntax_error(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    def leak(_: type[FuncOp], parser: Parser) -> Operation:
        return ModuleOp.parse(None)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(FuncOp, "parse", classmethod(leak))
    (diagnostic,) = read("func.func @f(").diagnostics
    assert diagnostic.code == "V103"
    assert "AttributeError: 'NoneType'" in diagnostic.message


@pytest.mark.parametrize(
    ("text", "name", "rest"),
    [
        ("func.func @a()\nfunc.func @b()", "func.func", "func.func @b()"),
        ('"x.y"() ({ } }) : () -> ()\n"x.z"()', "x.y", '}) : () -> ()\n"x.z"()'),
        ("%0:2, %1 =\n  x.y {\n} %2 = x.z", "x.y", "%2 = x.z"),
        ("%0 = x.y {\n}\n%2 = x.z", "x.y", "%2 = x.z"),
        ("func.func @a() { // }\n \"}\" }\nmodule {}", "func.func", "module {}"),
        ("func.func @a() { [( }\n#m = 1", "func.func", "#m = 1"),
        ("x.y {\n  a.b\nx.z", "x.y", "x.z"),
        ("x.y {\n  a.b\nx.z\nx.y", "x.y", "x.y"),
        ("  x.y {\n  }\n}", "x.y", "}"),
        ("x.y @\"}\" { } {-# #-}", "x.y", "{-# #-}"),
    ],
)  # fmt: skip
def test_where_an_operation_ends(text: str, name: str, rest: str) -> None:
    start = len(text) - len(text.lstrip())
    assert text[end_of_operation(text, start, name) :].lstrip() == rest


def errors_testdata() -> list[Path]:
    return sorted((ROOT / "testdata" / "errors").glob("V10[0-7]*.mlir"))  # V108 is about functions


@pytest.mark.parametrize("path", errors_testdata(), ids=lambda path: path.stem)
def test_testdata_shows_its_code(path: Path) -> None:
    if path.stem == "V102":
        with pytest.raises(UsageError) as raised:
            read_source(str(path))
        assert raised.value.diagnostic.code == path.stem
        return
    parsed = parse(read_source(str(path)), make_context({}))
    assert {diagnostic.code for diagnostic in parsed.diagnostics} == {path.stem}
    assert all(op.reason.code == path.stem for op in parsed.unread)


def test_testdata_has_every_code_that_a_text_can_cause() -> None:
    assert [path.stem for path in errors_testdata()] == ["V102", "V103", "V104", "V105", "V107"]


def test_a_correct_text_gives_the_module_that_xdsl_reads() -> None:
    for path in sorted((ROOT / "testdata" / "tensor").glob("*.mlir")):
        source = read_source(str(path))
        ours = parse(source, make_context({}))
        if ours.diagnostics:
            continue
        theirs = Parser(make_context({}), source.text).parse_module()
        assert str(ours.module) == str(theirs)


def test_the_parser_alone_raises_as_xdsl_does() -> None:
    parser = LocatingParser(make_context({}), Source("t.mlir", "oops"))
    with pytest.raises(Exception, match="expected an operation"):
        parser.parse_module()
