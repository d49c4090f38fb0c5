"""volcli as its users' shells see it: pipes, signals, terminals."""

from __future__ import annotations

import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import click
import pytest

from tests.conftest import Run
from volcli.cli import commands as cli

VOLCLI = f"{sys.executable} -m volcli"


def sh(command: str, root: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run COMMAND in bash; the exit code is that of the first program of its pipe."""
    return subprocess.run(
        ["bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        cwd=root,
        env=environment,
        check=False,
        timeout=60,
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize("arguments", ["codes", "codes --format json", "--help", "opt --help"])
def test_a_reader_who_leaves_hears_nothing(
    arguments: str, root: Path, environment: Mapping[str, str]
) -> None:
    ran = sh(f"{VOLCLI} {arguments} | true", root, environment)
    assert ran.stderr == ""
    assert ran.returncode in (0, 141)


@pytest.mark.slow
def test_a_reader_of_one_line_of_many(root: Path, environment: Mapping[str, str], tmp_path: Path) -> None:
    large = tmp_path / "large.mlir"
    declared = (f"func.func private @f{i}_{'x' * 500}(i32)\n" for i in range(1, 2000))
    large.write_text("func.func private @f0(i32)\n" + "".join(declared))  # beyond any pipe's buffer
    with subprocess.Popen(
        [sys.executable, "-m", "volcli", "opt", str(large)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root, env=environment,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "func.func private @f0(i32)\n"
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


@pytest.mark.sample(1)
@pytest.mark.parametrize("arguments", ["--help", "opt --help"])
def test_a_closed_stdout(arguments: str, root: Path, environment: Mapping[str, str]) -> None:
    ran = sh(f"{VOLCLI} {arguments} >&-", root, environment)
    assert ran.stderr == ""
    assert ran.returncode == 0


@pytest.mark.slow
def test_a_closed_stdout_loses_a_result(root: Path, environment: Mapping[str, str]) -> None:
    ran = sh(f"echo 'func.func private @f()' | {VOLCLI} opt - >&-", root, environment)
    assert "V006: cannot write the output: Bad file descriptor" in ran.stderr


@pytest.mark.slow
def test_a_closed_stdin(root: Path, environment: Mapping[str, str]) -> None:
    ran = sh(f"{VOLCLI} opt - <&-", root, environment)
    assert ran.returncode == 2
    assert "V100: '-' cannot be read: Bad file descriptor" in ran.stderr


@pytest.mark.slow
def test_diagnostics_into_a_closed_pipe(root: Path, environment: Mapping[str, str]) -> None:
    ran = sh(f"{VOLCLI} opt none.mlir 2>&1 | true", root, environment)
    assert "Traceback" not in ran.stderr
    assert ran.returncode in (2, 141)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["opt", "analyze", "annotate -p infer-shapes"])
def test_a_named_stdout(command: str, root: Path, environment: Mapping[str, str]) -> None:
    """What is written to `/dev/stdout` is what is written without a name, through a pipe, too."""
    command = f"echo 'func.func private @f()' | {VOLCLI} {command} -"
    plain = sh(command, root, environment)
    named = sh(f"{command} -o /dev/stdout | cat", root, environment)
    assert plain.stdout
    assert (named.stdout, named.stderr) == (plain.stdout, "")


def test_a_named_stdout_that_nobody_reads(root: Path, environment: Mapping[str, str]) -> None:
    ran = sh(f"{VOLCLI} codes -o /dev/stdout | true", root, environment)
    assert "Traceback" not in ran.stderr
    assert ran.returncode in (0, 2, 141)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read_among_several(
    root: Path, environment: Mapping[str, str], tmp_path: Path
) -> None:
    names = [str(tmp_path / name) for name in ("a.mlir", "b.mlir", "c.mlir")]
    for name in names:
        Path(name).write_text("func.func @f(%n: index) -> index { return %n : index }\n")
    Path(names[1]).chmod(0)
    ran = sh(f"{VOLCLI} analyze {' '.join(names)}", root, environment)
    assert ran.returncode == 2
    assert ran.stderr.startswith(
        f"{names[1]}:1:1: error: V100: '{names[1]}' cannot be read: Permission denied"
    )
    assert names[0] in ran.stdout
    assert names[2] in ran.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk(root: Path, environment: Mapping[str, str]) -> None:
    ran = sh(f"{VOLCLI} codes > /dev/full", root, environment)
    assert ran.stderr.startswith("error: V006: cannot write the output")
    assert ran.returncode == 2


@pytest.mark.slow
def test_ctrl_c(root: Path, environment: Mapping[str, str], tmp_path: Path) -> None:
    target = tmp_path / "out.mlir"
    with subprocess.Popen(
        [sys.executable, "-m", "volcli", "opt", "-", "-o", str(target)],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=root,
        env=environment,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # what shells run behind ignores it
    ) as process:
        _wait_until_it_reads(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
        assert process.stderr is not None
        said = process.stderr.read()
    assert said.strip() == "volcli: interrupted"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_ctrl_c_while_processes_work(root: Path, environment: Mapping[str, str]) -> None:
    """Nothing else is said: what the processes shared is given back."""
    with subprocess.Popen(
        [sys.executable, "-m", "volcli", "check", "testdata", "--no-cache", "-j", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=root,
        env=environment,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        for _ in range(1000):
            found = [
                path.read_text().split() for path in Path(f"/proc/{process.pid}/task").glob("*/children")
            ]
            if sum(map(len, found)) >= 2:  # two workers; multiprocessing may have a process of its own
                break
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=20) == 130
        assert process.stderr is not None
        assert process.stderr.read().strip() == "volcli: interrupted"


def _wait_until_it_reads(process: int) -> None:
    """Until PROCESS sleeps in a read of its stdin, the pipe that nobody writes to."""
    for _ in range(1000):
        try:
            call = Path(f"/proc/{process}/syscall").read_text().split()[:2]
        except OSError:  # not Linux, or not allowed to look
            time.sleep(3)
            return
        if call in (["0", "0x0"], ["63", "0x0"]):  # read(2) of descriptor 0, on x86-64 and arm64
            return
        time.sleep(0.01)


@pytest.mark.slow
def test_stdin(process: Run) -> None:
    text = "func.func private @f(i32)\n"
    assert process("opt", input=text).stdout == text
    assert process("opt", "-", input=text).stdout == text
    ran = process("opt", "-", input="module {")
    assert ran.returncode == 2
    assert ran.stderr.startswith("-:1:")


def on_a_terminal(arguments: list[str], root: Path, environment: Mapping[str, str]) -> tuple[str, int]:
    """What volcli shows on a terminal, and its exit code."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "volcli", *arguments],
        stdin=theirs, stdout=theirs, stderr=theirs, cwd=root, env={"TERM": "xterm", **environment},
    ) as process:  # fmt: skip
        os.close(theirs)
        shown = b""
        while True:
            try:
                data = os.read(ours, 65536)
            except OSError:  # EIO: the last holder of the other side has gone
                data = b""
            if not data:
                break
            shown += data
    os.close(ours)
    return shown.decode(), process.returncode


