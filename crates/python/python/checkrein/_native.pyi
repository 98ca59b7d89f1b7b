import os
from asyncio import AbstractEventLoop
from collections.abc import Callable, Sequence
from typing import Any, Final, Union, final

from ._types import Decision, Step

__all__ = [
    "Check",
    "ConfigError",
    "Dispatcher",
    "Outcome",
    "PatternSet",
    "Steps",
    "__version__",
    "check",
    "counted",
    "effects",
    "events",
    "noop",
    "patterns",
    "read_list",
    "scan_regex",
    "tool_kinds",
    "walk_ast",
]

__version__: Final[str]

class ConfigError(ValueError):
    """A configuration has a problem."""

_Rows = list[tuple[str, str, str, str]]
_Ran = tuple[str, str | None, dict[str, Any] | None, str | None, str | None, list[tuple[str, str, bool]]]
_Starts = list[tuple[int, Callable[[Any], Any], Any, float]]

@final
class Dispatcher:
    """The ordered list of hooks. `checkrein.Dispatcher` and `checkrein.compat.HookManager` wrap it."""

    def __new__(cls, guard: bool, kinds: dict[str, Any] = ...) -> Dispatcher: ...
    @staticmethod
    def from_config(path: Union[str, os.PathLike[str]], guard: bool, kinds: dict[str, Any] = ...) -> Dispatcher:
        """Creates the hooks of a configuration file, as the program would call them."""
    @staticmethod
    def from_layers(
        cwd: Union[str, os.PathLike[str]],
        config: Union[str, os.PathLike[str], None],
        guard: bool,
        undo: bool,
        kinds: dict[str, Any] = ...,
    ) -> Dispatcher:
        """Creates the hooks of every layer that is active in `cwd`, as the program would call them."""
    @staticmethod
    def refusing(reason: str) -> Dispatcher:
        """Creates a list that denies whatever can be denied, for this reason."""
    @property
    def remarks(self) -> list[str]:
        """Remarks for the user, such as skipped project hooks."""
    def keep_trail(self) -> None:
        """Keeps a record of every event from now on."""
    def copy(self) -> Dispatcher:
        """Returns another list with the same hooks."""
    def add(
        self,
        event: str,
        name: str,
        hook: Callable[[Any], Any],
        *,
        tools: Sequence[str] | None,
        except_tools: Sequence[str],
        role: str | None,
        timeout: float | None,
        on_failure: str | None,
        may_allow: bool,
        compat: bool,
    ) -> None:
        """Adds a hook at the end."""
    def add_command(
        self,
        event: str,
        name: str,
        command: str,
        tools: Sequence[str] | None,
        timeout: float,
        cwd: Union[str, os.PathLike[str]],
    ) -> None:
        """Adds a command in the predecessor's style."""
    def remove(self, name: str) -> int:
        """Removes every hook with this name and returns how many there were."""
    def entries(self) -> _Rows:
        """Returns the hooks, in order: name, event, tools, role."""
    def dispatch(self, payload: dict[str, Any], event_loop: AbstractEventLoop | None = None) -> Outcome:
        """Calls every hook that the event concerns and merges their answers."""
    def begin(self, payload: dict[str, Any], event_loop: AbstractEventLoop | None) -> Steps:
        """Starts a dispatch for an asynchronous caller."""
    def begin_json(self, text: str, host: str, event_loop: AbstractEventLoop | None) -> Steps:
        """Starts a dispatch of an event that is a string in a host's dialect, for an asynchronous caller."""
    def dispatch_json(self, text: str, host: str) -> str:
        """Dispatches an event that is a string in a host's dialect, and answers in that dialect."""
    def run(self, event: str, payload: dict[str, Any]) -> _Ran | None:
        """Implements the predecessor's `run`."""

@final
class Steps:
    """The dispatch of one event, in steps."""

    def advance(self, may_block: bool) -> None | bool | tuple[int, _Starts]:
        """Calls hooks until the caller is needed."""
    def answer(
        self, index: int, answer: Any = None, error: BaseException | None = None, *, late: bool = False
    ) -> None:
        """Hands in what a function returned or raised."""
    def abandon(self) -> None:
        """Ends the wait of hooks that block."""
    def finish(self) -> Outcome:
        """Returns the outcome of a dispatch that is over."""
    def finish_json(self) -> str:
        """Returns the answer in the dialect of the host."""

