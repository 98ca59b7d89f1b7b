"""The types of the contract: the payload of an event, and the answer of a hook."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Optional, Union, cast

__all__ = ["Decision", "EventName", "Payload", "Role", "RoleName", "Step", "ToolKind", "Verdict"]

#: The canonical names of all events.
EventName = Literal[
    "SessionStart",
    "SessionEnd",
    "Setup",
    "WorkspaceOpen",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "UserPromptTransformed",
    "PreModelRequest",
    "PreToolSelection",
    "PostModelResponse",
    "MessageDisplay",
    "PreToolUse",
    "PermissionRequest",
    "PermissionDenied",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Stop",
    "AfterAgent",
    "StopFailure",
    "Interrupt",
    "ErrorOccurred",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "Notification",
    "Elicitation",
    "ElicitationResult",
    "TaskCreated",
    "TaskCompleted",
    "TeammateIdle",
    "TaskExec",
    "ConfigChange",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "WorktreeCreate",
    "WorktreeRemove",
    "SessionDelete",
    "Manual",
]

#: The roles that a hook can have.
RoleName = Literal["edit", "judge", "observe"]

#: What a tool does, whatever its name is. The guard judges a call by this.
ToolKind = Literal[
    "shell",
    "python",
    "javascript",
    "code",
    "read",
    "write",
    "edit",
    "delete",
    "search",
    "fetch",
    "websearch",
    "mcp",
    "agent",
    "question",
    "plan",
    "todo",
    "other",
]


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
    def of(cls, event: EventName, **fields: Any) -> Payload:
        """Creates an event of any name."""
        return cls(hook_event_name=event, **fields)

    @classmethod
    def pre_tool_use(cls, tool_name: str, tool_input: Mapping[str, Any], **fields: Any) -> Payload:
        """Creates the event before a tool runs."""
        return cls.of("PreToolUse", tool_name=tool_name, tool_input=dict(tool_input), **fields)

    @classmethod
    def permission_request(cls, tool_name: str, tool_input: Mapping[str, Any], **fields: Any) -> Payload:
        """Creates the event before the user is asked for permission."""
        return cls.of("PermissionRequest", tool_name=tool_name, tool_input=dict(tool_input), **fields)

    @classmethod
    def permission_denied(cls, tool_name: str, tool_input: Mapping[str, Any], **fields: Any) -> Payload:
        """Creates the event of a call that the host denied by itself."""
        return cls.of("PermissionDenied", tool_name=tool_name, tool_input=dict(tool_input), **fields)

    @classmethod
    def post_tool_use(
        cls, tool_name: str, tool_input: Mapping[str, Any], tool_output: str = "", **fields: Any
    ) -> Payload:
        """Creates the event after a tool ran. A result that is not a text goes into `tool_response`.

        Hooks see the texts of its blocks, its structured content, its streams, or the JSON of any other value; edits keep
        its shape. A dict with a field such as `output`, `text` or `stdout` is the result of a host that shows this field to the
        model. If the model gets the whole dict, pass its JSON as `tool_output`.
        """
        call = cls.of("PostToolUse", tool_name=tool_name, tool_input=dict(tool_input), **fields)
        if "tool_response" not in call:
            call["tool_output"] = tool_output
        return call

    @classmethod
    def post_tool_use_failure(
        cls, tool_name: str, tool_input: Mapping[str, Any], error: str, **fields: Any
    ) -> Payload:
        """Creates the event after a tool failed."""
        return cls.of(
            "PostToolUseFailure", tool_name=tool_name, tool_input=dict(tool_input), error=error, **fields
        )

    @classmethod
    def user_prompt_submit(cls, prompt: str, **fields: Any) -> Payload:
        """Creates the event of a submitted prompt."""
        return cls.of("UserPromptSubmit", prompt=prompt, **fields)

    @classmethod
    def pre_model_request(cls, model_request: Mapping[str, Any], **fields: Any) -> Payload:
        """Creates the event before a request goes to the model."""
        return cls.of("PreModelRequest", model_request=dict(model_request), **fields)

    @classmethod
    def post_model_response(cls, model_response: Any, **fields: Any) -> Payload:
        """Creates the event after the model answered."""
        return cls.of("PostModelResponse", model_response=model_response, **fields)

    @classmethod
    def session_start(cls, **fields: Any) -> Payload:
        """Creates the event at the start of a session."""
        return cls.of("SessionStart", **fields)

    @classmethod
    def session_end(cls, **fields: Any) -> Payload:
        """Creates the event at the end of a session."""
        return cls.of("SessionEnd", **fields)

    @classmethod
    def stop(cls, **fields: Any) -> Payload:
        """Creates the event before the agent ends its turn."""
        return cls.of("Stop", **fields)

    @classmethod
    def subagent_start(cls, **fields: Any) -> Payload:
        """Creates the event before a subagent starts."""
        return cls.of("SubagentStart", **fields)

    @classmethod
    def subagent_stop(cls, **fields: Any) -> Payload:
        """Creates the event before a subagent ends."""
        return cls.of("SubagentStop", **fields)

    @classmethod
    def pre_compact(cls, **fields: Any) -> Payload:
        """Creates the event before the conversation is compacted."""
        return cls.of("PreCompact", **fields)

    @classmethod
    def notification(cls, message: str, **fields: Any) -> Payload:
        """Creates the event of a message to the user."""
        return cls.of("Notification", message=message, **fields)

    @property
    def event(self) -> str:
        """The canonical name of the event."""
        return str(self.get("hook_event_name", ""))

    @property
    def tool_name(self) -> Optional[str]:
        """The tool that the event is about."""
        return cast(Optional[str], self.get("tool_name"))

    @property
    def tool_kind(self) -> Optional[str]:
        """What the tool does, whatever its name is."""
        return cast(Optional[str], self.get("tool_kind"))

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


class Verdict(NamedTuple):
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
    context: Union[str, Sequence[str]] = ()
    """Context for the model: one text or several."""
    notice: Optional[str] = None
    """A notice for the user."""
    stop: Optional[str] = None
    """The reason to end the agent's turn."""
    retry: Union[bool, Mapping[str, Any]] = False
    """A request to retry the failed call, with these arguments changed."""
    is_error: Optional[bool] = None
    """Whether the model is told that the call failed. None leaves it as it is."""

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
            "is_error": self.is_error,
        }
        return {key: value for key, value in fields.items() if value is not None}


class Step(NamedTuple):
    """The call of one hook, in the trail of an outcome."""

    hook: str
    """The name of the hook."""
    role: str
    """Its role: `edit`, `judge`, `observe`, or `plain` if it has none."""
    decision: Decision
    """Its decision, or the decision that replaced its failure."""
    reason: Optional[str]
    """Its reason."""
    context: tuple[str, ...]
    """Its texts for the model."""
    notice: Optional[str]
    """Its text for the user."""
    changed: tuple[str, ...]
    """What it changed: arguments by name, `tool_output` or `prompt`."""
    failure: Optional[str]
    """How it failed."""
    again: bool
    """True for a second call, on an input that the hook had not seen."""
    seconds: Optional[float]
    """The time that it took. None for an observer, which the answer does not wait for."""
