"""Adapters for agent frameworks. Each module is for one framework and needs its package:

- `checkrein.adapters.claude_agent_sdk`: hooks for `ClaudeAgentOptions`
- `checkrein.adapters.openai_agents`: guarded tools of an `Agent`
- `checkrein.adapters.langchain`: a middleware for `create_agent`
"""

from ._call import Ask, TurnEnded

__all__ = ["Ask", "TurnEnded"]
