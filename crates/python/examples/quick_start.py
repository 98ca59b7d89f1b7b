from typing import Optional

from checkrein import Dispatcher, Payload, Verdict, hook


@hook("PreToolUse", tools="kind:shell", role="judge")
def no_friday_deploys(payload: Payload) -> Optional[Verdict]:
    return Verdict.ask("is it Friday?") if "deploy" in (payload.command or "") else None


outcome = Dispatcher([no_friday_deploys]).dispatch(Payload.pre_tool_use("Bash", {"command": "make deploy"}))
print(outcome.decision, outcome.reason, sep=": ")
