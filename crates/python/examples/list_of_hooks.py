"""A program for mini-coding-agent's `hooks` module."""

import checkrein.compat as hooks

manager = hooks.HookManager(
    [hooks.HookSpec(hooks.EVENT_PRE_TOOL, match={"tool": "run_shell"}, command="echo not today >&2; exit 2")]
)
payload = {"tool_name": "run_shell", "tool_input": {"command": "ls"}}
decision = manager.run(hooks.EVENT_PRE_TOOL, payload)
print(decision.decision, decision.reason)
