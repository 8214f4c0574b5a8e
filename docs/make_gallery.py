"""Make the pictures of the gallery anew, by the commands that stand on its page.

A command there ends in `--out DIR`; of the pictures that it writes, those that the page shows as
gallery/DIR/PICTURE.webp are kept, without loss, at a third of the size of the PNG.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

DOCS = Path(__file__).parent


def make(page: Path) -> None:
    """Run the commands of the page and keep the pictures that it shows."""
    text = page.read_text()
    with tempfile.TemporaryDirectory() as folder:
        for command in re.findall(r"^\$ red7sim (.*)$", text, re.MULTILINE):
            words = [sys.executable, "-m", "red7sim", *shlex.split(command), "--quiet"]
            subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for shown in sorted(set(re.findall(r"\(gallery/(.*?)\.webp\)", text))):
            kept = DOCS / "gallery" / f"{shown}.webp"
            kept.parent.mkdir(parents=True, exist_ok=True)
            with Image.open(Path(folder, f"{shown}.png")) as picture:
                picture.convert("RGB").save(kept, lossless=True, quality=100, method=6)


if __name__ == "__main__":
    make(DOCS / "gallery.md")
