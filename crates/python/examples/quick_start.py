from checkrein import Dispatcher, Payload, Verdict, hook


@hook("PreToolUse", tools="kind:shell", role="judge")
def no_friday_deploys(payload: Payload) -> Verdict | None:
    return Verdict.ask("is it Friday?") if "deploy" in (payload.command or "") else None


call = Payload.pre_tool_use("Bash", {"command": "make deploy"})
print(Dispatcher([no_friday_deploys]).dispatch(call))
