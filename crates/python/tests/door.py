"""The package behind the command line of the program: `door.py hook --host checkrein --config FILE` with an event on stdin,
and `door.py hooks --config FILE`, which reports problems of a configuration on stderr.

The semantics corpus runs through it (`cargo run -p checkrein-testkit --example door`), so that its cases hold in Python as
in the library and in the program.
"""

import json
import sys
from typing import Any

import checkrein


def answer(config: str, text: str) -> tuple[dict[str, Any], int]:
    try:
        hooks = checkrein.Dispatcher.from_config(config)
    except checkrein.ConfigError as problems:
        hooks = checkrein.Dispatcher.refusing(str(problems))
    try:
        event = json.loads(text)
        event.setdefault("host", "checkrein")
        outcome = hooks.dispatch(event)
    except ValueError as error:
        return {"decision": "deny", "reason": str(error)}, 2
    return outcome.as_dict(), 0


def main() -> None:
    _, command, *rest = sys.argv
    options = dict(zip(rest[::2], rest[1::2]))
    if command == "hooks":
        try:
            checkrein.Dispatcher.from_config(options["--config"])
        except checkrein.ConfigError as problems:
            sys.exit(str(problems))
        return
    assert command == "hook" and options["--host"] == "checkrein", sys.argv
    reply, code = answer(options["--config"], sys.stdin.read())
    print(json.dumps(reply))
    sys.exit(code)


if __name__ == "__main__":
    main()
