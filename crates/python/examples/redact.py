"""A redactor: it changes the output of a tool before the model sees it."""

import re
from typing import Optional

from checkrein import Dispatcher, Payload, Verdict, hook

TOKEN = re.compile(r"\btok_[A-Za-z0-9]{8,}\b")


@hook("PostToolUse", role="edit")
@hook("PostToolUseFailure", role="edit")
def redact(payload: Payload) -> Optional[Verdict]:
    clean, count = TOKEN.subn("[redacted]", payload.tool_output or "")
    return Verdict(tool_output=clean, notice=f"{count} tokens redacted") if count else None


if __name__ == "__main__":
    outcome = Dispatcher([redact]).dispatch(Payload.post_tool_use("Bash", {}, "key: tok_1234567890"))
    print(outcome.tool_output, outcome.notices)
