"""The hooks in an application of the Claude Agent SDK."""

import asyncio

from checkrein import Dispatcher
from checkrein.adapters.claude_agent_sdk import hooks
from claude_agent_sdk import ClaudeAgentOptions, query


async def main() -> None:
    options = ClaudeAgentOptions(hooks=hooks(Dispatcher.from_layers()))
    async for message in query(prompt="Why does the checkout test fail?", options=options):
        print(message)


if __name__ == "__main__":
    asyncio.run(main())
