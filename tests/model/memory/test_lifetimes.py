"""Memory that is used after it was freed, freed twice, or leaves on the stack; and programs that nearly do so."""

from __future__ import annotations

import pytest

import volcli
from tests.equivalence.lifetimes import Body, pairs, run, text
from tests.shared.recorded import Recorded
from volcli.execution.outcomes import Defect, Undefined

T = "memref<4xf32>"
HEAD = f"""
memref.global "private" @g : {T} = dense<0.0>
memref.global "private" @box : memref<memref<4xf32>>
func.func private @unknown({T})
func.func private @done(%m: {T}) {{
  memref.dealloc %m : {T}
  return
}}
func.func private @perhaps(%m: {T}, %c: i1) {{
  scf.if %c {{ memref.dealloc %m : {T} }}
  return
}}
func.func private @read(%m: {T}) {{
  %v = affine.load %m[0] : {T}
  vector.print %v : f32
  return
}}
func.func private @same(%m: {T}) -> {T} {{
  return %m : {T}
}}
func.func @f(%a: {T}, %o: {T}, %b: memref<1x{T}>, %c: i1, %n: index, %s: tensor<4xf32>)"""
ALLOC, STACK, FREE = f"%t = memref.alloc() : {T}", f"%t = memref.alloca() : {T}", f"memref.dealloc %t : {T}"
FILL = f"memref.copy %a, %t : {T} to {T}"
USE = f"memref.copy %t, %o : {T} to {T}"
PART = f"%p = memref.subview %t[START] [2] [1] : {T} to memref<2xf32, strided<[1], offset: START>>"
STORE = f"%z = arith.constant 0 : index memref.store %t, %b[%z] : memref<1x{T}>"
WHEN = "affine.if affine_set<(d) : ({})>(%i)"
BOX = f"%x = memref.get_global @box : memref<{T}>"


def found(body: str, result: str = "") -> list[str]:
    """The codes of what is found in a function."""
    ends, gives = (f"return {result} : {T}", f" -> {T}") if result else ("return", "")
    program = volcli.loads(f"{HEAD}{gives} {{\n{body}\n{ends}\n}}")
    assert [each for each in program.diagnostics if each.severity.value == "error"] == []
    program.run("check-lifetimes")
    return sorted(each.code for each in program.diagnostics if each.code in ("V216", "V217", "V218"))


