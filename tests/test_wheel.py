"""The wheel holds what it should, and runs where nothing of this tree is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from collections.abc import Callable
from email.parser import Parser
from pathlib import Path

import pytest

from tests.cli.test_process import FOR_A_SHELL, help_examples
from volcli import __version__
from volcli.runtime.shipped import EXAMPLES, SCHEMAS

Installed = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    # hatchling itself, and not `pip wheel`: that would fetch hatchling into an environment of its own.
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=root,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Run a line of shell in a new environment, offline: only volcli is installed anew.

    A .pth file in the new environment names this one's site-packages. Python reads .pth files only in its
    own, so that an editable volcli of this environment (which is one) stays out of sight.
    """
    where = tmp_path_factory.mktemp("installed") / "env"
    venv.create(where, with_pip=False)
    scripts = where / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(scripts / "python"), "--disable-pip-version-check",
         "install", "--quiet", "--no-index", "--no-deps", str(wheel)],
        check=True,
    )  # fmt: skip
    paths = sysconfig.get_paths(vars={"base": str(where), "platbase": str(where)})
    ours = sysconfig.get_paths()
    Path(paths["purelib"], "dependencies.pth").write_text(f"{ours['purelib']}\n{ours['platlib']}\n")

    def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
        """In FOLDER, which is not the tree, where `import volcli` would find the sources."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        environment["PATH"] = f"{scripts}{os.pathsep}{environment['PATH']}"
        return subprocess.run(
            ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )

    return run


def test_one_version_stands_everywhere(root: Path) -> None:
    assert f"\nversion: {__version__}\n" in (root / "CITATION.cff").read_text()
    assert f"\n## {__version__}\n" in (root / "CHANGELOG.md").read_text()


def test_top_level(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        top = {name.partition("/")[0] for name in archive.namelist()}
        assert not [name for name in archive.namelist() if name.endswith((".pyc", "ruff.toml"))]
        assert {"volcli/py.typed", "volcli_dialects/py.typed"} <= set(archive.namelist())
    version = wheel.name.split("-")[1]
    assert top == {"volcli", "volcli_dialects", f"volcli-{version}.dist-info", f"volcli-{version}.data"}


def test_pages_for_man_are_those_of_the_commands(wheel: Path, root: Path) -> None:
    folder = f"volcli-{wheel.name.split('-')[1]}.data/data/share/man/man1/"
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".data/" in name]
        found = {name.removeprefix(folder): archive.read(name).decode() for name in names}
    # In a process of its own: other tests add dialects and limits, which the texts of options list.
    program = "import json, docs.site.manual as manual; print(json.dumps(manual.man_pages()))"
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    assert found == json.loads(ran.stdout)


def test_what_volcli_ships_is_in_the_wheel_as_it_is_in_the_tree(wheel: Path, root: Path) -> None:
    """volcli/runtime/shipped.py and pyproject.toml list the same files."""
    shipped = {f"volcli/share/examples/{name}": path for name, path in EXAMPLES.items()}
    shipped |= {f"volcli/share/{name}.schema.json": path for name, path in SCHEMAS.items()}
    programs = root / "testdata" / "check"
    for path in (each for each in programs.rglob("*") if each.is_file()):
        shipped[f"volcli/share/findings/{path.relative_to(programs)}"] = str(path)
    with zipfile.ZipFile(wheel) as archive:
        found = {name for name in archive.namelist() if name.startswith("volcli/share/")}
        assert found == set(shipped)
        for name, path in shipped.items():
            assert archive.read(name) == (root / path).read_bytes()


def test_metadata(wheel: Path, root: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        (text,) = (name for name in archive.namelist() if name.endswith("/licenses/LICENSE"))
        metadata = Parser().parsestr(archive.read(name).decode())
        assert archive.read(text) == (root / "LICENSE").read_bytes()
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert metadata["License-Expression"] == "Apache-2.0 WITH LLVM-exception"
    assert metadata["Author"] == "The volcli authors"
    assert metadata.get_all("Project-URL") == [f"{key}, {url}" for key, url in project["urls"].items()]
    assert metadata["Keywords"].split(",")


def test_the_licence_is_that_of_llvm(root: Path) -> None:
    lines = (root / "LICENSE").read_text().splitlines()
    assert [line.strip() for line in lines[:2]] == ["Apache License", "Version 2.0, January 2004"]
    assert "---- LLVM Exceptions to the Apache 2.0 License ----" in lines
    assert lines[-1] == "Software."


@pytest.mark.slow
def test_it_is_the_one_that_was_installed(installed: Installed, tmp_path: Path, root: Path) -> None:
    for package in ("volcli", "volcli_dialects"):
        where = installed(f"python -c 'import {package}; print({package}.__file__)'", tmp_path).stdout
        assert where
        assert not where.startswith(str(root))
    layer = root / "testdata" / "linalg" / "conv_layer.mlir"
    ran = installed(f"volcli opt {layer} -p infer-shapes,sparsity-regions", tmp_path)
    assert "// volcli:" in ran.stdout


CALLED = """
import os, shlex, sys
from pathlib import Path
from click.testing import CliRunner
from volcli.cli.commands import volcli
for line in sys.stdin.read().splitlines():
    folder, example = line.split(None, 1)
    Path(folder).mkdir(exist_ok=True)
    os.chdir(folder)
    ran = CliRunner().invoke(volcli, shlex.split(example)[1:])
    assert ran.exit_code == 0, (example, ran.output)
"""


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, pytest.param(100, marks=pytest.mark.fuzz)])
def test_examples_in_its_help_texts_run(installed: Installed, tmp_path: Path, most: int) -> None:
    """The first of volcli and of each of its commands, which need no shell, in one process; in a campaign, all.

    tests/cli/test_process.py runs all of them in this tree, whose files are those of the wheel.
    """
    (tmp_path / "called.py").write_text(CALLED)
    help_text = installed("volcli --help", tmp_path).stdout
    commands = re.findall(r"^  ([a-z]+) {2,}\S", help_text.partition("Commands:")[2], re.MULTILINE)
    examples = help_examples()
    assert {*commands, "volcli"} == set(examples)
    lines = [
        f"{tmp_path / command} {example}"
        for command in examples
        for example in examples[command][:most]
        if not FOR_A_SHELL & set(example)
    ]
    (tmp_path / "examples.txt").write_text("\n".join(lines))
    ran = installed("python called.py < examples.txt", tmp_path)
    assert ran.returncode == 0, ran.stderr


def test_each_file_of_the_tree_is_in_it(wheel: Path, root: Path) -> None:
    """As it is there, so that what runs in the tree runs where the wheel is installed."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        for package in (root / "volcli", root / "dialects" / "volcli_dialects"):
            for path in package.rglob("*.py"):
                name = str(path.relative_to(package.parent))
                assert name in names
                assert archive.read(name) == path.read_bytes()


@pytest.mark.slow
def test_its_schema_is_that_of_its_json(installed: Installed, tmp_path: Path) -> None:
    checked = (
        "import json, jsonschema, sys; "
        "jsonschema.validate(json.load(open('facts.json')), json.load(open('schema.json')))"
    )
    lines = (
        "volcli examples --into . > names",
        "volcli analyze tiles.mlir conv_layer.mlir --format json -o facts.json",
        "volcli schema > schema.json",
        f'python -c "{checked}"',
    )
    for line in lines:
        ran = installed(line, tmp_path)
        assert ran.returncode == 0, (line, ran.stderr)
