"""Threads, forks, subinterpreters, and nothing that leaks."""

import gc
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import checkrein
import checkrein.compat as hooks
from checkrein import Dispatcher, Payload, Verdict


def payload(number: int = 0) -> Payload:
    return Payload.pre_tool_use("Bash", {"command": f"echo {number}", "list": [number, "é", None, 1.5]})


def references() -> int:
    """Counts all live objects."""
    gc.collect()
    return len(gc.get_objects())


def test_eight_threads_and_ten_thousand_calls() -> None:
    mixed = Dispatcher(guard=False)
    mixed.add(checkrein.scan_regex, "PreToolUse")
    mixed.add(lambda given: Verdict(rewrite={"seen": given["tool_input"]["command"]}), "PreToolUse", name="edit")
    wrong: list[str] = []

    def work(thread: int) -> None:
        for call in range(1250):
            given = payload(thread * 10_000 + call)
            outcome = mixed.dispatch(given)
            if outcome.tool_input is None or outcome.tool_input.get("seen") != given["tool_input"]["command"]:
                wrong.append(repr(outcome))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_no_reference_leaks_over_a_hundred_thousand_calls() -> None:
    native = Dispatcher(guard=False)
    native.add(checkrein.noop, "PreToolUse")
    manager = hooks.HookManager([hooks.HookSpec("PreToolUse", callable_path="checkrein:noop")])
    given = payload()
    marker = given["tool_input"]["list"]

    def calls(count: int) -> None:
        for _ in range(count):
            native.dispatch(given)
            manager.run("PreToolUse", given)

    calls(1000)
    before, held = references(), sys.getrefcount(marker)
    calls(50_000)
    assert sys.getrefcount(marker) == held
    assert abs(references() - before) < 50


def test_python_hooks_and_edits_do_not_leak_either() -> None:
    editing = Dispatcher(guard=False)
    editing.add(lambda given: {"rewrite_args": {"big": 2**90, "text": "x"}}, "PreToolUse", name="edit")
    failing = Dispatcher(guard=False)
    failing.add(lambda given: 1 / 0, "PreToolUse", name="fail")  # type: ignore[arg-type]
    given = payload()

    def calls(count: int) -> None:
        for _ in range(count):
            assert editing.dispatch(given).tool_input is not None
            assert failing.dispatch(given).denied

    calls(200)
    before = references()
    calls(2000)
    assert abs(references() - before) < 100


def resident() -> int:
    """Returns the memory of this process in kilobytes."""
    status = Path("/proc/self/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def test_memory_does_not_grow() -> None:
    native = Dispatcher(guard=False)
    native.add(checkrein.walk_ast, "PreToolUse")
    large = Payload.pre_tool_use("Bash", {"command": "echo " + "x" * 20_000})
    for _ in range(200):
        native.dispatch(large)
    before = resident()
    for _ in range(3000):
        native.dispatch(large)
    # A leak of one copy of the text per call would be 60 MB.
    assert resident() - before < 20_000


def test_a_forked_child_has_its_own_threads(tmp_path: Path) -> None:
    (tmp_path / "forked_hooks.py").write_text("def check(payload): return 'deny'\n")
    (tmp_path / "hooks.toml").write_text('[[hook]]\nevent = "PreToolUse"\ncallable = "forked_hooks:check"\n')
    script = tmp_path / "script.py"
    script.write_text(
        "import os\nfrom checkrein import Dispatcher, Payload\n"
        f"hooks = Dispatcher.from_config({str(tmp_path / 'hooks.toml')!r})\n"
        "payload = Payload.pre_tool_use('Bash', {'command': 'ls'})\n"
        "assert hooks.dispatch(payload).denied\n"
        "child = os.fork()\n"
        "assert hooks.dispatch(payload).denied\n"
        "if child == 0:\n    os._exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "7\n"), done.stderr


def test_a_subinterpreter_is_refused_and_not_harmed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, checkrein\n"
        "try:\n    import _interpreters as interpreters\nexcept ImportError:\n    import _xxsubinterpreters as interpreters\n"
        "inner = interpreters.create()\n"
        "code = 'try:\\n    import checkrein\\nexcept ImportError as error:\\n    print(error)\\n'\n"
        "interpreters.run_string(inner, 'import sys; sys.path[:] = ' + repr(sys.path))\n"
        "interpreters.run_string(inner, code + 'sys.stdout.flush()')\n"
        "interpreters.destroy(inner)\n"
        "print(checkrein.Dispatcher().dispatch(checkrein.Payload.pre_tool_use('Bash', {'command': 'ls'})).decision)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) == 2, (done.stdout, done.stderr)
    assert "subinterpreters" in lines[0] and lines[1] == "abstain"


def test_the_interpreter_is_free_while_a_command_runs(tmp_path: Path) -> None:
    (tmp_path / "hooks.toml").write_text('[[hook]]\nevent = "PreToolUse"\ncommand = "sleep 0.5"\n')
    waiting = Dispatcher.from_config(tmp_path / "hooks.toml")
    outcome: list[Any] = []
    thread = threading.Thread(target=lambda: outcome.append(waiting.dispatch(payload())))
    thread.start()
    turns = 0
    while thread.is_alive():
        turns += 1
        os.sched_yield()
    thread.join()
    assert turns > 100 and outcome[0].failures == []
