"""`python -m checkrein`: the program that was installed with this package."""

import os
import sys
import sysconfig


def main() -> None:
    """Replaces this process with the program."""
    program = os.path.join(sysconfig.get_path("scripts"), "checkrein")
    if not os.path.exists(program):
        sys.exit(f"checkrein: the program is not at {program}; install the wheel again")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