@final
class Outcome:
    """The merged answer of all hooks."""

    @property
    def decision(self) -> Decision:
        """The strictest decision of any hook."""
    @property
    def denied(self) -> bool:
        """True if the call must not happen, or its result must not be shown."""
    @property
    def may_run(self) -> bool:
        """True if the call may run, or its result may be shown, without asking anyone: no hook denies, asks or ends the
        turn."""
    def settle(self, *, ask: bool | Callable[[Outcome], bool]) -> Outcome:
        """Answers the question of an outcome that asks. `ask` is True, False, or a function of the outcome that returns
        one of them; it is called only if there is a question. Any other outcome is returned as it is."""
    @property
    def reason(self) -> str:
        """The reasons as one string; empty if there are none."""
    @property
    def reasons(self) -> list[tuple[str, str]]:
        """Every reason, as (hook, text), in the order of the hooks."""
    @property
    def context(self) -> list[tuple[str, str]]:
        """Every text for the model, as (hook, text)."""
    @property
    def notices(self) -> list[tuple[str, str]]:
        """Every text for the user, as (hook, text)."""
    @property
    def failures(self) -> list[tuple[str, str]]:
        """Every failure, as (hook, text)."""
    @property
    def tracebacks(self) -> list[tuple[str, str]]:
        """The tracebacks of Python hooks that failed, as (hook, text)."""
    @property
    def trail(self) -> list[Step]:
        """The calls of the hooks in order, each with its answer and the seconds that it took."""
    @property
    def stop(self) -> tuple[str, str] | None:
        """The request to end the turn, as (hook, text)."""
    @property
    def retry(self) -> bool | dict[str, Any] | None:
        """The request to retry the failed call: True, or the arguments to change."""
    @property
    def is_error(self) -> bool | None:
        """Whether the model is told that the call failed, if a hook changed that; else None."""
    @property
    def edited(self) -> bool:
        """True if a hook edited the event."""
    @property
    def tool_input(self) -> dict[str, Any] | None:
        """The arguments as they should run: the same object that was passed, unless a hook changed them. None after a
        denial."""
    @property
    def tool_output(self) -> str | None:
        """The tool's output, as the model should see it; after a denial, the text in its place."""
    @property
    def tool_response(self) -> Any:
        """The result of the tool in the shape in which it was passed, as the model should see it."""
    @property
    def model_request(self) -> dict[str, Any] | None:
        """The request as it should go to the model. None after a denial."""
    @property
    def prompt(self) -> str | None:
        """The prompt, as the model should see it. None after a denial."""
    @property
    def payload(self) -> dict[str, Any]:
        """The event with every edit in it: the same object that was passed, unless a hook changed something or denies."""
    def as_dict(self) -> dict[str, Any]:
        """Returns the answer as the program gives it in its own dialect."""

@final
class Check:
    """The guard's judgement of a command."""

    @property
    def decision(self) -> Decision: ...
    @property
    def rules(self) -> list[str]: ...
    @property
    def reasons(self) -> list[str]: ...
    @property
    def effects(self) -> list[dict[str, Any]]: ...

@final
class PatternSet:
    def __new__(cls, patterns: Sequence[str]) -> PatternSet: ...
    def scan(self, text: str, /) -> int: ...
    def find(self, text: str, /) -> list[int]: ...
    def __len__(self) -> int: ...

def check(command: str, *, cwd: Union[None, str, os.PathLike[str]] = None) -> Check: ...
def effects(command: str, *, cwd: Union[None, str, os.PathLike[str]] = None) -> list[dict[str, Any]]: ...
def noop(payload: dict[str, Any], /) -> None: ...
def scan_regex(payload: dict[str, Any], /) -> dict[str, Any]: ...
def walk_ast(payload: dict[str, Any], /) -> dict[str, Any]: ...
def patterns() -> list[str]: ...
def read_list(path: Union[str, os.PathLike[str]]) -> list[dict[str, Any]]: ...
def events() -> list[str]:
    """Returns the names of all events."""

def tool_kinds() -> list[str]:
    """Returns the kinds of tools."""

def counted() -> int: ...
