"""A model of mini-coding-agent's hooks, written from the lines M1 to M37 of its specification: deliberately plain, and only as
much as the comparison in `test_ancestor.py` needs. It is not meant to be good; it is meant to behave as that program did."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Optional

from checkrein.compat import HookDecision, HookSpec

STRENGTH = ("allow", "ask", "deny")


class Broken(Exception):
    """A hook that failed; the text is its reason."""


def run(specs: list[HookSpec], cwd: Path, event: str, payload: dict[str, Any]) -> HookDecision:
    """Calls the hooks of the event in order, until one denies, and writes every rewrite into the payload."""
    total = HookDecision()
    for spec in specs:
        tools = spec.match.get("tool")
        named = payload.get("tool_name", "")
        if spec.event != event or not (tools is None or named == tools or (isinstance(tools, list) and named in tools)):
            continue
        try:
            said = function(spec, cwd, payload) if spec.callable_path else command(spec, cwd, payload)
        except Exception as error:
            # Whatever was rewritten before is not part of the answer [M37].
            return HookDecision("deny", f"hook {spec.label()} errored: {error}", hook_name=spec.label())
        if STRENGTH.index(said.decision) > STRENGTH.index(total.decision):
            total.decision, total.hook_name = said.decision, spec.label()
            total.reason = said.reason or total.reason
        if said.rewrite_args:
            total.rewrite_args = {**(total.rewrite_args or {}), **said.rewrite_args}
            payload.setdefault("tool_input", {}).update(said.rewrite_args)
        if said.rewrite_output is not None:
            total.rewrite_output = payload["tool_output"] = said.rewrite_output
        if total.decision == "deny":
            break
    return total


def function(spec: HookSpec, cwd: Path, payload: dict[str, Any]) -> HookDecision:
    """A function gets the payload itself, and has all the time that it wants [M23 to M25]."""
    module, colon, name = (spec.callable_path or "").partition(":")
    if not (module and colon and name):
        raise Broken("not a path of a function")
    if str(cwd) not in sys.path:
        sys.path.insert(0, str(cwd))
    return decision(getattr(importlib.import_module(module), name)(payload))


def command(spec: HookSpec, cwd: Path, payload: dict[str, Any]) -> HookDecision:
    """A command gets the payload on stdin and answers by its exit code, else on stdout [M16 to M20, M27 to M31]."""
    env = {
        **os.environ,
        "HOOK_EVENT": str(payload.get("hook_event_name", spec.event)),
        "HOOK_TOOL_NAME": str(payload.get("tool_name", "")),
        "HOOK_TOOL_INPUT": json.dumps(payload.get("tool_input") or {}),
    }
    shell = ["sh", "-c", spec.command or ""]
    try:
        done = subprocess.run(
            shell, input=json.dumps(payload), capture_output=True, text=True, timeout=spec.timeout, env=env, cwd=cwd
        )
    except subprocess.TimeoutExpired:
        return HookDecision("deny", f"hook timed out after {spec.timeout}s")
    stdout, stderr = done.stdout.strip(), done.stderr.strip()
    if done.returncode == 2:
        return HookDecision("deny", stderr or stdout or "hook denied")
    if done.returncode != 0:
        raise Broken(stderr or f"hook exited with code {done.returncode}")
    try:
        answer: Any = json.loads(stdout) if stdout else None
    except json.JSONDecodeError:
        answer = None
    return decision(answer)


def decision(answer: Any) -> HookDecision:
    """Reads what a function returned, or the JSON of a command [M24, M27 to M31]."""
    if answer is None:
        return HookDecision()
    if isinstance(answer, HookDecision):
        return answer
    fields: Optional[dict[str, Any]] = {"decision": answer} if isinstance(answer, str) else answer
    if not isinstance(fields, dict):
        raise Broken(f"a {type(answer).__name__} is no answer")
    word = fields.get("decision", "allow")
    if word not in STRENGTH:
        raise Broken(f"unknown decision {word!r}")
    return HookDecision(word, fields.get("reason"), fields.get("rewrite_args"), fields.get("rewrite_output"))
