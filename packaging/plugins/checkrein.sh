#!/bin/sh
# Starts the program of this plugin. It runs only a file whose SHA-256 is in the table below. Where the table has no program for this
# system, it runs `checkrein` on the PATH, but none of a project. Everything else is refused, and a refusal denies the call.
set -u
asked=" $* "
caller_path=${PATH:-}
# Not the caller's: a project can put programs of its own there.
PATH=/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin:/run/current-system/sw/bin

refuse() {
    printf 'Checkrein denied this: its plugin cannot start, because %s. Reinstall the plugin, or run `checkrein doctor`.\n' "$1" >&2
    case $asked in
        # Nothing can be prevented here, or a denial would keep the agent from ending.
        @REPORTS@) exit 1 ;;
    esac
    exit 2
}

[ -z "${CHECKREIN_PLUGIN:-}" ] || refuse 'it was started by itself'
case $0 in
    */*) here=${0%/*} ;;
    *) refuse 'it was started without its directory' ;;
esac

system=$(uname -sm) || refuse 'this system has no `uname`'
case $system in
@PROGRAMS@
    *) platform='' sum='' ;;
esac

if [ -n "$platform" ]; then
    program=$here/$platform/checkrein
    [ -f "$program" ] || refuse "$program is missing"
    if command -v sha256sum >/dev/null; then
        found=$(sha256sum <"$program")
    elif command -v shasum >/dev/null; then
        found=$(shasum -a 256 <"$program")
    elif command -v openssl >/dev/null; then
        found=$(openssl dgst -sha256 -r <"$program")
    else
        refuse 'no program here computes SHA-256 (sha256sum, shasum or openssl)'
    fi
    [ "${found%% *}" = "$sum" ] || refuse "$program is not the file that it was published with"
else
    # The project: the nearest directory with a repository, or this directory. A home directory is none.
    project=$PWD
    above=$PWD
    while [ -n "$above" ] && [ "$above" != "${HOME:-/}" ]; do
        if [ -e "$above/.git" ]; then project=$above && break; fi
        above=${above%/*}
    done
    case $project in "${HOME:-/}" | /) project=/dev/null ;; esac
    program=
    IFS=:
    set -f
    for directory in $caller_path; do
        case $directory/ in
            "$project"/* | */node_modules/*) continue ;;
            /*) ;;
            *) continue ;;
        esac
        if [ -f "$directory/checkrein" ] && [ -x "$directory/checkrein" ]; then
            program=$directory/checkrein
            break
        fi
    done
    set +f
    unset IFS
    [ -n "$program" ] || refuse "it has no program for $system, and there is no \`checkrein\` on the PATH outside of the project"
fi

PATH=$caller_path
CHECKREIN_PLUGIN=checkrein
export PATH CHECKREIN_PLUGIN
exec "$program" "$@"
