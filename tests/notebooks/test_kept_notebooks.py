"""Notebooks as they are kept: run, small, and free of what belongs to one machine."""

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_run_small_and_clean(path: Path) -> None:
    text = path.read_text()
    cells = json.loads(text)["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == [*range(1, len(code) + 1)]
    kinds = {output["output_type"] for cell in code for output in cell["outputs"]}
    assert kinds <= {"stream", "display_data", "execute_result"}
    assert all(output.get("name") != "stderr" for cell in code for output in cell["outputs"])
    assert any("image/png" in o.get("data", {}) for cell in code for o in cell["outputs"])
    assert len(text) <= 400_000
    assert not any(f'"{place}' in text or f" {place}" in text for place in ("/home/", "/root/"))
    assert not any(cell["metadata"] for cell in cells)
    assert len({cell["id"] for cell in cells}) == len(cells)


def test_there_are_notebooks_and_each_leads_to_others_that_exist() -> None:
    assert [path.name[0] for path in NOTEBOOKS] == [*"12345"]
    for path in NOTEBOOKS:
        for word in path.read_text().replace("`", " ").split():
            if word.endswith(".ipynb"):
                assert (FOLDER / word).is_file()
