"""The cases of `corpus/doors` through the package. The program and the harness run the same ones."""

import json
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import checkrein

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[3] / "corpus" / "doors" / "cases.json").read_text(encoding="utf-8")
)

RESULTS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[3] / "corpus" / "doors" / "results.json").read_text(encoding="utf-8")
)

IN_7_DAYS = (datetime.now(timezone.utc) + timedelta(days=7)).date().isoformat()


def test_there_are_cases() -> None:
    assert len(CASES) > 20


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "project" / ".git").mkdir(parents=True)
    (tmp_path / ".config" / "checkrein").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_package_decides_like_the_others(case: dict[str, Any], home: Path) -> None:
    layers = {
        "user": home / ".config" / "checkrein" / "config.toml",
        "project": home / "project" / ".checkrein.toml",
        "flag": home / "flag.toml",
    }
    for name, path in layers.items():
        if name in case:
            path.write_text(case[name].replace("@in-7-days", IN_7_DAYS), encoding="utf-8")
    config = layers["flag"] if "flag" in case else None
    if case["decision"] == "broken":
        with pytest.raises(checkrein.ConfigError) as problems:
            checkrein.Dispatcher.from_layers(home / "project", config=config)
        assert all(part in str(problems.value) for part in case.get("says", []))
        return
    hooks = checkrein.Dispatcher.from_layers(home / "project", config=config)
    event = {
        "hook_event_name": "PreToolUse",
        "session_id": "doors",
        "cwd": str(home / "project"),
        "tool_name": case.get("tool", "Bash"),
        "tool_input": {case.get("argument", "command"): case["command"]},
    }
    first = case.get("says", [])
    for says in (first, case.get("again", first)):
        outcome = hooks.dispatch(dict(event))
        assert outcome.decision.value == case["decision"]
        said = [*outcome.reasons, *outcome.context, *outcome.notices]
        for part in says:
            hook, text = part.split(": ", 1)
            assert any(hook == by and text in what for by, what in said), (part, said)
        if says is first:
            spoken = [text for by, what in said for text in (by, what)] + hooks.remarks
            assert not [part for part in case.get("unsaid", []) for text in spoken if part in text]
    if case.get("remarks", []) is not None:
        expected = case.get("remarks", [])
        assert len(hooks.remarks) == len(expected)
        assert all(part in remark for part, remark in zip(expected, hooks.remarks))


@pytest.mark.parametrize("case", RESULTS, ids=lambda case: case["name"])
def test_the_package_shows_results_like_the_others(case: dict[str, Any], home: Path) -> None:
    if "user" in case:
        (home / ".config" / "checkrein" / "config.toml").write_text(case["user"], encoding="utf-8")
    for name, text in case.get("files", {}).items():
        (home / "project" / name).write_text(text, encoding="utf-8")
    hooks = checkrein.Dispatcher.from_layers(home / "project")
    outcome = hooks.dispatch(
        {
            "hook_event_name": "PostToolUse",
            "session_id": "doors",
            "cwd": str(home / "project"),
            "tool_name": "Bash",
            "tool_input": {"command": "./report"},
            "tool_response": case["result"],
        }
    )
    if "withheld" in case:
        assert outcome.denied
        assert case["withheld"] in outcome.reason
        return
    shown = outcome.tool_output
    assert shown is not None
    if "literal" in case:
        assert shown == case["literal"]
    else:
        assert re.sub(r"secret_\w+", "@", shown) == case["shown"]