@pytest.mark.slow
@pytest.mark.parametrize(
    ("set_", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
    ids=str,
)
def test_colours_are_for_terminals(
    set_: dict[str, str], coloured: bool, root: Path, environment: Mapping[str, str], process: Run
) -> None:
    shown, code = on_a_terminal(["opt", "none.mlir"], root, {**environment, "COLUMNS": "200", **set_})
    assert code == 2
    assert ("\x1b[" in shown) == ("\x1b]8;;" in shown) == coloured
    plain = re.sub(r"\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\", "", shown).replace("\r\n", "\n")
    assert plain == process("opt", "none.mlir").stderr


def help_examples() -> dict[str, list[str]]:
    """The lines `$ ...` of each help text, which ends with one."""
    context = click.Context(cli.volcli)
    names = cli.volcli.list_commands(context)
    commands = [cli.volcli, *(cli.volcli.get_command(context, name) for name in names)]
    examples: dict[str, list[str]] = {}
    for command in commands:
        assert command is not None
        lines = f"{command.help}\n{command.epilog or ''}".splitlines()
        examples[str(command.name)] = [line.removeprefix("  $ ") for line in lines if line.startswith("  $ ")]
        assert examples[str(command.name)], f"the help of {command.name} has no example"
    return examples


FOR_A_SHELL = set("|<>;&$*?`~#\\")
"""An example without these is the same words for a shell and for `shlex`."""


@pytest.mark.slow
@pytest.mark.parametrize("command", help_examples())
def test_examples_in_help_texts_run(
    command: str, tmp_path: Path, environment: Mapping[str, str], volcli: Run
) -> None:
    """In a folder of their own, from the first to the last: nothing of this tree is there.

    What needs no shell runs in this process, which has imported what each of them would import anew.
    """
    for example in help_examples()[command]:
        if example.startswith("volcli ") and not FOR_A_SHELL & set(example):
            ran = volcli(*shlex.split(example)[1:], cwd=tmp_path)
        else:
            ran = sh(example.replace("volcli", VOLCLI, 1), tmp_path, environment)
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout or "--in-place" in example or "--check" in example or " -o " in example


@pytest.mark.slow
def test_an_interrupted_terminal_has_a_clean_line(
    root: Path, environment: Mapping[str, str], tmp_path: Path
) -> None:
    """Ctrl-C removes the line that shows progress, and says that it came."""
    file = tmp_path / "long.mlir"
    store = "    affine.store %x, %m[%i * 3 + {}] : memref<?xf32>\n"
    stores = "".join(store.format(number) for number in range(300))
    file.write_text(
        f"func.func @f(%m: memref<?xf32>, %x: f32, %n: index) {{\n  affine.for %i = 0 to %n {{\n{stores}  }}\n  return\n}}\n"
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "volcli", "analyze", str(file), "--ask", "dependences"],
        stdin=theirs, stdout=theirs, stderr=theirs, cwd=root,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # what shells run behind ignores it
        env={"TERM": "xterm", "COLUMNS": "100", **environment},
    ) as process:  # fmt: skip
        os.close(theirs)
        shown = b""
        while b"@f: dependences  " not in shown:
            shown += os.read(ours, 65536)
        process.send_signal(signal.SIGINT)
        while b"volcli: interrupted" not in shown:
            shown += os.read(ours, 65536)
    os.close(ours)
    assert process.returncode == 130
    last = shown.decode().rpartition("\x1b[K")[2]
    assert last.split() == ["volcli:", "interrupted"]
