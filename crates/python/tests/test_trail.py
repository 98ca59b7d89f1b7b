"""The trail: off until it is turned on, one line for each event, without secrets."""

import asyncio
import json
from pathlib import Path

import pytest

from checkrein import Dispatcher, Payload

TOKEN = "kR4vT9xQ2mWz7LpB"


def shell(command: str) -> Payload:
    return Payload.pre_tool_use("Bash", {"command": command})


def lines(home: Path) -> list[dict[str, object]]:
    current = home / ".local/state/checkrein/trail/current.jsonl"
    return [json.loads(line) for line in current.read_text().splitlines()] if current.exists() else []


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return tmp_path


@pytest.mark.parametrize("layers", [False, True])
def test_it_is_off_until_it_is_turned_on(home: Path, layers: bool) -> None:
    hooks = Dispatcher.from_layers(home) if layers else Dispatcher()
    hooks.dispatch(shell("ls"))
    assert lines(home) == []
    hooks.keep_trail()
    hooks.dispatch(shell(f"API_TOKEN={TOKEN} ls"))
    asyncio.run(hooks.adispatch(shell("git status")))
    kept = lines(home)
    assert [line["event"] for line in kept] == ["PreToolUse", "PreToolUse"]
    assert kept[1]["summary"] == "git status"
    assert kept[1]["prev"] == kept[0]["hash"]
    assert TOKEN not in json.dumps(kept)


def test_a_configuration_can_turn_it_off(home: Path) -> None:
    file = home / ".config/checkrein/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('trail = "off"\n')
    with pytest.raises(ValueError, match="no trail"):
        Dispatcher.from_layers(home).keep_trail()