WRONG = [
    (f"{ALLOC} {FREE} {USE}", "", ["V216"]),
    (f"{ALLOC} {FREE} {FREE}", "", ["V217"]),
    (f"{ALLOC} {FREE}", "%t", ["V216"]),
    (f"{STACK} {FREE}", "", ["V217"]),
    (f"%t = memref.get_global @g : {T} {FREE}", "", ["V217"]),
    (STACK, "%t", ["V218"]),
    (f"{STACK} %r = func.call @same(%t) : ({T}) -> {T}", "%r", ["V218"]),
    (f"{STACK} {STORE}", "", ["V218"]),
    (f"{STACK} {BOX} memref.store %t, %x[] : memref<{T}>", "", ["V218"]),
    (f"%u = memref.alloca_scope -> ({T}) {{ {STACK} memref.alloca_scope.return %t : {T} }}", "", ["V218"]),
    # through views
    (f"{ALLOC} {PART.replace('START', '0')} {FREE} %v = affine.load %p[0] : memref<2xf32, strided<[1], offset: 0>>",
     "", ["V216"]),
    (f"{ALLOC} {PART.replace('START', '2')} memref.dealloc %p : memref<2xf32, strided<[1], offset: 2>>", "", ["V217"]),
    (f"{ALLOC} %d = memref.cast %t : {T} to memref<?xf32> memref.dealloc %d : memref<?xf32> {USE}", "", ["V216"]),
    # branches and loops
    (f"{ALLOC} scf.if %c {{ {FREE} }} else {{ {FREE} }} {USE}", "", ["V216"]),
    (f"{ALLOC} scf.if %c {{ {FREE} {USE} }}", "", ["V216"]),
    (f"{ALLOC} affine.for %i = 0 to 2 {{ {FREE} }}", "", ["V217"]),
    (f"{ALLOC} {FILL} affine.for %i = 0 to 2 {{ {USE} {FREE} }}", "", ["V216", "V217"]),
    (f"affine.for %i = 0 to %n {{ {ALLOC} {FREE} {USE} }}", "", ["V216"]),
    (f"{ALLOC} affine.for %i = 0 to 2 {{ affine.for %j = 0 to 1 {{ {FREE} }} }}", "", ["V217"]),
    (f"{ALLOC} affine.parallel (%i) = (0) to (2) {{ {FREE} }}", "", ["V217"]),
    # under conditions, in some of the iterations
    (f"{ALLOC} affine.for %i = 0 to 4 {{ {WHEN.format('d == 2')} {{ {FREE} }} {USE} }}", "", ["V216"]),
    (f"{ALLOC} affine.for %i = 0 to 4 {{ {USE} {WHEN.format('d == 2')} {{ {FREE} }} }}", "", ["V216"]),
    (f"{ALLOC} affine.for %i = 0 to 4 {{ {WHEN.format('d == 3')} {{ {FREE} }} }} {USE}", "", ["V216"]),
    (f"{ALLOC} affine.for %i = 0 to 4 {{ {WHEN.format('d == 3')} {{ {FREE} }} }} {FREE}", "", ["V217"]),
    (f"{ALLOC} affine.for %i = 0 to 4 {{ {WHEN.format('d - 2 >= 0')} {{ {FREE} }} }}", "", ["V217"]),
    (f"{ALLOC} affine.for %i = 0 to 4 {{ {WHEN.format('d == 1')} {{ {FREE} }} }}", "%t", ["V216"]),
    (f"{ALLOC} affine.for %i = 0 to 2 {{ scf.if %c {{ {FREE} }} }} {USE}", "", ["V217"]),
    (f"{ALLOC} scf.while : () -> () {{ scf.condition(%c) }} do {{ {FREE} scf.yield }}", "", ["V217"]),
    (f"{ALLOC} affine.for %i = 0 to 4 {{ affine.for %j = 0 to 4 {{ {USE} {WHEN.format('d == 3')} {{ "
     f"affine.if affine_set<(d) : (d - 2 >= 0)>(%j) {{ {FREE} }} }} }} }}", "", ["V216", "V217"]),
    (f"{ALLOC} affine.parallel (%i) = (0) to (4) {{ {WHEN.format('d - 2 >= 0')} {{ {FREE} }} }}", "", ["V217"]),
    (f"affine.for %k = 0 to %n {{ {ALLOC} affine.for %i = 0 to 4 {{ {WHEN.format('d == 2')} {{ {FREE} }} "
     f"{USE} }} }}", "", ["V216"]),
    (f"{ALLOC} affine.for %i = 0 to 4 {{ {WHEN.format('d == 3')} {{ func.call @done(%t) : ({T}) -> () }} }} "
     f"func.call @read(%t) : ({T}) -> ()", "", ["V216"]),
    # through calls
    (f"{ALLOC} func.call @done(%t) : ({T}) -> () {USE}", "", ["V216"]),
    (f"{ALLOC} func.call @done(%t) : ({T}) -> () {FREE}", "", ["V217"]),
    (f"{ALLOC} {FREE} func.call @read(%t) : ({T}) -> ()", "", ["V216"]),
    (f"{STACK} func.call @done(%t) : ({T}) -> ()", "", ["V217"]),
    (f"func.call @done(%a) : ({T}) -> () memref.copy %a, %o : {T} to {T}", "", ["V216"]),
    # other operations that free
    ("%t = memref.alloc() : memref<4xf32> %r = memref.realloc %t : memref<4xf32> to memref<8xf32> " + USE, "", ["V216"]),
    ("%t = memref.alloc() : memref<4xf32> %r = memref.realloc %t : memref<4xf32> to memref<8xf32> " + FREE, "", ["V217"]),
    (f"{ALLOC} %y = arith.constant true bufferization.dealloc (%t : {T}) if (%y) {USE}", "", ["V216"]),
    (f"{ALLOC} {FREE} %y = arith.constant true bufferization.dealloc (%t : {T}) if (%y)", "", ["V217"]),
    ("bufferization.dealloc_tensor %s : tensor<4xf32> bufferization.dealloc_tensor %s : tensor<4xf32>", "", ["V217"]),
    ("%z = arith.constant 0 : index bufferization.dealloc_tensor %s : tensor<4xf32> "
     "%v = tensor.extract %s[%z] : tensor<4xf32>", "", ["V216"]),
]  # fmt: skip
RIGHT = [
    (f"{ALLOC} {FILL} {USE} {FREE}", ""),
    (ALLOC, "%t"),
    (f"{STACK} {FILL} {USE}", ""),
    (f"memref.dealloc %a : {T}", ""),
    (f"{STACK} {BOX} memref.store %t, %x[] : memref<{T}> memref.store %a, %x[] : memref<{T}>", ""),
    (f"{ALLOC} {STORE}", ""),
    (f"{STACK} %z = arith.constant 0 : index %l = memref.alloca() : memref<1x{T}> "
     f"memref.store %t, %l[%z] : memref<1x{T}>", ""),
    (f"%u = memref.alloca_scope -> ({T}) {{ {ALLOC} memref.alloca_scope.return %t : {T} }}", ""),
    (f"{STACK} memref.alloca_scope {{ {USE} memref.alloca_scope.return }}", ""),
    (f"{ALLOC} {PART.replace('START', '0')} memref.dealloc %p : memref<2xf32, strided<[1], offset: 0>>", ""),
    (f"{ALLOC} %d = memref.dim %t, %n : {T} {FREE} %e = memref.dim %t, %n : {T}", ""),
    # exclusive branches, and loops
    (f"{ALLOC} scf.if %c {{ {FREE} }} else {{ {USE} {FREE} }}", ""),
    (f"{ALLOC} scf.if %c {{ {FREE} }} {USE}", ""),
    (f"{ALLOC} scf.if %c {{ }} else {{ {FREE} }} {FREE}", ""),
    (f"{ALLOC} affine.for %i = 0 to 1 {{ {USE} {FREE} }}", ""),
    (f"{ALLOC} affine.for %i = 0 to %n {{ {FREE} }}", ""),
    (f"{ALLOC} affine.for %i = 0 to 0 {{ {FREE} }} {USE}", ""),
    (f"affine.for %i = 0 to 4 {{ {ALLOC} {FILL} {USE} {FREE} }}", ""),
    (f"affine.for %i = 0 to 4 {{ affine.for %j = 0 to 4 {{ {ALLOC} {FILL} {USE} {FREE} }} }}", ""),
    (f"{ALLOC} affine.for %i = 0 to 2 {{ affine.if affine_set<(d0) : (d0 == 0)>(%i) {{ {FREE} }} }}", ""),
    # under conditions: after the last use, for some arguments, of other memory, or perhaps of data
    (f"{ALLOC} affine.for %i = 0 to 4 {{ {USE} {WHEN.format('d == 3')} {{ {FREE} }} }}", ""),
    (f"{ALLOC} affine.for %i = 0 to 4 {{ {WHEN.format('d == 5')} {{ {FREE} }} }} {USE}", ""),
    (f"{ALLOC} affine.for %i = 0 to 4 {{ {WHEN.format('d == 2')} {{ {FREE} }} "
     f"affine.if affine_set<(d) : (-d + 1 >= 0)>(%i) {{ {USE} }} }}", ""),
    (f"{ALLOC} affine.for %i = 0 to %n {{ {WHEN.format('d == 2')} {{ {FREE} }} {USE} }}", ""),
    (f"{ALLOC} affine.for %i = 0 to %n {{ {USE} affine.if affine_set<(d)[n] : (d - n + 1 == 0)>(%i)[%n] "
     f"{{ {FREE} }} }}", ""),
    (f"affine.for %i = 0 to 4 {{ {ALLOC} {WHEN.format('d == 2')} {{ {FREE} }} }}", ""),
    (f"affine.for %i = 0 to 4 {{ {ALLOC} {USE} {WHEN.format('d - 2 >= 0')} {{ {FREE} }} }}", ""),
    (f"{ALLOC} affine.parallel (%i) = (0) to (4) {{ {WHEN.format('d == 2')} {{ {FREE} }} "
     f"affine.if affine_set<(d) : (d - 3 == 0)>(%i) {{ {USE} }} }}", ""),
    (f"{ALLOC} affine.for %i = 0 to 4 {{ %v = affine.load %a[%i] : {T} %z = arith.constant 0.0 : f32 "
     f"%d = arith.cmpf oeq, %v, %z : f32 scf.if %d {{ {FREE} }} }} {USE}", ""),
    (f"{ALLOC} affine.for %i = 0 to 4 {{ {WHEN.format('d == 2')} {{ scf.if %c {{ {FREE} }} }} }} {USE}", ""),
    # calls
    (f"{ALLOC} {FILL} func.call @read(%t) : ({T}) -> () {FREE}", ""),
    (f"{ALLOC} func.call @perhaps(%t, %c) : ({T}, i1) -> () {USE}", ""),
    (f"{ALLOC} func.call @unknown(%t) : ({T}) -> () {USE} {FREE}", ""),
    (f"{STACK} func.call @unknown(%t) : ({T}) -> ()", ""),
    (f"{STACK} %r = func.call @same(%t) : ({T}) -> {T} memref.copy %r, %o : {T} to {T}", ""),
    # other operations that free
    ("%t = memref.alloc() : memref<4xf32> %r = memref.realloc %t : memref<4xf32> to memref<8xf32> "
     "%v = affine.load %r[0] : memref<8xf32> memref.dealloc %r : memref<8xf32>", ""),
    (f"{ALLOC} bufferization.dealloc (%t : {T}) if (%c) {USE}", ""),
    (f"{ALLOC} %y = arith.constant true %k = bufferization.dealloc (%t : {T}) if (%y) retain (%a : {T}) {USE}", ""),
]  # fmt: skip


