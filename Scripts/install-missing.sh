#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing of the named things: lmdb, python, sqlite, valgrind, venv. Does nothing where all of it is there.
set -euo pipefail

packages=()
need() { [[ " ${packages[*]} " == *" $1 "* ]] || packages+=("$1"); }
library() {
    command -v pkg-config > /dev/null || need pkg-config
    pkg-config --exists "$1" 2> /dev/null || need "$2"
}
for thing in "$@"; do
    case $thing in
    lmdb) library lmdb liblmdb-dev ;;
    sqlite) library sqlite3 libsqlite3-dev ;;
    python)
        command -v python3 > /dev/null || need python3
        python3 -m pip --version > /dev/null 2>&1 || need python3-pip
        ;;
    valgrind) command -v valgrind > /dev/null || need valgrind ;;
    # Debian's Python makes no virtual environments without it.
    venv) python3 -c 'import ensurepip' 2> /dev/null || need python3-venv ;;
    *)
        echo "install-missing.sh: '$thing' is not one of lmdb, python, sqlite, valgrind, venv" >&2
        exit 64
        ;;
    esac
done
[ ${#packages[@]} -gt 0 ] || exit 0

if ! command -v apt-get > /dev/null; then
    echo "These packages are missing, here by their Debian names: ${packages[*]}." >&2
    echo "There is no apt-get on this machine: install them with its own package manager, then try again." >&2
    exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo > /dev/null; then
        echo "These packages are missing: ${packages[*]}. Install them as root: apt-get install ${packages[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "==> Installing ${packages[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${as_root[@]}" apt-get update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}"; } \
    > "$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "Could not install ${packages[*]}: see apt-get's messages above. Is the package archive reachable?" >&2
    exit 1
fi
