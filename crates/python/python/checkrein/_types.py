"""The types of the contract: the payload of an event, and the answer of a hook."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Optional, Union, cast

__all__ = ["Decision", "Payload", "Role", "Verdict"]


class Decision(str, enum.Enum):
    """A decision, from the most lenient to the strictest. The strictest of all hooks wins."""

    ABSTAIN = "abstain"
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    def __str__(self) -> str:
        return self.value


class Role(str, enum.Enum):
    """The role of a hook: when it runs, and what it may do."""

    EDIT = "edit"
    """May rewrite and decide. Editors run first, in order; each sees the edits of those before it."""
    JUDGE = "judge"
    """Decides on the final input and cannot rewrite it."""
    OBSERVE = "observe"
    """Watches after the decision. The answer does not wait for it."""

    def __str__(self) -> str:
        return self.value


class Payload(dict[str, Any]):
    """One event, as the flat fields that hooks read under every host; common ones are also properties.

    A hook gets a copy, so changing it has no effect. Return a :class:`Verdict` instead.
    """

    __slots__ = ()

    @classmethod
    def pre_tool_use(cls, tool_name: str, tool_input: Mapping[str, Any], **fields: Any) -> Payload:
        """Creates the event before a tool runs."""
        return cls(hook_event_name="PreToolUse", tool_name=tool_name, tool_input=dict(tool_input), **fields)

    @classmethod
    def post_tool_use(
        cls, tool_name: str, tool_input: Mapping[str, Any], tool_output: str, **fields: Any
    ) -> Payload:
        """Creates the event after a tool ran."""
        call = cls.pre_tool_use(tool_name, tool_input, **fields)
        call.update(hook_event_name="PostToolUse", tool_output=tool_output)
        return call

    @classmethod
    def user_prompt_submit(cls, prompt: str, **fields: Any) -> Payload:
        """Creates the event of a submitted prompt."""
        return cls(hook_event_name="UserPromptSubmit", prompt=prompt, **fields)

    @property
    def event(self) -> str:
        """The canonical name of the event."""
        return str(self.get("hook_event_name", ""))

    @property
    def tool_name(self) -> Optional[str]:
        """The tool that the event is about."""
        return cast(Optional[str], self.get("tool_name"))

    @property
    def tool_input(self) -> dict[str, Any]:
        """The arguments of the tool; empty if the event is not about a tool."""
        return cast("dict[str, Any]", self.get("tool_input") or {})

    @property
    def command(self) -> Optional[str]:
        """The command of a shell tool."""
        command = self.tool_input.get("command")
        return command if isinstance(command, str) else None

    @property
    def tool_output(self) -> Optional[str]:
        """The output of the tool, or its error text."""
        return cast(Optional[str], self.get("tool_output"))

    @property
    def prompt(self) -> Optional[str]:
        """The prompt."""
        return cast(Optional[str], self.get("prompt"))

    @property
    def session_id(self) -> Optional[str]:
        """The host's session id."""
        return cast(Optional[str], self.get("session_id"))

    @property
    def cwd(self) -> Optional[str]:
        """The working directory of the session."""
        return cast(Optional[str], self.get("cwd"))

    def __repr__(self) -> str:
        return f"Payload({super().__repr__()})"


@dataclass(frozen=True)
class Verdict:
    """The answer of one hook. `Verdict()` means no opinion, like `None`."""

    decision: Union[Decision, str] = Decision.ABSTAIN
    """The decision. `allow` counts only from a hook with `may_allow=True`."""
    reason: Optional[str] = None
    """The reason, for the model and the user."""
    rewrite: Optional[Mapping[str, Any]] = None
    """Arguments to set; the others stay unchanged."""
    tool_input: Optional[Mapping[str, Any]] = None
    """Arguments that replace all others."""
    tool_output: Optional[str] = None
    """A text that replaces the output of the tool. An empty text is valid."""
    prompt: Optional[str] = None
    """A text that replaces the prompt."""
    context: tuple[str, ...] = field(default=())
    """Context for the model."""
    notice: Optional[str] = None
    """A notice for the user."""
    stop: Optional[str] = None
    """The reason to end the agent's turn."""
    retry: Union[bool, Mapping[str, Any]] = False
    """A request to retry the failed call, with these arguments changed."""

    @classmethod
    def allow(cls, reason: Optional[str] = None) -> Verdict:
        """Creates an `allow`."""
        return cls(Decision.ALLOW, reason)

    @classmethod
    def ask(cls, reason: str) -> Verdict:
        """Creates a verdict that asks the user."""
        return cls(Decision.ASK, reason)

    @classmethod
    def deny(cls, reason: str) -> Verdict:
        """Creates a denial: the call must not run, or the model must not see its result."""
        return cls(Decision.DENY, reason)

    def as_dict(self) -> dict[str, Any]:
        """Returns the fields of the answer, in the form that every hook can use."""
        fields: dict[str, Any] = {
            "decision": str(self.decision),
            "reason": self.reason,
            "rewrite_args": None if self.rewrite is None else dict(self.rewrite),
            "tool_input": None if self.tool_input is None else dict(self.tool_input),
            "tool_output": self.tool_output,
            "prompt": self.prompt,
            "context": [self.context] if isinstance(self.context, str) else list(self.context),
            "systemMessage": self.notice,
            "stop": self.stop,
            "retry": self.retry if isinstance(self.retry, bool) else dict(self.retry),
        }
        return {key: value for key, value in fields.items() if value is not None}
