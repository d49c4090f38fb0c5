"""test-affine-reify-value-bounds against mlir-opt-22's pass: the same operations, messages and exit codes."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.passes.mlir_opt.reified_requests import COMPARED, INVALID, Request
from tests.shared.checks import checked_if
from volcli.frontend.text.source import Source
from volcli.loading.driver import load, load_source

pytestmark = pytest.mark.usefixtures("checked_at_once")

PASS = "test-affine-reify-value-bounds"
SEPARATOR = "// -----\n"
FUNCTION = re.compile(r"^func\.func @(\w+).*?^\}\n", re.MULTILINE | re.DOTALL)
ASK = re.compile(r' *"test\.bound"\((\S+)\)(?: \{(.*?)\})? : \((.*)\) -> \(\)\n')


@dataclass(frozen=True)
class Asked:
    """A function that asks for bounds, and which of its `test.bound` is meant."""

    function: str
    ask: re.Match[str]

    def text(self, name: str, *attributes: str) -> str:
        """The function NAME, which asks for this bound alone, with ATTRIBUTES."""
        value, own, kind = self.ask.groups()
        listed = ", ".join([*attributes, *([own] if own else [])])
        ask = f'%bound = "test.reify_bound"({value}) {{{listed}}} : ({kind}) -> index\n'
        before, after = self.function[: self.ask.start()], self.function[self.ask.end() :]
        body = ASK.sub("", before) + ask + '"test.some_use"(%bound) : (index) -> ()\n' + ASK.sub("", after)
        memory = "memref.global @memory : memref<4xf32>\n" if "@memory" in body else ""
        return memory + re.sub(r"@\w+", f"@{name}", body, count=1)


def asked(file: str) -> dict[str, Asked]:
    """The bounds that the functions of FILE ask for, each by its function's name, and its number if it has several."""
    found: dict[str, Asked] = {}
    for function in FUNCTION.finditer((Path(__file__).parent / "reified" / file).read_text()):
        asks = list(ASK.finditer(function[0]))
        names = [function[1]] if len(asks) == 1 else [f"{function[1]}#{n}" for n in range(len(asks))]
        found.update({name: Asked(function[0], ask) for name, ask in zip(names, asks, strict=True)})
    return found


