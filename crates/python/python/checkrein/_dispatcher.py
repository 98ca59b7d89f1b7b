"""The dispatcher, and the decorator that makes a hook of a function."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, Optional, TypeVar, Union

from . import _native, _threads
from ._native import Outcome
from ._types import Payload, Role, Verdict

__all__ = ["Answer", "Dispatcher", "Hook", "hook"]

#: What a hook may return.
Answer = Union[None, str, Mapping[str, Any], Verdict]
#: A hook: a function of the payload, plain or asynchronous.
Hook = Union[Callable[[Any], Answer], Callable[[Any], Awaitable[Answer]]]
#: What the failure of a hook becomes.
OnFailure = Literal["deny", "ask", "ignore"]
_F = TypeVar("_F", bound=Callable[..., Any])

#: Where the decorator leaves what it was told.
_MARK = "__checkrein__"


@dataclass(frozen=True)
class _Options:
    event: str
    name: Optional[str]
    tools: Optional[tuple[str, ...]]
    except_tools: tuple[str, ...]
    role: Optional[str]
    timeout: float
    on_failure: Optional[str]
    may_allow: bool


def _options(
    event: str,
    *,
    name: Optional[str] = None,
    tools: Union[None, str, Iterable[str]] = None,
    except_tools: Union[str, Iterable[str]] = (),
    role: Union[None, Role, str] = None,
    timeout: float = 5.0,
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
        timeout=float(timeout),
        on_failure=on_failure,
        may_allow=may_allow,
    )


def hook(
    event: str = "PreToolUse",
    *,
    name: Optional[str] = None,
    tools: Union[None, str, Iterable[str]] = None,
    except_tools: Union[str, Iterable[str]] = (),
    role: Union[None, Role, str] = None,
    timeout: float = 5.0,
    on_failure: Optional[OnFailure] = None,
    may_allow: bool = False,
) -> Callable[[_F], _F]:
    """Says of a function which events it is a hook for. It stays an ordinary function.

    May stand several times over one function. Tools are names, `prefix*`, `*`, `kind:shell` or `/regex/`.
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
    """Hooks in order, and the pass of an event through them.

    The built-in judge `guard` is among them unless it is left out on purpose. May be used from several threads, and
    with `with`: at the end, observers have finished.
    """

    __slots__ = ("_native",)

    def __init__(self, hooks: Iterable[Hook] = (), *, guard: bool = True) -> None:
        self._native = _native.Dispatcher(guard)
        for function in hooks:
            self.add(function)

    @classmethod
    def from_config(cls, path: Union[str, os.PathLike[str]], *, guard: bool = True) -> Dispatcher:
        """The hooks of a configuration file, as the program asks them.

        Its Python functions are called in this process. Raises :class:`ConfigError`, a `ValueError`, with everything that
        is wrong with the file, and `FileNotFoundError` if there is none.
        """
        made = cls.__new__(cls)
        made._native = _native.Dispatcher.from_config(os.fspath(path), guard)
        return made

    @classmethod
    def from_layers(
        cls,
        cwd: Union[None, str, os.PathLike[str]] = None,
        *,
        config: Union[None, str, os.PathLike[str]] = None,
        guard: bool = True,
    ) -> Dispatcher:
        """The hooks of every layer that is in force in `cwd` (by default, here), as the program asks them.

        The layers are the administrator's, the user's, those of the projects as far as the user trusted them, and the file
        `config`. Hooks that nobody trusted are skipped, and :attr:`remarks` says so. What the guard denies is remembered,
        so that the user can allow one call with `checkrein allow`. Raises :class:`ConfigError` if a layer is broken.
        """
        made = cls.__new__(cls)
        named = None if config is None else os.fspath(config)
        made._native = _native.Dispatcher.from_layers(os.getcwd() if cwd is None else os.fspath(cwd), named, guard)
        return made

    @property
    def remarks(self) -> list[str]:
        """What the user should know about the configuration, such as hooks that are skipped."""
        return self._native.remarks

    @classmethod
    def refusing(cls, reason: str) -> Dispatcher:
        """A dispatcher that denies whatever can be denied: what to use in place of a configuration that is broken."""
        made = cls.__new__(cls)
        made._native = _native.Dispatcher.refusing(reason)
        return made

    def add(
        self,
        function: Hook,
        event: Optional[str] = None,
        *,
        name: Optional[str] = None,
        tools: Union[None, str, Iterable[str]] = None,
        except_tools: Union[str, Iterable[str]] = (),
        role: Union[None, Role, str] = None,
        timeout: float = 5.0,
        on_failure: Optional[OnFailure] = None,
        may_allow: bool = False,
    ) -> None:
        """Adds a hook at the end: one with the decorator :func:`hook`, or any function with an `event`."""
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
                plain=False,
            )

    def remove(self, name: str) -> int:
        """Removes every hook of this name, and says how many there were."""
        return self._native.remove(name)

    @contextmanager
    def extended(self, *hooks: Hook) -> Generator[Dispatcher, None, None]:
        """A dispatcher with these hooks more, for a while. This one stays as it is."""
        extended = Dispatcher.__new__(Dispatcher)
        extended._native = self._native.copy()
        for function in hooks:
            extended.add(function)
        with extended:
            yield extended

    def dispatch(self, payload: Union[Payload, dict[str, Any]]) -> Outcome:
        """Asks every hook that the event concerns, and merges what they say.

        A hook can fail, a dispatch cannot: a failure is in the outcome. `ValueError` and `TypeError` are for a payload
        that is none.
        """
        return self._native.dispatch(payload)

    async def adispatch(self, payload: Union[Payload, dict[str, Any]]) -> Outcome:
        """The same without blocking the loop. Asynchronous hooks run on it."""
        return await asyncio.to_thread(self._native.dispatch, payload, asyncio.get_running_loop())

    def dispatch_json(self, text: str, *, host: str = "checkrein") -> str:
        """The same for an event as a host sends it; the answer is in the host's dialect too."""
        return self._native.dispatch_json(text, host)

    def drain(self, timeout: float = 5.0) -> bool:
        """Waits for the Python observers of this process; whether all have finished."""
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
