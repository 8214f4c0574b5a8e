"""Print the oldest versions of libraries that pyproject.toml allows, as constraints for pip.

Tools for work on the project are not among them; they may be the newest.
"""

import re
import tomllib
from pathlib import Path

EXTRAS = ("cluster", "plots", "report")

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
listed = [*project["dependencies"]]
for extra in EXTRAS:
    listed += project["optional-dependencies"][extra]
for requirement in sorted({*listed}):
    name, version = re.fullmatch(r"([\w.-]+)>=([\d.]+)", requirement).groups()
    print(f"{name}=={version}")
