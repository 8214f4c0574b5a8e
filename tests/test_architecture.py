"""House rules: who may import whom, what is public, what the modules look like."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import red7sim

PACKAGE = Path(red7sim.__file__).parent
ARCHITECTURE = PACKAGE.parent / "ARCHITECTURE.md"
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}

# From the ground up; within a wing, modules stand in the order of their floors.
FLOORS = [
    "red7sim.jit.cache",
    "red7sim.jit.settings",
    "red7sim.jit.addresses",
    "red7sim.jit.bits",
    "red7sim.jit.machine_vectors",
    "red7sim.jit.vectors",
    "red7sim.jit.rng",
    "red7sim.game.refused",
    "red7sim.game.nearest",
    "red7sim.game.cards",
    "red7sim.game.rules",
    "red7sim.game.winning",
    "red7sim.game.switches",
    "red7sim.game.packed",
    "red7sim.game.ruleset",
    "red7sim.game.contest",
    "red7sim.game.rulefile",
    "red7sim.game.wording",
    "red7sim.game.view",
    "red7sim.game.turns",
    "red7sim.game.short_keys",
    "red7sim.game.lanes",
    "red7sim.game.steps",
    "red7sim.game.step_counts",
    "red7sim.game.actions",
    "red7sim.game.notation",
    "red7sim.play.solver",
    "red7sim.play.deal",
    "red7sim.play.policy",
    "red7sim.play.outside",
    "red7sim.play.spec",
    "red7sim.play.outlook",
    "red7sim.play.replies",
    "red7sim.play.prospect",
    "red7sim.play.tally",
    "red7sim.play.scoring",
    "red7sim.play.trace",
    "red7sim.play.record",
    "red7sim.play.batch",
    "red7sim.play.details",
    "red7sim.play.watch",
    "red7sim.play.moves",
    "red7sim.play.action_turn",
    "red7sim.play.engine",
    "red7sim.play.players",
    "red7sim.play.playout",
    "red7sim.play.promising",
    "red7sim.play.players.rollout",
    "red7sim.play.players.search",
    "red7sim.play.players.banker",
    "red7sim.play.players.pimc",
    "red7sim.play.flight",
    "red7sim.play.asking",
    "red7sim.play.vector_engine",
    "red7sim.play.fleet",
    "red7sim.play.conformance",
    "red7sim.play.table",
    "red7sim.play.detailed",
    "red7sim.play.replayed",
    "red7sim.play.design",
    "red7sim.play.paired_engine",
    "red7sim.play.paired",
    "red7sim.play.replay",
    "red7sim.play.position",
    "red7sim.play.starts",
    "red7sim.play.started",
    "red7sim.play.judged",
    "red7sim.play.bootstrap",
    "red7sim.play.open_hands",
    "red7sim.lab.ledger",
    "red7sim.lab.pieces",
    "red7sim.lab.cluster",
    "red7sim.lab.runs",
    "red7sim.lab.logs",
    "red7sim.lab.stats",
    "red7sim.lab.ratings",
    "red7sim.lab.solving",
    "red7sim.lab.worlds",
    "red7sim.lab.sequential",
    "red7sim.lab.stopping",
    "red7sim.lab.columns",
    "red7sim.lab.rows",
    "red7sim.lab.provenance",
    "red7sim.lab.files",
    "red7sim.lab.sealed",
    "red7sim.lab.dataset",
    "red7sim.lab.writer",
    "red7sim.lab.collect",
    "red7sim.lab.summary",
    "red7sim.lab.orders",
    "red7sim.lab.starting",
    "red7sim.lab.analysis",
    "red7sim.lab.sprt",
    "red7sim.lab.match",
    "red7sim.lab.match_order",
    "red7sim.lab.common",
    "red7sim.lab.fairest",
    "red7sim.lab.tables",
    "red7sim.lab.results",
    "red7sim.lab.simulating",
    "red7sim.lab.answers",
    "red7sim.lab.multiple",
    "red7sim.lab.groups",
    "red7sim.lab.detailed",
    "red7sim.lab.choices",
    "red7sim.lab.effects",
    "red7sim.lab.spread",
    "red7sim.lab.scores",
    "red7sim.lab.studies.verdicts",
    "red7sim.lab.studies.study",
    "red7sim.lab.studies.kept",
    "red7sim.lab.studies.cross",
    "red7sim.lab.studies.seat_rounds",
    "red7sim.lab.studies.fair_share",
    "red7sim.lab.studies.variants",
    "red7sim.lab.studies.skill",
    "red7sim.lab.studies.tournament",
    "red7sim.lab.studies.sweep",
    "red7sim.lab.studies",  # the studies
    "red7sim.show.cells",
    "red7sim.show.letters",
    "red7sim.show.figures",
    "red7sim.show.maps",
    "red7sim.show.refused",
    "red7sim.show.tables",
    "red7sim.show.plots.forest",
    "red7sim.show.plots",
    "red7sim.show.views",
    "red7sim.show.report",
    "red7sim.api",
    "red7sim",  # the public names
    "red7sim.cli.streams",
    "red7sim.cli.refusals",
    "red7sim.cli.options",
    "red7sim.cli.exporting",
    "red7sim.cli.cluster_options",
    "red7sim.cli.spread",
    "red7sim.cli.rule_options",
    "red7sim.cli.start_options",
    "red7sim.cli.study_options",
    "red7sim.cli.output",
    "red7sim.cli.game_text",
    "red7sim.cli.summary_text",
    "red7sim.cli.study_output",
    "red7sim.cli",  # the commands
    "red7sim.cli.app",
    "red7sim.__main__",
]

WINGS = tuple(f"red7sim.{wing}" for wing in ("jit", "game", "play", "lab", "show", "cli"))


def floor(module: str) -> int:
    """The floor of a module: that of its longest listed prefix."""
    listed = [name for name in FLOORS if f"{module}.".startswith(f"{name}.")]
    return FLOORS.index(max(listed, key=len))


def imports(path: Path) -> set[str]:
    """Modules of the package that a file imports anywhere, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name in MODULES}


