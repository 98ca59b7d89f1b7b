"""The hooks in an application of the OpenAI Agents SDK."""

import asyncio
import subprocess

from agents import Agent, Runner, function_tool
from checkrein import Dispatcher, Outcome
from checkrein.adapters.openai_agents import guarded


@function_tool
def run(command: str) -> str:
    """Runs a shell command."""
    return subprocess.run(command, shell=True, capture_output=True, text=True, check=False).stdout


def ask(outcome: Outcome) -> bool:
    return input(f"{outcome.reason}\nContinue? ").strip() == "yes"


async def main() -> None:
    hooks = Dispatcher(kinds={"run": "shell"})
    agent = guarded(Agent(name="helper", tools=[run]), hooks, ask=ask)
    print((await Runner.run(agent, "What changed since yesterday?")).final_output)


if __name__ == "__main__":
    asyncio.run(main())
