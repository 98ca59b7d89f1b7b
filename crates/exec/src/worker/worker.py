"""Calls Python functions for Checkrein.

Started as `python -c <this text> serve DIRECTORY` it reads requests, one JSON object per line, and answers each with one line:

    {"callable": "module:function", "cwd": "/work", "env": {"HOOK_EVENT": "PreToolUse"}, "payload": {...}}
    {"answer": null}  or  {"answer": {"decision": "deny"}}  or  {"failure": "ValueError: no (hooks.py, line 3)"}

As `python -c <this text> once DIRECTORY CALLABLE` it reads one payload and answers as a command does: the answer on stdout,
or the failure on stderr and exit code 1. It needs Python 3.6 and nothing else.
"""

import sys

# The working directory belongs to the session: nothing is imported from there.
if sys.path and sys.path[0] == "":
    del sys.path[0]

import importlib
import json
import os


class Failed(Exception):
    """A failure that the function itself did not cause."""


def find(path):
    """Returns the function `module:function`. A module is imported once."""
    module, _, name = path.partition(":")
    try:
        found = importlib.import_module(module)
    except Exception as error:
        raise Failed("cannot import `%s`: %s" % (module, describe(error))) from error
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise Failed("`%s` has no `%s`" % (module, name)) from None
    if not callable(found):
        raise Failed("`%s` is not a function" % path)
    return found


def plain(answer):
    """Converts the return value of a function to JSON."""
    if hasattr(answer, "__await__"):
        import asyncio

        async def wait():
            return await answer

        answer = asyncio.run(wait())
    if answer is None or isinstance(answer, (str, dict)):
        return answer
    if hasattr(answer, "as_dict"):
        return answer.as_dict()
    if hasattr(answer, "__dataclass_fields__"):
        fields = ((name, getattr(answer, name)) for name in answer.__dataclass_fields__)
        return {name: value for name, value in fields if value is not None}
    raise Failed("a hook returns None, a decision, a dict or a Verdict, not `%s`" % type(answer).__name__)


def call(path, payload):
    """Returns the answer of one function as text."""
    answer = plain(find(path)(payload))
    try:
        return json.dumps(answer, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise Failed("the answer is not JSON: %s" % error) from error


def describe(error):
    """Describes an exception in one line: its type and message, and the innermost place in a file."""
    if isinstance(error, Failed):
        return str(error)
    text = "%s: %s" % (type(error).__name__, error) if str(error) else type(error).__name__
    trace, place = error.__traceback__, None
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if not name.startswith("<"):
            place = "%s, line %d" % (os.path.basename(name), trace.tb_lineno)
        trace = trace.tb_next
    lines = " ".join(text.split())
    return "%s (%s)" % (lines, place) if place else lines


def keep_streams():
    """Moves our two pipes out of reach of a function that reads stdin or prints."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, answers


def serve():
    requests, answers = keep_streams()
    ours = set()
    for line in requests:
        try:
            request = json.loads(line)
            for name in ours:
                os.environ.pop(name, None)
            ours = set(request["env"])
            os.environ.update(request["env"])
            if request["cwd"] is not None:
                os.chdir(request["cwd"])
            reply = '{"answer": %s}' % call(request["callable"], request["payload"])
        except BaseException as error:
            reply = json.dumps({"failure": describe(error)})
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                pass
        answers.write(reply.encode("utf-8") + b"\n")
        answers.flush()


def once(path):
    requests, answers = keep_streams()
    try:
        reply = call(path, json.loads(requests.read()))
    except BaseException as error:
        sys.stderr.write(describe(error) + "\n")
        sys.exit(1)
    if reply != "null":
        answers.write(reply.encode("utf-8"))
    answers.close()


sys.path.insert(0, sys.argv[2])
if sys.argv[1] == "serve":
    serve()
else:
    once(sys.argv[3])
