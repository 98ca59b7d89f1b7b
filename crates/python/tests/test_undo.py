"""Undo is an option: what a call would destroy is kept before it runs."""

import json
import shutil
from pathlib import Path

import pytest

from checkrein import Dispatcher, Payload


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    (tmp_path / "shop/lib").mkdir(parents=True)
    (tmp_path / "shop/lib/a.go").write_text("package a\n")
    (tmp_path / "shop/notes.txt").write_text("some notes\n")
    return tmp_path


def records(home: Path) -> list[Path]:
    return sorted((home / ".local/state/checkrein/undo").glob("k*"))


def call(home: Path, command: str) -> Payload:
    return Payload.pre_tool_use("Bash", {"command": command}, cwd=str(home / "shop"))


def test_nothing_is_kept_without_it(home: Path) -> None:
    outcome = Dispatcher.from_layers(home / "shop").dispatch(call(home, "rm -rf lib"))
    assert outcome.decision != "abstain"
    assert records(home) == []


def test_what_is_deleted_or_overwritten_is_kept(home: Path) -> None:
    hooks = Dispatcher.from_layers(home / "shop", undo=True)
    assert hooks.dispatch(call(home, "ls lib")).decision == "abstain"
    assert records(home) == []
    assert hooks.dispatch(call(home, "echo x > notes.txt")).decision == "abstain"
    assert len(records(home)) == 1
    outcome = hooks.dispatch(call(home, "rm -rf lib"))
    assert outcome.decision == "abstain"
    assert "Checkrein kept 1 file: checkrein undo k" in str(outcome.notices)
    shutil.rmtree(home / "shop/lib")
    manifests = [record.joinpath("record").read_text().splitlines() for record in records(home)]
    kept = {json.loads(line)["path"] for lines in manifests for line in lines[1:]}
    assert {str(home / "shop/lib/a.go"), str(home / "shop/notes.txt")} <= kept