@pytest.mark.parametrize("module", MODULES)
def test_modules_import_only_from_lower_floors(module: str) -> None:
    packages = {name for name, path in MODULES.items() if path.name == "__init__.py"}
    for imported in imports(MODULES[module]) - packages:
        assert floor(imported) < floor(module), f"{module} imports {imported}"


@pytest.mark.parametrize("module", MODULES)
def test_every_module_has_a_floor_of_its_own_or_its_wing_has(module: str) -> None:
    assert floor(module) != floor("red7sim") or module in ("red7sim", *WINGS)


def test_the_floors_name_modules_that_exist() -> None:
    assert set(FLOORS) <= set(MODULES)


def tree_of_the_architecture() -> list[str]:
    """Paths of the files in the tree of ARCHITECTURE.md, in its order."""
    [tree] = re.findall(r"^red7sim/\n(.*?)^tests/", ARCHITECTURE.read_text(), re.M | re.S)
    paths: list[str] = []
    folders: list[str] = []
    for spaces, name in re.findall(r"^((?:  )+)([\w*]+(?:/|\.py)) ", tree, re.M):
        folders[len(spaces) // 2 - 1 :] = [name]
        if name.endswith(".py"):
            paths.append("".join(folders))
    return paths


def named_in_the_architecture() -> list[str]:
    """The modules that the tree names, in its order; `*` stands for those not named themselves."""
    paths = tree_of_the_architecture()
    plain = {PACKAGE / path for path in paths}
    module_at = {path: name for name, path in MODULES.items() if path.name != "__init__.py"}
    return [
        module_at[found]
        for path in paths
        for found in ([PACKAGE / path] if "*" not in path else sorted(PACKAGE.glob(path)))
        if found in module_at and ("*" not in path or found not in plain)
    ]


def test_the_architecture_names_files_in_the_order_of_their_floors() -> None:
    named = named_in_the_architecture()
    assert named == sorted(named, key=floor)


def test_the_architecture_names_every_file_once() -> None:
    """Players, tables and plots are named by their folders."""
    named = named_in_the_architecture()
    assert len({*named}) == len(named)
    folders = ("red7sim.play.players.", "red7sim.show.tables.", "red7sim.show.plots.")
    assert {*named} | {"red7sim.__main__"} == {
        name
        for name, path in MODULES.items()
        if path.name != "__init__.py" and not name.startswith(folders)
    }
    for path in tree_of_the_architecture():
        assert [*PACKAGE.glob(path)], f"{path} is named, and there is none"


@pytest.mark.parametrize("module", MODULES)
def test_kernels_are_defined_only_where_the_cache_looks(module: str) -> None:
    from red7sim.jit.cache import KERNEL_WINGS

    if not module.startswith(tuple(f"red7sim.{wing}" for wing in KERNEL_WINGS)):
        text = MODULES[module].read_text()
        assert not any(word in text for word in ("@kernel", "kernel(", "njit", "inlined("))


@pytest.mark.parametrize("module", MODULES)
def test_files_are_short_enough_to_read_and_say_what_they_are(module: str) -> None:
    text = MODULES[module].read_text()
    assert len(text.splitlines()) <= 400
    assert ast.get_docstring(ast.parse(text))


@pytest.mark.parametrize("module", MODULES)
def test_nothing_depends_on_the_time_of_the_day(module: str) -> None:
    """A clock that is set back must not matter, so time is measured by `time.perf_counter`."""
    text = MODULES[module].read_text()
    assert not any(word in text for word in ("time.time(", "datetime"))


def test_public_names_are_sorted_and_exist() -> None:
    assert red7sim.__all__ == sorted(red7sim.__all__)
    assert all(hasattr(red7sim, name) for name in red7sim.__all__)


def test_importing_the_package_and_its_command_line_is_cheap() -> None:
    code = (
        "import sys, red7sim, red7sim.cli.app; "
        "heavy = {'numba', 'numpy', 'polars', 'matplotlib', 'scipy'} & set(sys.modules); "
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
