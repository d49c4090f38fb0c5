"""The table of codes: what each means, how severe it is, and what its reader can do next.

The table `CODES` is the
only list of codes; `volcli codes` prints it, and testdata/errors/ holds one input for each code that an
input can cause.

Code ranges:

| range  | about                                              | severity | exit code |
|--------|----------------------------------------------------|----------|-----------|
| V0xx   | how volcli was called                              | error    | 2         |
| V1xx   | input that cannot be read, or is not valid IR      | error    | 2         |
| V2xx   | findings: what is provably wrong with the program  | error    | 1         |
|        | (V206, V208, V209: what is useless, or goes wrong  | warning  | 0         |
|        | if it is called)                                   |          |           |
|        | (V204, V215: what callers have to see to)          | remark   | 0         |
| V3xx   | limits: what volcli does not know, and why         | remark   | 0         |
| V4xx   | what mlir-opt's passes say, printed in its way     | its own  | its own   |
| V9xx   | volcli itself is at fault                          | error    | 2         |
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

SITE = "https://volcli.github.io/volcli"
"""Where the documentation is read, as pyproject.toml and mkdocs.yml have it."""


class Severity(Enum):
    """How much a diagnostic weighs: an error decides the exit code, a remark never does."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"


@dataclass(frozen=True)
class Code:
    """One row of the table of codes: what the code means, and what its reader can do next."""

    name: str
    severity: Severity
    summary: str
    next_step: str

    @property
    def exit_code(self) -> int:
        """The exit code of a run whose worst diagnostic has this code (0 clean, 1 findings, 2 unusable)."""
        if self.severity is not Severity.ERROR or self.name in ("V402", "V405"):
            return 0
        return 1 if self.name.startswith(("V2", "V4")) else 2

    @property
    def page(self) -> str:
        """Its page of the documentation, with examples and what to do."""
        return f"{SITE}/reference/codes/{self.name}.html"

    @property
    def is_mlir_opt(self) -> bool:
        """Whether a diagnostic looks as mlir-opt's does: without the code, and without a next step."""
        return self.name.startswith("V4")


def _table(*rows: tuple[str, Severity, str, str]) -> dict[str, Code]:
    return {name: Code(name, severity, summary, step) for name, severity, summary, step in rows}


_E, _W, _R = Severity.ERROR, Severity.WARNING, Severity.REMARK

_REGRESSION = "find the change that caused it; if it is intended, write a new baseline with --update-baseline"

