"""The hooks that all adapters are tested with."""

from __future__ import annotations

from typing import Any

import pytest
from checkrein import Dispatcher, Payload, Verdict

SECRET = "tok_1234567890"


@pytest.fixture
def asked() -> list[str]:
    """The questions that were asked."""
    return []


@pytest.fixture
def hooks() -> Dispatcher:
    """The guard, an editor, a redactor, a question and some context, for tools that the guard does not know by name."""
    made = Dispatcher(kinds={"host_command": "shell"})

    async def dry(payload: Payload) -> Any:
        command = str(payload.command)
        return Verdict(rewrite={"command": f"{command} --dry-run"}) if command.startswith("release") else None

    def redact(payload: Payload) -> Any:
        text = payload.tool_output or ""
        return Verdict(tool_output=text.replace(SECRET, "[redacted]")) if SECRET in text else None

    def withhold(payload: Payload) -> Any:
        return Verdict.deny("not for you") if "classified" in (payload.tool_output or "") else None

    made.add(dry, "PreToolUse", name="dry", role="edit")
    made.add(lambda p: Verdict.ask("sure?") if p.command == "deploy" else None, "PreToolUse", name="confirm", role="judge")
    made.add(lambda p: Verdict(context="know this") if p.command == "explain" else None, "PreToolUse", name="tell")
    for event in ("PostToolUse", "PostToolUseFailure"):
        made.add(redact, event, name="redact", role="edit")  # type: ignore[arg-type]
        made.add(withhold, event, name="withhold", role="judge")  # type: ignore[arg-type]
    return made
