"""The dispatch for an asynchronous caller.

Asynchronous hooks are tasks of the caller's event loop. Hooks that could block it (commands, functions with a timeout, the
guard) run on our own threads, so that the executor of the application stays free for the application.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Optional, TypeVar

from . import _threads
from ._native import Steps

__all__ = ["drive"]

_T = TypeVar("_T")


class _Running:
    """A hook that runs as a task, and the time at which it is late."""

    __slots__ = ("task", "end")

    def __init__(self, call: Coroutine[Any, Any, Any], end: float) -> None:
        self.task = asyncio.ensure_future(call)
        self.end = end


async def _call(function: Any, argument: Any) -> Any:
    # A call that raises before it awaits is a failure of the hook too.
    return await function(argument)


async def _elsewhere(steps: Steps) -> Any:
    """Calls the next hooks on a thread, until one of them is asynchronous."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def set_result(answer: Any, error: Optional[BaseException]) -> None:
        if done.cancelled():
            return
        if error is None:
            done.set_result(answer)
        else:
            done.set_exception(error)

    def deliver(answer: Any, error: Optional[BaseException]) -> None:
        try:
            loop.call_soon_threadsafe(set_result, answer, error)
        except RuntimeError:
            # The loop is closed, so nobody waits any more.
            pass

    _threads.submit(steps.advance, True, deliver, None)
    return await done


async def drive(steps: Steps, finish: Callable[[Steps], _T]) -> _T:
    """Runs a dispatch to its end and returns what `finish` makes of it. If the caller is cancelled, so is every hook that still runs."""
    loop = asyncio.get_running_loop()
    running: dict[int, _Running] = {}
    try:
        while True:
            todo: Any = steps.advance(False)
            if todo is True:
                todo = await _elsewhere(steps)
            if todo is None:
                return finish(steps)
            index, starts = todo
            now = loop.time()
            for number, function, argument, seconds in starts:
                running[number] = _Running(_call(function, argument), now + seconds)
            await _answer(steps, index, running.pop(index), loop)
    except BaseException:
        steps.abandon()
        raise
    finally:
        # Judges that a denial made superfluous, or hooks of a caller that is gone.
        for left in running.values():
            left.task.cancel()


async def _answer(steps: Steps, index: int, hook: _Running, loop: asyncio.AbstractEventLoop) -> None:
    try:
        await asyncio.wait({hook.task}, timeout=max(0.0, hook.end - loop.time()))
    except asyncio.CancelledError:
        hook.task.cancel()
        raise
    if not hook.task.done():
        # Not awaited: a hook that ignores the cancellation does not hold up anyone.
        hook.task.cancel()
        steps.answer(index, late=True)
    elif hook.task.cancelled():
        steps.answer(index, None, asyncio.CancelledError("the hook was cancelled"))
    else:
        error = hook.task.exception()
        steps.answer(index, None if error else hook.task.result(), error)
