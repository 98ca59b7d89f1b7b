"""The dispatcher, and the decorator that turns a function into a hook."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple, Optional, TypeVar, Union

from . import _native, _threads
from ._native import Outcome
from ._types import EventName, Payload, Role, RoleName, ToolKind, Verdict

__all__ = ["Answer", "Dispatcher", "Hook", "hook"]

#: The return value of a hook.
Answer = Union[None, str, Mapping[str, Any], Verdict]
#: A hook: a function of the payload, plain or asynchronous.
Hook = Union[Callable[[Any], Answer], Callable[[Any], Awaitable[Answer]]]
#: The decision that replaces the answer of a failed hook.
OnFailure = Literal["deny", "ask", "ignore"]
_F = TypeVar("_F", bound=Callable[..., Any])

#: The attribute in which the decorator stores its arguments.
_MARK = "__checkrein__"


class _Options(NamedTuple):
    event: str
    name: Optional[str]
    tools: Optional[tuple[str, ...]]
    except_tools: tuple[str, ...]
    role: Optional[str]
    timeout: Optional[float]
    on_failure: Optional[str]
    may_allow: bool


def _options(
    event: str,
    *,
    name: Optional[str] = None,
    tools: Union[None, str, Iterable[str]] = None,
    except_tools: Union[str, Iterable[str]] = (),
    role: Union[None, Role, RoleName] = None,
    timeout: Optional[float] = 5.0,
    on_failure: Optional[str] = None,
    may_allow: bool = False,
) -> _Options:
    def several(names: Union[str, Iterable[str]]) -> tuple[str, ...]:
        return (names,) if isinstance(names, str) else tuple(names)

    return _Options(
        event=event,
        name=name,
        tools=None if tools is None else several(tools),
        except_tools=several(except_tools),
        role=None if role is None else str(role),
        timeout=None if timeout is None else float(timeout),
        on_failure=on_failure,
        may_allow=may_allow,
    )


def hook(
    event: EventName = "PreToolUse",
    *,
    name: Optional[str] = None,
    tools: Union[None, str, Iterable[str]] = None,
    except_tools: Union[str, Iterable[str]] = (),
    role: Union[None, Role, RoleName] = None,
    timeout: Optional[float] = 5.0,
    on_failure: Optional[OnFailure] = None,
    may_allow: bool = False,
) -> Callable[[_F], _F]:
    """Registers a function as a hook for an event. It stays an ordinary function.

    It can be applied several times to one function. Tools are names, `prefix*`, `*`, `kind:shell` or `/regex/`. A function
    that does not answer within `timeout` seconds has failed. `timeout=None` calls it in place, which is much faster, and
    waits for it as long as it takes.
    """
    options = _options(
        event,
        name=name,
        tools=tools,
        except_tools=except_tools,
        role=role,
        timeout=timeout,
        on_failure=on_failure,
        may_allow=may_allow,
    )

    def mark(function: _F) -> _F:
        marks: tuple[_Options, ...] = getattr(function, _MARK, ())
        setattr(function, _MARK, (options, *marks))
        return function

    return mark


def _name_of(function: Any) -> str:
    return str(getattr(function, "__qualname__", None) or type(function).__qualname__)


class Dispatcher:
    """An ordered list of hooks that events are dispatched to.

    The built-in judge `guard` is included unless `guard=False`. `kinds` gives the kinds of tools whose names do not show them, such as
    `{"execute": "shell"}`. A dispatcher may be used from several threads. As a context manager it waits for its observers
    at the end.
    """

    __slots__ = ("_native",)

    def __init__(
        self,
        hooks: Iterable[Hook] = (),
        *,
        guard: bool = True,
        kinds: Optional[Mapping[str, ToolKind]] = None,
    ) -> None:
        self._native = _native.Dispatcher(guard, dict(kinds or {}))
        for function in hooks:
            self.add(function)

    @classmethod
    def from_config(
        cls,
        path: Union[str, os.PathLike[str]],
        *,
        guard: bool = True,
        kinds: Optional[Mapping[str, ToolKind]] = None,
    ) -> Dispatcher:
        """Creates a dispatcher with the hooks of a configuration file, as the program runs them.

        Its Python functions are called in this process. Raises :class:`ConfigError`, a `ValueError`, with every
        problem of the file, and `FileNotFoundError` if it does not exist.
        """
        made = cls.__new__(cls)
        made._native = _native.Dispatcher.from_config(os.fspath(path), guard, dict(kinds or {}))
        return made

    @classmethod
    def from_layers(
        cls,
        cwd: Union[None, str, os.PathLike[str]] = None,
        *,
        config: Union[None, str, os.PathLike[str]] = None,
        guard: bool = True,
        undo: bool = False,
        kinds: Optional[Mapping[str, ToolKind]] = None,
    ) -> Dispatcher:
        """Creates a dispatcher with the hooks of every layer that is active in `cwd` (default: the current directory).

        The layers are the administrator's, the user's, those of the projects as far as the user trusted them, and the file
        `config`. Untrusted hooks are skipped, and :attr:`remarks` lists them. Denials of the guard are remembered,
        so that the user can allow one call with `checkrein allow`. With `undo`, what a call would destroy is kept before it runs,
        as the configuration says (`[undo]`), and `checkrein undo` restores it. Raises :class:`ConfigError` if a layer is broken.
        """
        made = cls.__new__(cls)
        named = None if config is None else os.fspath(config)
        directory = os.getcwd() if cwd is None else os.fspath(cwd)
        made._native = _native.Dispatcher.from_layers(directory, named, guard, undo, dict(kinds or {}))
        return made

    @property
    def remarks(self) -> list[str]:
        """Remarks for the user about the configuration, such as skipped hooks."""
        return self._native.remarks

    def keep_trail(self) -> None:
        """Keeps a record of every event from now on, in the trail that `checkrein log` shows.

        One redacted line for each event, as much as the configuration says (`trail`). Raises `ValueError` if the configuration turns
        the trail off, or if there is no state directory.
        """
        self._native.keep_trail()

    @classmethod
    def refusing(cls, reason: str) -> Dispatcher:
        """Creates a dispatcher that denies everything that can be denied, to use in place of a broken configuration."""
        made = cls.__new__(cls)
        made._native = _native.Dispatcher.refusing(reason)
        return made

    def add(
        self,
        function: Hook,
        event: Optional[EventName] = None,
        *,
        name: Optional[str] = None,
        tools: Union[None, str, Iterable[str]] = None,
        except_tools: Union[str, Iterable[str]] = (),
        role: Union[None, Role, RoleName] = None,
        timeout: Optional[float] = 5.0,
        on_failure: Optional[OnFailure] = None,
        may_allow: bool = False,
    ) -> None:
        """Adds a hook at the end: a function decorated with :func:`hook`, or any function with an `event`."""
        marks: Sequence[_Options] = getattr(function, _MARK, ())
        if event is not None:
            marks = [
                _options(
                    event,
                    name=name,
                    tools=tools,
                    except_tools=except_tools,
                    role=role,
                    timeout=timeout,
                    on_failure=on_failure,
                    may_allow=may_allow,
                )
            ]
        if not marks:
            raise ValueError(f"`{_name_of(function)}` does not say which event it is for; give `event`, or use `@hook`")
        for options in marks:
            self._native.add(
                options.event,
                options.name or _name_of(function),
                function,
                tools=None if options.tools is None else list(options.tools),
                except_tools=list(options.except_tools),
                role=options.role,
                timeout=options.timeout,
                on_failure=options.on_failure,
                may_allow=options.may_allow,
                compat=False,
            )

    def remove(self, name: str) -> int:
        """Removes every hook with this name, and returns how many there were."""
        return self._native.remove(name)

    @contextmanager
    def extended(self, *hooks: Hook) -> Generator[Dispatcher, None, None]:
        """Returns a dispatcher with these additional hooks. This one does not change."""
        extended = Dispatcher.__new__(Dispatcher)
        extended._native = self._native.copy()
        for function in hooks:
            extended.add(function)
        with extended:
            yield extended

    def dispatch(self, payload: Union[Payload, dict[str, Any]]) -> Outcome:
        """Calls every hook that the event concerns, and merges their answers.

        A hook can fail, a dispatch cannot: the outcome contains the failures. Raises `ValueError` or `TypeError` for an
        invalid payload.
        """
        return self._native.dispatch(payload)

    async def adispatch(self, payload: Union[Payload, dict[str, Any]]) -> Outcome:
        """Dispatches without blocking the event loop.

        Asynchronous hooks are tasks of the loop and need no thread; asynchronous judges of one event run at the same time.
        Other hooks run on threads of this package. If the caller is cancelled, the hooks are too.
        """
        from . import _asynchronous

        import asyncio

        steps = self._native.begin(payload, asyncio.get_running_loop())
        return await _asynchronous.drive(steps, _native.Steps.finish)

    def dispatch_json(self, text: str, *, host: str = "checkrein") -> str:
        """Dispatches an event in a host's dialect, and returns the answer in that dialect."""
        return self._native.dispatch_json(text, host)

    async def adispatch_json(self, text: str, *, host: str = "checkrein") -> str:
        """Works like :meth:`dispatch_json`, without blocking the event loop."""
        from . import _asynchronous

        import asyncio

        steps = self._native.begin_json(text, host, asyncio.get_running_loop())
        return await _asynchronous.drive(steps, _native.Steps.finish_json)

    def drain(self, timeout: float = 5.0) -> bool:
        """Waits for the Python observers of this process, and returns whether all have finished."""
        return _threads.drain(timeout)

    def __len__(self) -> int:
        return len(self._native.entries())

    def __enter__(self) -> Dispatcher:
        return self

    def __exit__(self, *_: object) -> None:
        self.drain()

    def __repr__(self) -> str:
        rows = (f"{name} ({event}, {tools}, {role})" for name, event, tools, role in self._native.entries())
        return f"<Dispatcher: {'; '.join(rows) or 'no hooks'}>"