KINDS = ("EQ", "LB", "UB")
CASES, SCALABLE = asked("bounds.mlir"), asked("scalable.mlir")
KEYS = [(name, kind, is_constant) for name in CASES for kind in KINDS for is_constant in (False, True)]
NO_NUMBERS = [key for key in KEYS if not key[2]]
"""The options say how a bound is written: those that are numbers are written in one way."""
IN_TURN = [key for n, key in enumerate(NO_NUMBERS) if (n + n // len(KINDS)) % len(KINDS) == 0]
"""One bound of each value, of the three kinds in turn."""
FEW = [*NO_NUMBERS[::2], *((name, kind, True) for name, kind, _ in IN_TURN[::2]), ("chain_sizes", "LB", True)]
"""One or two bounds of each value that are expressions, of one in two one that is a number, and the one that differs."""

TIGHTER = {("min2", "UB", False), ("chain_sizes", "LB", True)}
"""mlir-opt's bound is one of two, or forgets what a size is made of."""
SHORTER = {("apply_modscaled", kind, False) for kind in KINDS}
"""(s0 mod 8) * 2, which mlir-opt writes as s0 * 2 - (s0 floordiv 8) * 16."""
TRUNCATING = {
    (name, kind, False)
    for name in ("apply_div", "apply_ceildiv", "apply_mod", "delin#0", "delin#1", "delin#2", "delin_noouter",
                 "floordivsi")
    for kind in KINDS
}  # fmt: skip
"""Divisions as arith.divsi, of what may be negative (docs/deviations.md)."""


def reified(mlir_opt: str, texts: Sequence[str], options: str) -> subprocess.CompletedProcess[str]:
    """All TEXTS by mlir-opt's pass."""
    pipeline = f"-pass-pipeline=builtin.module(func.func({PASS}{options}))"
    return subprocess.run(
        [mlir_opt, "-allow-unregistered-dialect", "-split-input-file", pipeline],
        input=SEPARATOR.join(texts), capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def printed(mlir_opt: str, text: str) -> dict[str, str]:
    """The functions in chunks, by name, as mlir-opt prints them."""
    ran = subprocess.run(
        [mlir_opt, "-allow-unregistered-dialect", "-split-input-file"],
        input=text, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[:2000]
    return by_name(ran.stdout)


def by_name(text: str) -> dict[str, str]:
    """The functions in chunks, by name."""
    chunks = text.split("// -----")
    return {found[1]: chunk.strip() for chunk in chunks if (found := re.search(r"func\.func @(\w+)", chunk))}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "keys", "least"),
    [
        ("", FEW, 100),
        ("{reify-to-func-args}", IN_TURN, 50),
        ("{use-arith-ops}", IN_TURN, 50),
        pytest.param("", KEYS, 300, marks=pytest.mark.fuzz),
        pytest.param("{reify-to-func-args}", NO_NUMBERS, 150, marks=pytest.mark.fuzz),
        pytest.param("{use-arith-ops}", NO_NUMBERS, 150, marks=pytest.mark.fuzz),
    ],
)
def test_what_mlir_opt_reifies_is_reified_equally(
    options: str, keys: list[tuple[str, str, bool]], least: int, mlir_opt: str
) -> None:
    texts = [
        CASES[name].text(f"q{n}", f'type = "{kind}"', *(["constant"] if is_constant else []))
        for n, (name, kind, is_constant) in enumerate(keys)
    ]
    theirs = by_name(reified(mlir_opt, texts, options).stdout)
    program = load_source(Source("in.mlir", SEPARATOR.join(texts)), split=True, via="xdsl")
    with checked_if("arith" in options):  # the others are mlir-opt's, letter by letter; in a campaign all
        program.run(PASS + options)
    ours = printed(mlir_opt, program.text(annotate="none"))
    different = {key for n, key in enumerate(keys) if (f := f"q{n}") in theirs and theirs[f] != ours.get(f)}
    assert len(theirs) > least
    expected = TIGHTER | SHORTER | (TRUNCATING if "arith" in options else set())
    assert different == expected.intersection(keys)


Said = list[tuple[int, int, str, str]]


def messages(stderr: str) -> Said:
    """Line, column, severity and text of each diagnostic."""
    found = re.findall(r"^\S*?:(\d+):(\d+): (error|remark|warning): (.*)$", stderr, re.MULTILINE)
    return [(int(line), int(column), severity, text) for line, column, severity, text in found]


def by_chunk(said: Said, texts: Sequence[str]) -> list[Said]:
    """What is said of each of TEXTS, with lines counted from its beginning."""
    starts = list(accumulate((text.count("\n") + 1 for text in texts), initial=0))
    return [
        [(line - start, *rest) for line, *rest in said if start < line <= end]
        for start, end in pairwise(starts)
    ]


def our_messages(text: str) -> Said:
    """What volcli says of TEXT; notes on what it read are not the pass's."""
    said = load(text).run(PASS).diagnostics
    return [
        (d.place.line, d.place.column, d.severity.value, d.message)
        for d in said
        if d.place is not None and not d.code.startswith("V3")
    ]


@pytest.mark.slow
@pytest.mark.parametrize("table", [INVALID, COMPARED], ids=["invalid", "compared"])
def test_messages_are_those_of_mlir_opt(table: list[Request], mlir_opt: str) -> None:
    texts = [f"func.func @f({arguments}) {{\n{body}\nreturn\n}}\n" for arguments, body in table]
    theirs = by_chunk(messages(reified(mlir_opt, texts, "").stderr), texts)
    assert all(theirs)
    ours = [our_messages(text) for text in texts]
    assert dict(enumerate(ours)) == dict(enumerate(theirs))


@pytest.mark.slow
def test_scalable_bounds_are_those_of_mlir_opt(mlir_opt: str) -> None:
    """In vector.vscale, which is between the two numbers of the request."""
    texts = [
        asked.text(f"{name}{kind}", f'type = "{kind}"') for name, asked in SCALABLE.items() for kind in KINDS
    ]
    theirs = by_name(reified(mlir_opt, texts, "").stdout)
    program = load_source(Source("in.mlir", SEPARATOR.join(texts)), split=True, via="xdsl").run(PASS)
    ours = printed(mlir_opt, program.text(annotate="none"))
    assert {name for name in ours if name not in theirs} == {"sc_mincLB", "sc_iterLB", "sc_mincEQ"}
    # 1000 mod 4v is a multiple of 4, so that it is at most 4v - 4, and not only less than 4v.
    assert "s0 * -4 + 1001" in theirs.pop("sc_remainLB")
    assert "s0 * -4 + 1004" in ours.pop("sc_remainLB")
    assert {name: ours.get(name) for name in theirs} == theirs


FILE = """func.func @f(%a: index, %b: index, %k: i1) {
  %c = arith.constant 2 : index
  %d = arith.addi %a, %c : index
  "test.compare"(%a, %d) {cmp = "LT"} : (index, index) -> ()
  "test.compare"(%a, %b) {cmp = "LT"} : (index, index) -> ()
  "test.compare"(%d, %a) {cmp = "LE"} : (index, index) -> ()
  return
}
// -----
func.func @g(%a: index) -> index {
  %r = "test.reify_bound"(%a) {type = "UB"} : (index) -> index
  return %r : index
}
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("pipeline", [f"builtin.module(func.func({PASS}))", f"func.func({PASS})"])
def test_stderr_and_exit_code_are_those_of_mlir_opt(
    pipeline: str, mlir_opt: str, volcli: Run, tmp_path: Path
) -> None:
    """One answer after another, whatever comes before; the failure of @g decides the exit code."""
    file = tmp_path / "file.mlir"
    file.write_text(FILE)
    theirs = subprocess.run(
        [mlir_opt, str(file), "-split-input-file", f"-pass-pipeline=builtin.module(func.func({PASS}))"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    ours = volcli("opt", str(file), "--split-input-file", "-p", pipeline)
    assert ours.returncode == theirs.returncode == 1
    without_notes = re.sub(r"^\S+: note: .*\n", "", theirs.stderr, flags=re.MULTILINE)
    assert ours.stderr == without_notes
    assert messages(ours.stderr)[-1][3] == "'test.reify_bound' op could not reify bound"


def test_an_undecided_comparison_is_an_error_and_no_failure(volcli: Run, tmp_path: Path) -> None:
    file = tmp_path / "file.mlir"
    file.write_text(FILE.partition("// -----")[0])
    ran = volcli("opt", str(file), "-p", PASS)
    assert ran.returncode == 0
    assert [text for *_, text in messages(ran.stderr)] == ["true", "unknown", "false"]
    assert "test.compare" in ran.stdout


@pytest.mark.parametrize(("expected", "exit_code"), [("remark@+1 {{true}}", 0), ("remark@+1 {{false}}", 1)])
def test_diagnostics_can_be_expected(expected: str, exit_code: int, volcli: Run, tmp_path: Path) -> None:
    file = tmp_path / "file.mlir"
    file.write_text(f"""func.func @f(%a: index) {{
  // expected-{expected}
  "test.compare"(%a, %a) : (index, index) -> ()
  return
}}
""")
    ran = volcli("opt", str(file), "-p", PASS, "--verify-diagnostics")
    assert (ran.returncode != 0) == bool(exit_code), ran.stderr


def reified_text(arguments: str, body: str, options: str = "") -> str:
    """The function's lines after the pass, without what was there before."""
    text = f"func.func @f({arguments}) {{\n{body}\nreturn\n}}\n"
    program = load(text).run(PASS + options)
    assert program.diagnostics == []
    return program.text(annotate="none")


def ask(value: str, kind: str) -> str:
    return f'%b = "test.reify_bound"({value}) {{type = "{kind}"}} : (index) -> index\n"test.use"(%b) : (index) -> ()'


def test_a_bound_that_another_makes_idle_is_left_out() -> None:
    """min(a, a + 4) is a."""
    body = """%c = arith.constant 4 : index
    %d = arith.addi %a, %c : index
    %r = arith.select %k, %a, %d : index
    """
    text = reified_text("%k: i1, %a: index", body + ask("%r", "LB"))
    assert '"test.use"(%a)' in text


def test_numbers_that_mlir_cannot_write_are_not_written() -> None:
    """%a divui 4 is ((a mod 2^64) floordiv 4), of which a constant is written: at most 2^62 - 1."""
    body = "%c = arith.constant 4 : index\n%r = arith.divui %a, %c : index\n"
    assert f"arith.constant {2**62} : index" in reified_text("%a: index", body + ask("%r", "UB"))


def test_a_product_of_loops_variables_is_no_affine_map() -> None:
    body = "affine.for %i = 0 to 5 {\naffine.for %j = 0 to 4 {\n%m = arith.muli %i, %j : index\n"
    text = reified_text("", f"{body}%r = arith.addi %m, %j : index\n{ask('%r', 'EQ')}\n}}\n}}")
    assert "arith.muli %i, %j" in text
    assert "d0 * d1" not in text
