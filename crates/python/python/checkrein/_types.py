"""The words of the contract: what an event says, and what a hook answers."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Optional, Union, cast

__all__ = ["Decision", "Payload", "Role", "Verdict"]


class Decision(str, enum.Enum):
    """How strict. The greatest of all that was heard wins."""

    ABSTAIN = "abstain"
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    def __str__(self) -> str:
        return self.value


class Role(str, enum.Enum):
    """When a hook is asked, and what it may do."""

    EDIT = "edit"
    """May rewrite, may decide. Asked first, in order; each sees its predecessors' work."""
    JUDGE = "judge"
    """Decides on the final input and cannot rewrite."""
    OBSERVE = "observe"
    """Watches when everything is decided. Nobody waits for it."""

    def __str__(self) -> str:
        return self.value


class Payload(dict[str, Any]):
    """One event, as the flat fields that hooks read under every host; the usual ones are properties too.

    A hook gets a copy: what it changes there changes nothing. It returns a :class:`Verdict` instead.
    """

    __slots__ = ()

    @classmethod
    def pre_tool_use(cls, tool_name: str, tool_input: Mapping[str, Any], **fields: Any) -> Payload:
        """A tool is about to run."""
        return cls(hook_event_name="PreToolUse", tool_name=tool_name, tool_input=dict(tool_input), **fields)

    @classmethod
    def post_tool_use(
        cls, tool_name: str, tool_input: Mapping[str, Any], tool_output: str, **fields: Any
    ) -> Payload:
        """A tool ran."""
        call = cls.pre_tool_use(tool_name, tool_input, **fields)
        call.update(hook_event_name="PostToolUse", tool_output=tool_output)
        return call

    @classmethod
    def user_prompt_submit(cls, prompt: str, **fields: Any) -> Payload:
        """A prompt was submitted."""
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
        """The arguments of the tool; empty if the event is about none."""
        return cast("dict[str, Any]", self.get("tool_input") or {})

    @property
    def command(self) -> Optional[str]:
        """The command of a shell tool."""
        command = self.tool_input.get("command")
        return command if isinstance(command, str) else None

    @property
    def tool_output(self) -> Optional[str]:
        """What the tool answered, or the text of its failure."""
        return cast(Optional[str], self.get("tool_output"))

    @property
    def prompt(self) -> Optional[str]:
        """The prompt."""
        return cast(Optional[str], self.get("prompt"))

    @property
    def session_id(self) -> Optional[str]:
        """The host's id of the session."""
        return cast(Optional[str], self.get("session_id"))

    @property
    def cwd(self) -> Optional[str]:
        """The working directory of the session."""
        return cast(Optional[str], self.get("cwd"))

    def __repr__(self) -> str:
        return f"Payload({super().__repr__()})"


@dataclass(frozen=True)
class Verdict:
    """The answer of one hook. `Verdict()` is silence, and so is `None`."""

    decision: Union[Decision, str] = Decision.ABSTAIN
    """How strict. `allow` counts only from a hook with `may_allow=True`."""
    reason: Optional[str] = None
    """Why, for the model and the user."""
    rewrite: Optional[Mapping[str, Any]] = None
    """Arguments to set; the others stay."""
    tool_input: Optional[Mapping[str, Any]] = None
    """Arguments in place of all."""
    tool_output: Optional[str] = None
    """A text in place of what the tool answered. The empty text is one."""
    prompt: Optional[str] = None
    """A text in place of the prompt."""
    context: tuple[str, ...] = field(default=())
    """What the model should know."""
    notice: Optional[str] = None
    """What the user should know."""
    stop: Optional[str] = None
    """End the agent's turn, for this reason."""
    retry: Union[bool, Mapping[str, Any]] = False
    """Try the failed call again, with these arguments changed."""

    @classmethod
    def allow(cls, reason: Optional[str] = None) -> Verdict:
        """An `allow`."""
        return cls(Decision.ALLOW, reason)

    @classmethod
    def ask(cls, reason: str) -> Verdict:
        """The user should be asked."""
        return cls(Decision.ASK, reason)

    @classmethod
    def deny(cls, reason: str) -> Verdict:
        """It should not happen, or not be shown to the model."""
        return cls(Decision.DENY, reason)

    def as_dict(self) -> dict[str, Any]:
        """The fields of the answer, as every hook can give it."""
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
