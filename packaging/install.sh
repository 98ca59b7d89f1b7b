#!/bin/sh
# Installs the program `checkrein`, its manual pages and its completions for this user. It needs tar, curl or wget, and a
# program that computes SHA-256. Nothing is written before the checksum of the download is right.
#
#   sh install.sh [--to DIRECTORY] [--remove]
#
#   --to DIRECTORY  where `bin` and `share` are; by default ~/.local
#   --remove        remove what was installed there
#
# CHECKREIN_FROM is the address of the directory with the archives and `SHA256SUMS`.
set -eu

version='@VERSION@'
from="${CHECKREIN_FROM:-@ADDRESS@}"

fail() {
    printf 'install.sh: %s\n' "$1" >&2
    exit 1
}

usage() {
    sed -n '2,10s/^# \{0,1\}//p' "$0"
}

has() {
    command -v "$1" > /dev/null 2>&1
}

# The compiler's name of this system, which is in the name of the archive.
system() {
    case "$(uname -s)" in
        Linux) os=unknown-linux-musl ;;
        Darwin) os=apple-darwin ;;
        *) fail "Checkrein runs on Linux and macOS, not on $(uname -s)" ;;
    esac
    case "$(uname -m)" in
        x86_64 | amd64) cpu=x86_64 ;;
        aarch64 | arm64) cpu=aarch64 ;;
        *) fail "there is no program for $(uname -m)" ;;
    esac
    printf '%s-%s\n' "$cpu" "$os"
}

fetch() {
    if has curl; then
        curl --fail --silent --show-error --location --output "$2" "$1" || fail "cannot download $1"
    elif has wget; then
        wget -q -O "$2" "$1" || fail "cannot download $1"
    else
        fail 'curl or wget is needed'
    fi
}

sha256() {
    if has sha256sum; then
        sha256sum < "$1"
    elif has shasum; then
        shasum -a 256 < "$1"
    elif has openssl; then
        openssl dgst -sha256 -r < "$1"
    else
        fail 'sha256sum, shasum or openssl is needed to check the download'
    fi | cut -d ' ' -f 1
}

# Puts a file in its place by renaming, because an agent may start the program at any moment.
put() {
    mkdir -p "$(dirname "$2")"
    cp "$1" "$2.new.$$"
    chmod "$3" "$2.new.$$"
    mv -f "$2.new.$$" "$2"
}

install() {
    [ -n "$from" ] || fail 'set CHECKREIN_FROM to the address of the directory with the archives'
    name="checkrein-$version-$(system)"
    directory="$(mktemp -d)"
    trap 'rm -rf "$directory"' EXIT
    trap 'exit 1' HUP INT TERM
    fetch "$from/SHA256SUMS" "$directory/SHA256SUMS"
    fetch "$from/$name.tar.gz" "$directory/$name.tar.gz"
    wanted="$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\.tar\.gz\$/\1/p" "$directory/SHA256SUMS")"
    [ -n "$wanted" ] || fail "SHA256SUMS has no line for $name.tar.gz"
    got="$(sha256 "$directory/$name.tar.gz")"
    [ "$wanted" = "$got" ] || fail "the checksum of $name.tar.gz is wrong, so nothing was installed
  expected $wanted
  got      $got"
    tar -xzf "$directory/$name.tar.gz" -C "$directory"
    (cd "$directory/$name" && find share -type f) | while IFS= read -r file; do
        put "$directory/$name/$file" "$to/$file" 644
    done
    put "$directory/$name/bin/checkrein" "$to/bin/checkrein" 755
    printf 'Installed checkrein %s in %s\n' "$version" "$to/bin"
    case ":$PATH:" in
        *":$to/bin:"*) printf 'Next: checkrein init\n' ;;
        *) printf 'Add it to your PATH, then run `checkrein init`:\n  export PATH="%s:$PATH"\n' "$to/bin" ;;
    esac
}

remove() {
    [ -e "$to/bin/checkrein" ] || fail "there is no $to/bin/checkrein"
    # Agents that still call the program would block every call without it.
    if ! "$to/bin/checkrein" uninstall --dry-run > /dev/null 2>&1; then
        printf 'Note: cannot tell whether an agent still calls checkrein; `checkrein uninstall` says.\n' >&2
    elif ! "$to/bin/checkrein" uninstall --dry-run 2> /dev/null | grep -Eq '^(Nothing|No supported agent)'; then
        fail 'an agent still calls checkrein: run `checkrein uninstall` first'
    fi
    rm -f "$to/bin/checkrein" "$to"/share/man/man1/checkrein.1 "$to"/share/man/man1/checkrein-*.1 \
        "$to/share/bash-completion/completions/checkrein" "$to/share/zsh/site-functions/_checkrein" \
        "$to/share/fish/vendor_completions.d/checkrein.fish"
    # Directories that are empty now were ours, or nobody misses them.
    for directory in share/man/man1 share/man share/bash-completion/completions share/bash-completion \
        share/zsh/site-functions share/zsh share/fish/vendor_completions.d share/fish share bin; do
        rmdir "$to/$directory" 2> /dev/null || true
    done
    printf 'Removed checkrein from %s\n' "$to"
}

to="${HOME:-}/.local"
action=install
while [ $# -gt 0 ]; do
    case "$1" in
        --to)
            [ $# -ge 2 ] || fail '--to needs a directory'
            to="$2"
            shift
            ;;
        --remove) action=remove ;;
        -h | --help)
            usage
            exit 0
            ;;
        *) fail "unknown argument '$1'; see --help" ;;
    esac
    shift
done
case "$to" in
    /*) ;;
    .local | '/.local') fail 'HOME is not set; use --to DIRECTORY' ;;
    *) to="$PWD/$to" ;;
esac
"$action"
