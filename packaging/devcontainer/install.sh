#!/bin/sh
# Installs Checkrein into a container, when its image is built. `FROM` is the option of the Feature.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
to="${CHECKREIN_TO:-/usr/local}"
CHECKREIN_FROM="${FROM:-${CHECKREIN_FROM:-}}" sh "$here/checkrein-install.sh" --to "$to"
mkdir -p "$to/share/checkrein"
cp "$here/link.sh" "$to/share/checkrein/link.sh"
chmod 755 "$to/share/checkrein/link.sh"