@pytest.mark.sample(4)
@pytest.mark.parametrize(("body", "result", "codes"), WRONG)
def test_what_is_wrong_is_found(body: str, result: str, codes: list[str]) -> None:
    assert found(body, result) == codes


@pytest.mark.sample(4)
@pytest.mark.parametrize(("body", "result"), RIGHT)
def test_what_may_be_right_is_not_found(body: str, result: str) -> None:
    assert found(body, result) == []


BLOCKS = f"""func.func @f(%o: {T}, %c: i1) {{
  {ALLOC}
  cf.cond_br %c, ^a, ^b
^a:
  FIRST
  cf.br ^end
^b:
  SECOND
  cf.br ^end
^end:
  {USE}
  return
}}"""


@pytest.mark.parametrize(
    ("first", "second", "codes"), [(FREE, FREE, ["V216"]), (FREE, "", []), (USE, FREE, []), (FREE, USE, [])]
)
def test_blocks(first: str, second: str, codes: list[str]) -> None:
    program = volcli.loads(BLOCKS.replace("FIRST", first).replace("SECOND", second))
    program.run("check-lifetimes")
    assert [each.code for each in program.diagnostics] == codes


def test_a_loop_of_blocks_may_free_in_any_iteration() -> None:
    program = volcli.loads(f"""func.func @f(%o: {T}, %c: i1, %d: i1) {{
      {ALLOC}
      cf.br ^head
    ^head:
      {USE}
      cf.cond_br %c, ^free, ^next
    ^free:
      {FREE}
      cf.br ^next
    ^next:
      cf.cond_br %d, ^head, ^end
    ^end:
      return
    }}""")
    program.run("check-lifetimes")
    assert program.diagnostics == []
    assert [each.certain for each in program.units[0].models()[0].lifetimes.misuses()] == [False, False]


