#!/bin/sh
# Agents' settings that are mounted from the host name the program of the host. In the container that path does not exist, and an
# agent that cannot start its hook may block every call. So the path becomes a link to the container's program. The settings stay as
# they are: changing them here would break the host.
set -eu
program="${CHECKREIN_PROGRAM:-/usr/local/bin/checkrein}"
[ -x "$program" ] || { echo "link.sh: there is no program $program" >&2; exit 1; }

# The programs of our entries that are not there, in the settings of every agent. `doctor` fails where there are any.
missing() {
    { "$program" doctor || true; } 2>&1 | sed -nE 's|.* runs `(/[^`]*/checkrein)`, which does not exist.*|\1|p' | sort -u
}

missing | while IFS= read -r path; do
    as_root=''
    [ "$(id -u)" = 0 ] || ! command -v sudo > /dev/null || as_root='sudo'
    if $as_root mkdir -p "$(dirname "$path")" && $as_root ln -s "$program" "$path"; then
        echo "checkrein: $path is a link to $program now"
    else
        echo "checkrein: cannot create $path, which the mounted settings name; agents may block every call" >&2
        exit 1
    fi
done
