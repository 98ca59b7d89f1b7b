"""The README's examples print what it shows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent
BLOCKS = re.findall(
    r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", (PACKAGE / "README.md").read_text(), re.MULTILINE | re.DOTALL
)


@pytest.mark.parametrize(("code", "expected"), BLOCKS, ids=range(len(BLOCKS)))
def test_blocks(code: str, expected: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert (done.stdout, done.stderr) == (expected, "")


def test_every_block_shows_its_output() -> None:
    assert (PACKAGE / "README.md").read_text().count("```python") == len(BLOCKS) > 8


def test_the_quick_start_is_the_example() -> None:
    quick_start = (PACKAGE / "examples/quick_start.py").read_text()
    assert BLOCKS[0][0] == quick_start and len(quick_start.splitlines()) == 10