@pytest.mark.parametrize(
    ("free", "misuses"), [("d == 2", [True]), ("d == 3", []), ("d - n == 0", [False]), ("d - n + 1 == 0", [])]
)
def test_iterations_say_whether_memory_is_used_after_it_is_freed(free: str, misuses: list[bool]) -> None:
    last = "%n" if "n" in free else "4"
    program = volcli.loads(f"""func.func @f(%o: {T}, %n: index, %k: index) {{
      {ALLOC}
      affine.for %i = 0 to {last} {{
        {USE}
        affine.if affine_set<(d)[n] : ({free})>(%i)[{"%k" if free == "d - n == 0" else "%n"}] {{ {FREE} }}
      }}
      return
    }}""")
    assert [each.certain for each in program.units[0].models()[0].misuses] == misuses


def test_an_iteration_in_which_memory_is_used_after_it_was_freed_is_named() -> None:
    program = volcli.loads(f"""func.func @f(%o: {T}, %n: index) {{
      {ALLOC}
      affine.for %i = 0 to 6 {{
        {USE}
        affine.if affine_set<(d) : (d - 3 == 0)>(%i) {{ {FREE} }}
      }}
      return
    }}""")
    program.run("check-lifetimes")
    (found,) = program.diagnostics
    assert found.message == "'memref.copy' op at %i = 4 uses %t, which was freed before"


