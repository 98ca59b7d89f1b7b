#!/bin/sh
# The policy of git-guard as a shell hook: the event as JSON on stdin, exit 2 and the reason on stderr for a denial.
set -f # words are words, not patterns

deny() {
    printf '%s\n' "$1" >&2
    exit 2
}

has() { # whether the options after `:` hold one of the words before it
    wanted=
    while [ "$1" != : ]; do wanted="$wanted $1 "; shift; done
    shift
    for option; do
        case "$wanted" in *" $option "*) return 0 ;; esac
    done
    return 1
}

short() { # whether one of the options is a short one with this letter
    letter=$1
    shift
    for option; do
        case "$option" in --*) ;; -*"$letter"*) return 0 ;; esac
    done
    return 1
}

about() {
    verb=$1
    shift
    case "$verb" in
    checkout) has -- : "$@" && deny "this throws away changes that are in no commit; \`git stash\` keeps them" ;;
    restore)
        has --staged -S : "$@" || deny "this throws away changes that are in no commit; \`git stash\` keeps them"
        ;;
    reset)
        has --hard --merge : "$@" && deny "this throws away changes that are in no commit; \`git stash\` keeps them"
        ;;
    clean)
        if { has --force : "$@" || short f "$@"; } && ! has --dry-run : "$@" && ! short n "$@"; then
            deny "this deletes files that git does not know; \`git clean -n\` shows which"
        fi
        ;;
    push)
        if has --force : "$@" || short f "$@"; then
            deny "this replaces what others have; \`--force-with-lease\` does so only if nobody else pushed"
        fi
        ;;
    branch) short D "$@" && deny "this deletes commits that are on no other branch; \`-d\` looks first" ;;
    stash) has drop clear : "$@" && deny "this throws a stash away; \`git stash list\` shows what is in it" ;;
    esac
    case "$verb" in
    commit | push) has --no-verify : "$@" && deny "this skips the checks; mend what they complain about" ;;
    esac
    return 0
}

# The text of `command`, one simple command a line. A backslash before a quote or a backslash goes; a line break is one.
commands=$(sed -nE 's/.*"command":"(([^"\\]|\\.)*)".*/\1/p' | sed -e 's/\\n/\
/g' -e 's/\\t/ /g' -e 's/\\\(["\\]\)/\1/g' | tr ';|&()' '\n\n\n\n\n')

while read -r line; do
    words=
    for word in $line; do
        word=${word#[\'\"]}
        words="$words ${word%[\'\"]}"
    done
    set -- $words
    [ "${1-}" = sudo ] && shift
    [ "${1-}" = git ] && [ $# -ge 2 ] && shift && about "$@"
done <<END_OF_COMMANDS
$commands
END_OF_COMMANDS
exit 0
