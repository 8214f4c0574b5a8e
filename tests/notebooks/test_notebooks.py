"""Notebooks from top to bottom in new kernels: they still print what is kept in them."""

import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"

KEY_NUMBERS: dict[str, dict[str, Any]] = {
    "1_first_simulation": {
        "long.seats()['wins'].to_list()": [300087.0, 302769.0, 397144.0],
        "int(holds.sum())": 96,
        "single": 88,
        "joint": 94,
        "stopped.summary['games']": 32768,
        "apart.line_up()['wins'].to_list()": [11680.0, 8320.0],
        "(both / unpaired) ** 2": 0.5982591843383959,
    },
    "2_first_player": {
        "by_rules['share'].to_list()": [0.35538, 0.42924, 0.437, 0.4887],
        "forced['share'].to_list()": [0.385175, 0.47615, 0.48685],
        "hands['rate'].to_list()": [0.3896, 0.432, 0.455, 0.4712, 0.4878],
        "regrets['regret'].to_list()": [
            0.3106796116504854,
            0.18573237653018151,
            0.10595187842971718,
        ],
    },
    "3_cards_and_rules": {
        "hand.head(1)['factor'].to_list()": ["R7"],
        "hand['effect'].to_list()[0]": 0.40759388095528704,
        "hand['effect'].to_list()[-1]": -0.06203716681851101,
        "sevens['effect'].to_list()[-1]": -0.014515770508680822,
        "missed['difference'].to_list()[2]": -0.04199999999999998,
        "figures['random'].to_list()[0]": 12.41296718722583,
    },
    "4_house_rule": {
        "tune.tables['variants'].select(*over).row(0)": ["lowest_card", "dealt", "8"],
        "tune.tables['variants']['unfairness'].to_list()[0]": 0.004813333333333336,
        "match.measures()['difference'].to_list()[:3]": [0.02839, 0.03212, -0.06051],
        "distance['with rule'].to_list()": [
            0.10674666666666671,
            0.03344666666666668,
            0.0015266666666666762,
            0.01266666666666666,
        ],
    },
    "5_own_player": {
        "study.tables['ratings']['rating'].to_list()": [
            117.16704286098182,
            42.04839142436602,
            31.26422842981267,
            -55.558321126927964,
            -134.92134158823256,
        ],
        "[name[:5] for name in study.tables['ratings']['player']]": [
            "leads",
            "thrif",
            "saver",
            "greed",
            "rando",
        ],
        "skill.tables['players']['thrown'].to_list()": [1189, 1129, 649],
    },
}
"""What a reader should take home, by expression, with the seeds of the notebooks."""


def near(value: Any) -> Any:
    """Return what equals a value, and numbers next to it: sums of floats may differ at the end."""
    if isinstance(value, list):
        return [near(part) for part in value]
    return value if isinstance(value, str) else pytest.approx(value, rel=1e-9)


def printed(cell: dict) -> list[Any]:
    """Return what a cell has put out: streams as one text each, and results with their texts and
    whether there is a picture.
    """
    streams: dict[str, str] = {}
    results = []
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            streams[output["name"]] = streams.get(output["name"], "") + output["text"]
        else:
            texts = {kind: data for kind, data in output["data"].items() if kind != "image/png"}
            results.append((output["output_type"], "image/png" in output["data"], texts))
    return [streams, results]


def execute(path: Path, expressions: list[str]) -> tuple[list[dict], list[Any]]:
    """Run a notebook in a new kernel, and return its code cells and the values of expressions."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    values = ", ".join(expressions)
    last = f"import json\nprint(json.dumps([{values}]))"
    notebook.cells.append(nbformat.v4.new_code_cell(last))
    client = NotebookClient(
        notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}
    )
    client.execute()
    cells = [cell for cell in notebook.cells if cell["cell_type"] == "code"]
    return cells[:-1], json.loads(cells[-1]["outputs"][0]["text"])


@pytest.mark.notebooks
@pytest.mark.filterwarnings("default")  # those of jupyter are none of ours
@pytest.mark.parametrize("name", KEY_NUMBERS)
def test_a_notebook_prints_what_is_kept_in_it(name: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    path = FOLDER / f"{name}.ipynb"
    import nbformat

    kept = [c for c in nbformat.read(path, as_version=4).cells if c["cell_type"] == "code"]
    expected = KEY_NUMBERS[name]
    cells, values = execute(path, [*expected])
    for old, new in zip(kept, cells, strict=True):
        assert printed(new) == printed(old), f"cell {old['id']} of {path.name}"
    assert values == [near(value) for value in expected.values()]
