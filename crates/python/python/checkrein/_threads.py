"""The threads on which Python hooks run.

A hook that exceeds its timeout is abandoned on its thread, since Python cannot stop one; the next hook gets another thread.
Idle threads are reused, the most recent first, so that a hook mostly finds its thread-local data again. They are daemons:
an abandoned hook does not keep the interpreter alive.
"""

from __future__ import annotations

import contextvars
import importlib
import os
import queue
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Optional, Union

if TYPE_CHECKING:
    import asyncio
    import logging

# `asyncio`, `logging` and `traceback` are imported where they are needed: most processes that import us need none of them
# at once, and together they take longer than everything else.

#: The code flag of a coroutine function.
_COROUTINE = 0x80


def log() -> logging.Logger:
    """Returns the log of the package."""
    import logging

    return logging.getLogger("checkrein")

#: The number of idle threads that are kept.
KEPT = 8

Deliver = Callable[[Any, Optional[BaseException]], None]


class Job:
    """One call of one hook."""

    __slots__ = ("function", "argument", "deliver", "context", "loop", "future")

    def __init__(
        self,
        function: Callable[[Any], Any],
        argument: Any,
        deliver: Deliver,
        loop: Optional[asyncio.AbstractEventLoop],
    ) -> None:
        self.function = function
        self.argument = argument
        self.deliver = deliver
        self.context = contextvars.copy_context()
        self.loop = loop
        self.future: Any = None

    def run(self) -> Any:
        answer = self.function(self.argument)
        if hasattr(answer, "__await__"):
            answer = self.wait(answer)
        return answer

    def wait(self, answer: Awaitable[Any]) -> Any:
        """Waits for a coroutine: on the caller's loop if there is one, else on a new one."""

        async def waiting() -> Any:
            return await answer

        import asyncio

        if self.loop is None:
            return asyncio.run(waiting())
        self.future = asyncio.run_coroutine_threadsafe(waiting(), self.loop)
        return self.future.result()

    def abandon(self) -> None:
        """Marks the call as abandoned: its result is not needed any more."""
        if self.future is not None:
            self.future.cancel()


class _Thread:
    """A thread that waits for jobs."""

    __slots__ = ("inbox",)

    def __init__(self) -> None:
        self.inbox: queue.SimpleQueue[Job] = queue.SimpleQueue()
        threading.Thread(target=self.serve, name="checkrein-hook", daemon=True).start()

    def serve(self) -> None:
        while True:
            job = self.inbox.get()
            answer: Any = None
            error: Optional[BaseException] = None
            try:
                answer = job.context.run(job.run)
            except BaseException as raised:  # noqa: BLE001
                error = raised
            stays = len(_idle) < KEPT
            if stays:
                _idle.append(self)
            job.deliver(answer, error)
            # Release everything of a finished call while the thread waits.
            del job, answer, error
            if not stays:
                return


_idle: list[_Thread] = []

# A forked child has only one thread.
os.register_at_fork(after_in_child=_idle.clear)


def submit(
    function: Callable[[Any], Any],
    argument: Any,
    deliver: Deliver,
    loop: Optional[asyncio.AbstractEventLoop],
) -> Job:
    """Calls `function` on a thread, and then `deliver` with what it returned or raised."""
    job = Job(function, argument, deliver, loop)
    try:
        thread = _idle.pop()
    except IndexError:
        thread = _Thread()
    thread.inbox.put(job)
    return job


class _Watching:
    """The observers that are still running."""

    def __init__(self) -> None:
        self.count = 0
        self.changed = threading.Condition()

    def add(self, more: int) -> None:
        with self.changed:
            self.count += more
            self.changed.notify_all()

    def forget(self) -> None:
        self.__init__()  # type: ignore[misc]


_watching = _Watching()
os.register_at_fork(after_in_child=_watching.forget)


def watch(name: str, function: Callable[[Any], Any], argument: Any) -> None:
    """Calls an observer without waiting for it."""

    def deliver(answer: Any, error: Optional[BaseException]) -> None:
        if error is not None:
            log().warning("observer `%s` failed: %s", name, line_of(error), exc_info=error)
        _watching.add(-1)

    _watching.add(1)
    submit(function, argument, deliver, None)


def drain(timeout: float) -> bool:
    """Waits until all observers have finished, and returns whether they have."""
    end = time.monotonic() + timeout
    with _watching.changed:
        while _watching.count > 0:
            if not _watching.changed.wait(max(0.0, end - time.monotonic())):
                return _watching.count == 0
    return True


def line_of(error: BaseException) -> str:
    """Describes an exception in one line: its type and message, and the innermost place in a file."""
    if isinstance(error, NotFound):
        return str(error)
    text = " ".join(f"{type(error).__name__}: {error}".split())
    text = text[:-1] if text.endswith(":") else text
    place = None
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if not name.startswith("<") and name != __file__:
            place = f"{os.path.basename(name)}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return f"{text} ({place})" if place else text


def describe(hook: str, error: BaseException) -> tuple[str, str]:
    """Returns a failure in one line, and its traceback, which also goes to the log."""
    line = line_of(error)
    import traceback

    log().info("hook `%s` failed: %s", hook, line, exc_info=error)
    return line, "".join(traceback.format_exception(type(error), error, error.__traceback__))


def is_async(function: Any) -> bool:
    """Returns whether a hook is asynchronous. A function that is named by a configuration is imported for that."""
    if isinstance(function, Imported):
        try:
            function = function.find()
        except NotFound:
            return False
    while hasattr(function, "func") and hasattr(function, "keywords"):
        function = function.func
    candidates: tuple[Any, ...] = (function, getattr(function.__class__, "__call__", None))
    for found in candidates:
        found = getattr(found, "__func__", found)
        if getattr(getattr(found, "__code__", None), "co_flags", 0) & _COROUTINE:
            return True
    return False


class NotFound(Exception):
    """The error for a function that cannot be found by its name."""


class Imported:
    """The function `module:function`, imported on the first call, from `directory` first."""

    __slots__ = ("path", "directory", "module")

    def __init__(self, path: str, directory: Union[str, os.PathLike[str]]) -> None:
        self.path = path
        self.directory = os.fspath(directory)
        self.module: Any = None

    def __call__(self, payload: Any) -> Any:
        return self.find()(payload)

    def find(self) -> Callable[[Any], Any]:
        """Returns the function. The module is imported once; its function may be replaced at any time."""
        module, colon, name = self.path.partition(":")
        if not (module and colon and name):
            raise NotFound(f"`{self.path}` is not the name of a Python function; write `module:function`")
        found: Any = self.module
        if found is None:
            if self.directory not in sys.path:
                sys.path.insert(0, self.directory)
            try:
                self.module = found = importlib.import_module(module)
            except Exception as error:
                raise NotFound(f"cannot import `{module}`: {line_of(error)}") from error
        for part in name.split("."):
            try:
                found = getattr(found, part)
            except AttributeError:
                raise NotFound(f"`{module}` has no `{name}`") from None
        if not callable(found):
            raise NotFound(f"`{self.path}` is not a function")
        return found  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"Imported({self.path!r})"
