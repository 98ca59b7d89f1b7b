#!/bin/sh
# The policy of git-guard as a shell hook: it reads the event as JSON on stdin; exit 2 with the reason on stderr is a denial.
set -f # words are words, not patterns

deny() {
    printf '%s\n' "$1" >&2
    exit 2
}

has() { # true if the options after `:` include one of the words before it
    wanted=
    while [ "$1" != : ]; do wanted="$wanted $1 "; shift; done
    shift
    for option; do
        case "$wanted" in *" $option "*) return 0 ;; esac
    done
    return 1
}

short() { # true if a short option has this letter
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
    checkout) has -- : "$@" && deny "this discards uncommitted changes; \`git stash\` keeps them" ;;
    restore)
        has --staged -S : "$@" || deny "this discards uncommitted changes; \`git stash\` keeps them"
        ;;
    reset)
        has --hard --merge : "$@" && deny "this discards uncommitted changes; \`git stash\` keeps them"
        ;;
    clean)
        if { has --force : "$@" || short f "$@"; } && ! has --dry-run : "$@" && ! short n "$@"; then
            deny "this deletes untracked files; \`git clean -n\` shows which"
        fi
        ;;
    push)
        if has --force : "$@" || short f "$@"; then
            deny "this overwrites the remote branch; \`--force-with-lease\` does so only if nobody else pushed"
        fi
        ;;
    branch) short D "$@" && deny "this may delete unmerged commits; \`-d\` refuses to" ;;
    stash) has drop clear : "$@" && deny "this discards a stash; \`git stash list\` shows what is in it" ;;
    esac
    case "$verb" in
    commit | push) has --no-verify : "$@" && deny "this skips the checks; fix what they report" ;;
    esac
    return 0
}

# The string `command`, one simple command per line, with JSON escapes decoded.
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