class Count:
    """Of random programs: how many misuses were certain, and how many executions had one."""

    def __init__(self) -> None:
        self.certain = self.wrong = self.told = 0

    def judge(self, body: Body, result: str | None) -> None:
        """Execution contradicts nothing that is certain, and meets nothing that is not told."""
        program = volcli.loads(text(body, result))
        model = next(each for each in program.units[0].models() if each.name == "f")
        recorded = Recorded(program)
        runs = [run(recorded, c, n, 1) for c in (0, 1) for n in range(-1, 6)]
        stopped = [each.stopped for each in runs]
        ended = [s for s in stopped if isinstance(s, Undefined) and s.kind is Defect.LIFETIME]
        wrong = {next((op for op, _ in s.trail if op in recorded.calls), s.operation) for s in ended}
        told = {each.op for each in model.misuses}
        certain = {each.op for each in model.misuses if each.certain}
        assert wrong <= told, text(body, result)
        assert wrong or all(each.at is None for each in model.misuses), text(body, result)
        for each in runs:
            reached = {access.op for access in each.accesses}
            assert each.stopped is not None or reached.isdisjoint(certain), text(body, result)
        self.certain += len(certain)
        self.wrong += all(each is not None for each in stopped) and bool(wrong)
        self.told += bool(certain)


def judged(first: int, count: int) -> Count:
    found = Count()
    for each in pairs(first, count):
        found.judge(*each[1])
    return found


def test_executions_of_random_programs_show_each_misuse() -> None:
    found = judged(40, 25)
    assert found.told > 2


@pytest.mark.fuzz
def test_executions_of_many_random_programs_show_each_misuse() -> None:
    found = judged(2_000_000, 2_000)
    assert found.told > found.wrong * 0.8


def test_many_loops_in_one_another_are_visited_a_few_times() -> None:
    depth = 40
    opened = "".join(f"affine.for %i{k} = 0 to 2 {{\n" for k in range(depth))
    program = volcli.loads(f"func.func @f() {{\n{opened}{ALLOC} {FREE} {FREE}\n{'}' * depth}\nreturn\n}}")
    program.run("check-lifetimes")
    assert [each.code for each in program.diagnostics] == ["V217"]
