"""The wheel, built from the source archive and installed where nothing else is."""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from trove_classifiers import classifiers

import red7sim

pytestmark = pytest.mark.package

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel that is built from the source archive, which is built first."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    [archive] = out.glob("*.tar.gz")
    with tarfile.open(archive) as held:
        names = {name.partition("/")[2] for name in held.getnames()}
    assert {"LICENSE", "Makefile", "requirements/run.txt", "tests/naive.py"} <= names
    [built] = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def folder(wheel: Path, tmp_path_factory) -> Path:
    """An environment with the wheel and what it needs to play."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    pinned = ["--require-hashes", "-r", str(ROOT / "requirements" / "run.txt")]
    subprocess.run([*pip, "--disable-pip-version-check", *pinned], check=True)
    subprocess.run([*pip, "--disable-pip-version-check", "--no-deps", str(wheel)], check=True)
    return folder


def call(folder: Path, home: Path | str, *arguments: str) -> tuple[str, str]:
    """Run the installed command from a folder without the sources; return what it prints."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}
    done = subprocess.run(
        [str(folder / "bin" / "red7sim"), *arguments],
        cwd=folder.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as held:
        names = {name for name in held.namelist() if ".dist-info/" not in name}
    package = ROOT / "red7sim"
    sources = {path for path in package.rglob("*") if path.suffix in (".py", ".j2", ".typed")}
    assert names == {path.relative_to(ROOT).as_posix() for path in sources}
    assert {"red7sim/py.typed", "red7sim/show/report.html.j2"} <= names


def test_its_metadata_are_those_of_an_index(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as held:
        [name] = [name for name in held.namelist() if name.endswith("/METADATA")]
        metadata = Parser().parsestr(held.read(name).decode())
    assert metadata["Version"] == red7sim.__version__
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata.get_payload() == (ROOT / "README.md").read_text()
    assert set(metadata.get_all("Classifier")) <= classifiers
    assert set(metadata.get_all("Provides-Extra")) == {
        "audit", "cluster", "dev", "docs", "notebooks", "plots", "report",
    }  # fmt: skip


def test_it_plays_and_keeps_kernels_at_home_alone(folder: Path, tmp_path: Path) -> None:
    assert call(folder, tmp_path, "--version")[0] == f"red7sim {red7sim.__version__}\n"
    out, err = call(folder, tmp_path, "simulate", "--games", "2_000", "--json")
    assert err.startswith("compiling kernels (10 to 30 s); once for each kind of run")
    expected = red7sim.simulate(games=2000).seats()["win_rate"].to_list()
    assert [row["win_rate"] for row in json.loads(out)["seats"]] == expected
    assert [*(tmp_path / ".cache" / "red7sim").rglob("*.nbi")]
    again, err = call(folder, tmp_path, "simulate", "--games", "2_000", "--json")
    assert (json.loads(again)["seats"], err) == (json.loads(out)["seats"], "")
    assert "violet" in call(folder, tmp_path, "analyze", "R Y5B1G6G4/R1O3 G3V6I1O1/B2I7")[0]
    assert not [*folder.rglob("*.nb[ic]")]


def test_it_plays_where_no_home_can_be_written(folder: Path) -> None:
    """As on machines where accounts have none; and nothing is written beside the package."""
    out, err = call(folder, os.devnull, "simulate", "--games", "100", "--json")
    assert json.loads(out)["games"] == 100
    assert err.startswith("compiling kernels (10 to 30 s), anew each time: set RED7SIM_CACHE_DIR")
    assert err.count("\n") == 1
    assert not [*folder.rglob("*.nb[ic]")]


def test_a_cluster_names_its_extra(folder: Path, tmp_path: Path) -> None:
    command = [str(folder / "bin" / "red7sim"), "cluster", "local"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'red7sim[cluster]'" in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_can_be_taught(folder: Path, tmp_path: Path, shell: str) -> None:
    environment = os.environ | {
        "HOME": str(tmp_path),
        "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
    }
    done = subprocess.run(
        [str(folder / "bin" / "red7sim"), "--show-completion", shell],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert "_RED7SIM_COMPLETE" in done.stdout
