"""The wheel as a user installs it: in a clean environment, with the program inside."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import checkrein
import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def wheel() -> Path:
    named = os.environ.get("CHECKREIN_WHEEL")
    assert named, "CHECKREIN_WHEEL names the wheel; `cargo xtask python` sets it"
    return Path(named)


@pytest.fixture(scope="module")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the `bin` of an environment that has only the wheel."""
    directory = tmp_path_factory.mktemp("clean")
    venv.create(directory, with_pip=True)
    install = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index"]
    subprocess.run([directory / "bin/python", *install, wheel], check=True)
    return directory / "bin"


def test_contents(wheel: Path) -> None:
    assert f"checkrein-{checkrein.__version__}-cp310-abi3-" in wheel.name
    names = set(zipfile.ZipFile(wheel).namelist())
    scripts = f"checkrein-{checkrein.__version__}.data/scripts/checkrein"
    assert {scripts, "checkrein/py.typed", "checkrein/_native.pyi", "checkrein/_native.abi3.so"} <= names
    assert not any("test" in name for name in names)


def test_the_program_is_a_program(clean: Path) -> None:
    program = clean / "checkrein"
    # Not a script that starts Python: hosts start it for every event.
    assert program.read_bytes()[:4] == b"\x7fELF" or sys.platform != "linux"
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    assert checkrein.__version__ in said
    said = subprocess.run([clean / "python", "-m", "checkrein", "--version"], capture_output=True, text=True, check=True).stdout
    assert checkrein.__version__ in said


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        ("quick_start.py", "<Outcome of PreToolUse: ask, \"no_friday_deploys: is it Friday?\">\n"),
        ("redact.py", "key: [redacted] [('redact', '1 tokens redacted')]\n"),
        ("agent.py", "hello\n"),
        ("list_of_hooks.py", "deny not today\n"),
    ],
)
def test_examples(clean: Path, example: str, expected: str) -> None:
    script = HERE.parent / "examples" / example
    done = subprocess.run([clean / "python", script], capture_output=True, text=True, cwd="/")
    assert (done.stdout, done.stderr, done.returncode) == (expected, "", 0)


def test_the_program_calls_functions_in_the_environment(clean: Path, tmp_path: Path) -> None:
    """The program calls a function that uses the package, with the interpreter that the configuration names."""
    (tmp_path / "guards.py").write_text(
        "from checkrein import Payload, Verdict\n\ndef check(payload):\n"
        "    return Verdict.deny('not ' + (Payload(payload).command or ''))\n"
    )
    (tmp_path / "hooks.toml").write_text(
        f'python = "{clean / "python"}"\n[[hook]]\nevent = "PreToolUse"\ncallable = "guards:check"\n'
    )
    event = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}
    done = subprocess.run(
        [clean / "checkrein", "hook", "--host", "checkrein", "--config", tmp_path / "hooks.toml"],
        input=json.dumps(event),
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
    )
    assert json.loads(done.stdout)["reason"] == "guards:check: not ls", done.stderr
