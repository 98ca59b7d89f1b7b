"""The hooks in an agent of LangChain."""

import subprocess

from checkrein import Dispatcher, Outcome
from checkrein.adapters.langchain import CheckreinMiddleware
from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool


@tool
def run(command: str) -> str:
    """Runs a shell command."""
    return subprocess.run(command, shell=True, capture_output=True, text=True, check=False).stdout


def ask(outcome: Outcome) -> bool:
    return input(f"{outcome.reason}\nContinue? ").strip() == "yes"


def main() -> None:
    hooks = Dispatcher(kinds={"run": "shell"})
    # Last, so that it judges what other middleware made of a call.
    agent = create_agent("anthropic:claude-sonnet", [run], middleware=[CheckreinMiddleware(hooks, ask=ask)])
    print(agent.invoke({"messages": [HumanMessage("What changed since yesterday?")]})["messages"][-1].content)


if __name__ == "__main__":
    main()
