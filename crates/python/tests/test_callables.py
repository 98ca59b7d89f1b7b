"""Python functions as hooks: time limits, exceptions, threads, contexts."""

import contextvars
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from checkrein import Dispatcher, Payload, Verdict


def bash() -> Payload:
    return Payload.pre_tool_use("Bash", {"command": "ls"})


def only(function: Any, **options: Any) -> Dispatcher:
    hooks = Dispatcher(guard=False)
    hooks.add(function, "PreToolUse", name="h", **options)
    return hooks


def test_a_late_hook_is_abandoned_and_the_next_one_runs() -> None:
    release, calls = threading.Event(), []

    def slow(payload: Payload) -> str:
        calls.append(threading.get_ident())
        release.wait(60)
        return "deny"

    hooks = only(slow, timeout=0.2, on_failure="ask")
    hooks.add(lambda payload: Verdict(context=("heard",)), "PreToolUse", name="next")
    begun = time.monotonic()
    outcome = hooks.dispatch(bash())
    assert time.monotonic() - begun < 30
    assert outcome.reason == "h: the hook failed: timed out after 0.2 s" and outcome.context == [("next", "heard")]
    # Its thread is not reused while it is busy.
    hooks.dispatch(bash())
    assert len(set(calls)) == 2
    release.set()


def test_threads_are_reused() -> None:
    idents: set[int] = set()
    hooks = only(lambda payload: idents.add(threading.get_ident()))
    for _ in range(100):
        hooks.dispatch(bash())
    assert len(idents) <= 2 and threading.get_ident() not in idents


def test_an_exception_is_a_failure_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    def fails(payload: Payload) -> None:
        raise ValueError("two\nlines")

    with caplog.at_level(logging.INFO, "checkrein"):
        outcome = only(fails).dispatch(bash())
    [(hook, failure)] = outcome.failures
    assert hook == "h" and failure.startswith("ValueError: two lines (test_callables.py, line ")
    assert outcome.denied and outcome.reason == f"h: the hook failed: {failure}"
    [(hook, traceback)] = outcome.tracebacks
    assert hook == "h" and "Traceback" in traceback and "in fails" in traceback
    assert "in fails" in caplog.text


@pytest.mark.parametrize("error", [SystemExit(3), GeneratorExit(), RecursionError()])
def test_nothing_else_passes_through(error: BaseException) -> None:
    def fails(payload: Payload) -> None:
        raise error

    assert only(fails).dispatch(bash()).failures[0][1].startswith(type(error).__name__)


def test_a_keyboard_interrupt_passes_through() -> None:
    asked: list[str] = []

    def interrupts(payload: Payload) -> None:
        raise KeyboardInterrupt

    hooks = only(interrupts, on_failure="ignore")
    hooks.add(lambda payload: asked.append("next"), "PreToolUse", name="next")
    with pytest.raises(KeyboardInterrupt):
        hooks.dispatch(bash())
    assert asked == []
    # It leaves nothing behind.
    hooks.remove("h")
    assert not hooks.dispatch(bash()).denied and asked == ["next"]


def test_ctrl_c_ends_the_wait() -> None:
    # A job in the background of a shell ignores the signal, and so would Python.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        only(lambda payload: time.sleep(20), timeout=20).dispatch(bash())
    assert time.monotonic() - begun < 15
    timer.join()


def test_a_hook_may_dispatch() -> None:
    inner = only(lambda payload: Verdict.deny(f"inner {payload['tool_input']['big']}"))

    def outer(payload: Payload) -> Verdict:
        return Verdict.ask(inner.dispatch(payload).reason)

    outcome = only(outer).dispatch(Payload.pre_tool_use("Bash", {"command": "ls", "big": 2**80}))
    assert outcome.reason == f"h: h: inner {2**80}"


def test_a_hook_has_the_callers_context_variables() -> None:
    variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="unset")
    variable.set("set")
    assert only(lambda payload: Verdict.ask(variable.get())).dispatch(bash()).reason == "h: set"


def test_any_callable_object() -> None:
    class Guard:
        def __call__(self, payload: Payload) -> str:
            return "deny"

        def method(self, payload: Payload) -> str:
            return "ask"

    assert only(Guard()).dispatch(bash()).decision == "deny"
    assert only(Guard().method).dispatch(bash()).decision == "ask"


def test_an_answer_with_a_broken_as_dict() -> None:
    class Odd:
        def as_dict(self) -> Any:
            raise RuntimeError("odd")

    assert only(lambda payload: Odd()).dispatch(bash()).failures[0][1].startswith("RuntimeError: odd")


def test_an_abandoned_hook_does_not_keep_the_interpreter(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import time\nfrom checkrein import Dispatcher, Payload\n"
        "hooks = Dispatcher(guard=False)\n"
        "hooks.add(lambda payload: time.sleep(1), 'PreToolUse', timeout=0.1)\n"
        "print(hooks.dispatch(Payload.pre_tool_use('Bash', {'command': 'ls'})).decision, flush=True)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "deny\n", "")


def test_an_extension_that_was_not_built(tmp_path: Path) -> None:
    (tmp_path / "unbuilt_extension.so").write_bytes(b"not an extension")
    (tmp_path / "hooks.toml").write_text('[[hook]]\nevent = "PreToolUse"\ncallable = "unbuilt_extension:check"\n')
    [(_, failure)] = Dispatcher.from_config(tmp_path / "hooks.toml").dispatch(bash()).failures
    assert failure.startswith("cannot import `unbuilt_extension`: ImportError: ")
