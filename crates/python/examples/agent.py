"""A tool call in a harness: run hooks before it, run hooks on its result, and return what they left of it."""

import asyncio
import subprocess
from typing import Any

from checkrein import ConfigError, Dispatcher, Payload


def load(path: str) -> Dispatcher:
    """Loads the hooks of a file; a broken file denies everything that can be denied."""
    try:
        return Dispatcher.from_config(path)
    except ConfigError as problems:
        return Dispatcher.refusing(str(problems))


async def call(hooks: Dispatcher, command: str) -> str:
    """Runs a command, unless a hook objects."""
    before = await hooks.adispatch(Payload.pre_tool_use("Bash", {"command": command}))
    if not before.may_run:
        return f"error: {before.reason}"
    tool_input: dict[str, Any] = before.tool_input or {}
    done = await asyncio.to_thread(
        subprocess.run, tool_input["command"], shell=True, capture_output=True, text=True, check=False
    )
    after = await hooks.adispatch(Payload.post_tool_use("Bash", tool_input, done.stdout))
    return after.settle(ask=False).tool_output or ""


if __name__ == "__main__":
    print(asyncio.run(call(Dispatcher(), "echo hello")), end="")