CODES: dict[str, Code] = _table(
    ("V001", _E, "no pass of this name", "`volcli passes` lists the passes"),
    ("V002", _E, "a pass does not have this option, or rejects its value",
     "`volcli passes` lists each pass's options"),
    ("V003", _E, "the pipeline's text is malformed", "write 'pass-a,pass-b{option=value}'"),
    ("V004", _E, "no question of this name", "`volcli analyze --help` lists the questions"),
    ("V005", _E, "no value of this name in the program", "name a value as the program prints it, with its %"),
    ("V006", _E, "the output cannot be written", "choose a file in a folder that exists and may be written"),
    ("V007", _E, "the command line is malformed", "`volcli --help` lists the commands and their options"),
    ("V008", _E, "a tool that was asked for is not on PATH", "install it, or read natively with --via xdsl"),
    ("V009", _E,
     "a condition of --assume or --compare, a fact of --given, or a declaration of --effects, cannot be used",
     "write affine conditions on values of the program, such as 'N >= 1 and dim(%t, 0) mod 16 = 0'; "
     "facts such as '%a[i, j] = 0 : i < j'"),
    ("V010", _E, "no operation or no access to memory at this place, or no pair of accesses to compare",
     "`volcli explain FILE --at LINE` lists the pairs of the access in that line"),
    ("V011", _E, "a picture that cannot be drawn",
     "choose numbers with --set, or omit --picture and --svg: the constraint matrices have no limits"),
    ("V012", _E, "a pass rewrites this program, and only an unchanged program can be annotated",
     "omit that pass, or print the rewritten program with `volcli opt`"),
    ("V013", _E, "the policy of `volcli check` cannot be used",
     f"{SITE}/check.html#policy describes its entries"),
    ("V014", _E, "the baseline or the history of `volcli check` cannot be used",
     "write a baseline with --baseline FILE --update-baseline, and a history with --history FILE"),
    ("V015", _E, "git cannot say what has changed since a revision",
     "name a commit, a branch or a tag, in a folder that is in a repository"),
    ("V016", _E, "results of `volcli check` that cannot be merged",
     "give `volcli merge` what `volcli check --shard I/N --format json:FILE` wrote for each I"),
    ("V017", _E, "a folder that contains no file to check",
     "name files, or allow it: --allow-empty, or allow-empty = true in the policy"),
    ("V018", _E, "a function that cannot be executed with these inputs",
     "`volcli run --help` shows how sizes, numbers and elements are given"),
    ("V019", _E, "an execution that cannot continue: an operation is not supported, or a limit is reached",
     f"give other inputs, or a higher limit; {SITE}/adding.html adds the execution of an operation"),
    ("V020", _E, "a tool that failed, so that its pipeline was not followed to its end",
     "what it did before that was compared; run it by hand with the same arguments"),
    ("V100", _E, "the input cannot be read", "check the path and its permissions"),
    ("V101", _E, "the input is a directory", "name a file; shells expand DIR/*.mlir"),
    ("V102", _E, "the input is not text", "MLIR bytecode is turned into text by `mlir-opt FILE`"),
    ("V103", _E, "syntax error", "correct the text; the rest of the file was analysed"),
    ("V104", _E, "an operation whose custom syntax is not known",
     "print it in generic form (mlir-opt --mlir-print-op-generic); the rest of the file was analysed"),
    ("V105", _E, "the text is nested too deeply", "the rest of the file was analysed"),
    ("V107", _E, "the input contains no operation", "check what wrote this file"),
    ("V108", _E, "nothing in the input was analysed",
     "print it in generic form (mlir-opt --mlir-print-op-generic)"),
    ("V110", _E, "invalid IR",
     "correct it if `mlir-opt FILE` rejects it, too; the rest of the file was analysed"),
    ("V111", _E, "a volcli.assume attribute that is not an assumption",
     "write one dimension per number: {volcli.assume = affine_set<(d0) : (d0 - 1 >= 0)>}"),
    ("V112", _E, "a volcli.domain attribute that is not the domain of a tensor",
     "on an argument, with one dimension per index: {volcli.domain = affine_set<(d0) : (d0 - 1 >= 0)>}"),
    ("V113", _E, "a volcli.facts attribute that does not state facts about a tensor",
     "on an argument, with one dimension per index: "
     "{volcli.facts = {zero = affine_set<(d0, d1) : (d1 - d0 - 1 >= 0)>}}"),
    ("V114", _W, "a declaration of --effects that does not fit an operation, and is not used",
     f"{SITE}/check.html#operations-of-other-dialects says what can be declared"),
    ("V201", _E, "two dimensions that must agree provably differ", "correct one of the two shapes"),
    ("V202", _E, "a declared type provably differs from the shape computed from the operands",
     "correct the type or the operands"),
    ("V203", _E, "an access or a slice is out of bounds, whatever the arguments are",
     "correct the index, the bounds of the loops or the shape"),
    ("V204", _R, "an access or a slice is out of bounds for some arguments of the function",
     "state what holds for them (--assume, cf.assert), or guard the accesses, which "
     "check-accesses{each} lists"),
    ("V205", _E, "uninitialized memory, or an uninitialized tensor, is read",
     "initialize it, or do not read these elements"),
    ("V206", _W, "a dead store: an operation writes elements that are never read",
     "remove it, or read these elements"),
    ("V207", _E, "two iterations of a parallel loop access the same element, and one of them writes it",
     "run the loop sequentially, or give each iteration elements of its own"),
    ("V208", _W, "a call passes arguments with which the called function goes out of bounds, races, or is "
     "undefined",
     "correct the arguments, or add a guard in the called function"),
    ("V209", _W, "no arguments keep all accesses of a function in bounds",
     "correct one of the accesses; check-accesses{each} lists the condition of each"),
    ("V210", _W, "a loop without iterations, or a branch that is never taken, whatever the arguments are",
     "remove it, or correct its bounds or its condition"),
    ("V211", _W, "padding that adds no elements, or elements that are never read",
     "remove it, and use the operand instead"),
    ("V212", _W, "an allocation is larger than the policy allows, or is unbounded",
     "bound its sizes (--assume, cf.assert), or raise budget.allocation in the policy"),
    ("V213", _E, "a loop that is marked as parallel passes a value from each iteration to the next one",
     "remove volcli.parallel: the loop must run sequentially"),
    ("V214", _W, "a given fact contradicts the program or another fact, and is not used",
     "correct the fact (--given, volcli.facts, volcli.domain), or the program"),
    ("V215", _R, "a parallel loop has a race for some arguments of the function",
     "state what holds for them (--assume, cf.assert), or run the loop sequentially for the others"),
    ("V216", _E, "memory is used after it was freed", "free it after its last use"),
    ("V217", _E, "memory is freed twice, or a value that is not an allocation is freed",
     "free each allocation once, and nothing else"),
    ("V218", _E, "memory on the stack leaves the function, or the memref.alloca_scope, that allocated it",
     "allocate it with memref.alloc, or copy what is needed"),
    ("V219", _W, "a call passes overlapping memory for two arguments that are assumed to be disjoint",
     "pass memory that does not overlap, or one memref for both arguments of a private function"),
    ("V220", _E, "an expectation of the file does not hold",
     "correct the program, or the comment '// volcli: expect ...'"),
    ("V221", _E, "an expectation of the file is not proved",
     "state what it needs of the arguments (--assume, cf.assert), or weaken the expectation"),
    ("V222", _E, "a comment to volcli that cannot be parsed",
     f"{SITE}/check.html#comments lists the valid ones"),
    ("V223", _W, "an ignore comment that has no effect", "remove it"),
    ("V230", _W, "a bound is looser than in the baseline", _REGRESSION),
    ("V231", _W, "an access that is in bounds in the baseline is no longer proved to be", _REGRESSION),
    ("V232", _W, "a loop may run in fewer orders than in the baseline", _REGRESSION),
    ("V233", _W, "fewer zeros of a value are known than in the baseline", _REGRESSION),
    ("V234", _W, "a function needs more of its arguments than in the baseline", _REGRESSION),
    ("V235", _W, "a function writes fewer elements of an argument than in the baseline", _REGRESSION),
    ("V240", _E, "an execution reaches undefined behaviour", "correct the program, or give other inputs"),
    ("V241", _E, "a pass changes what a function computes",
     "report the pass with the reproducer, or state what callers guarantee (volcli.assume)"),
    ("V290", _E, "an expected diagnostic is missing, or an unexpected one was reported",
     "correct the program or the 'expected-...' comment (--verify-diagnostics)"),
    ("V291", _E, "the annotations of a file are out of date",
     "`volcli annotate --diff` shows what changes, `volcli annotate --in-place` writes it"),
    ("V301", _R, "an operation without a case: a conservative answer is used",
     f"write a case, one function in a package of yours: {SITE}/guides/dialect.html"),
    ("V302", _R, "an answer is unknown or incomplete: its budget was exceeded",
     "raise it with --budget"),
    ("V303", _R, "an index or a shape is not affine in the parameters: a conservative answer is used",
     "no action is needed: the answer is sound but not exact"),
    ("V304", _R, "branches between blocks that are not understood: their values are unknown inputs",
     "structure the control flow with scf before this analysis"),
    ("V305", _R, "an answer is unknown because of its time or memory; another run may find it",
     "give it more time with --timeout, or a smaller --budget, which is the same in each run"),
    ("V306", _R, "an operation in a custom syntax that is not known was read as opaque",
     "print it in generic form (mlir-opt --mlir-print-op-generic) if its answers matter"),
    ("V307", _R, "an operation that volcli does not read itself was read through mlir-opt",
     "`volcli coverage` lists the operations that volcli reads itself"),
    ("V308", _R, "a loop is parallel only if what was assumed is true",
     "call the function with disjoint buffers, or state it: mark-parallel{assume-noalias-args}"),
    ("V309", _R, "loops and branches outside of the functions of a module are not analysed",
     "move them into a function"),
    ("V310", _R, "a rewrite leaves a value, an operation or the program unchanged",
     "choose other values or sizes; the IR is unchanged"),
    ("V311", _R, "less would be computed if numbers were known to be finite",
     "state it with fastmath<nnan,ninf,nsz> on the operations, or with the option assume-finite"),
    ("V312", _R, "a rewrite omits elements that are zero by a declared domain",
     "callers must pass zeros there; remove volcli.domain if they may not"),
    ("V313", _R, "a rewrite whose results are not proved to be unchanged",
     "compare both programs with `volcli diff` and a larger --budget, or run them"),
    ("V314", _R, "accesses that are neither proved in bounds nor out of bounds",
     "state what is known about their values (cf.assert, --assume); `volcli analyze --ask access` lists "
     "them"),
    ("V315", _R, "a parallel loop that is neither proved free of races nor has one",
     "state what is known about its indices (cf.assert, --assume); `volcli analyze --ask races` shows why"),
    ("V316", _R, "something was not read or not analysed: no proof covers it",
     "print it in generic form (mlir-opt --mlir-print-op-generic), or ignore it with a reason: "
     "// volcli: ignore V316 ..."),
    ("V317", _R, "it is not known whether a pass changes what a function computes",
     "compare both programs with `volcli diff` and a larger --budget, or run them"),
    ("V401", _E, "a test operation of mlir-opt's that is invalid, or that has no answer",
     "ask for the other side, or for a constant; `value-bounds` states why there is no bound"),
    ("V402", _E, "a comparison that is not decided", "`value-bounds` states what is known about both sides"),
    ("V403", _R, "the answer of a comparison", "`value-bounds` states what is known about both sides"),
    ("V404", _R, "the answer of a dependence check", "`dependences` shows the distances and an example"),
    ("V405", _E, "a dependence that is not known", "`dependences` states why"),
    ("V900", _E, "an internal error of volcli", "please report it with the input; --traceback shows where"),
    ("V901", _E, "the process that analysed a file has ended, or needs more memory than it may have",
     "run volcli check on this file alone; report it, if it ends again"),
)  # fmt: skip
