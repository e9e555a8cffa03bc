#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Drives the console of `hearth serve` in headless Chromium: open, find, query, refuse, copy, live changes, keyboard alone, light
# and dark. Prints a line a test; ends with 1 if one fails.
#
#   console.sh [--program HEARTH] [--screenshots DIR] [--first-page ADDRESS]
#
#   --program      the hearth to test; default: a release build
#   --screenshots  write pictures of each part, in light and dark, into this folder
#   --first-page   test nothing: time the first page of the server at this address, such as localhost:8080
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program='' screenshots='' address=''
while [ $# -gt 0 ]; do
    case $1 in
    --program) program=$(realpath "$2") && shift 2 ;;
    --screenshots) mkdir -p "$2" && screenshots=$(realpath "$2") && shift 2 ;;
    --first-page) address=$2 && shift 2 ;;
    *) sed -n 's/^# \{0,1\}//; 3,10p' "$0" >&2 && exit 64 ;;
    esac
done
for tool in node chromium; do
    command -v "$tool" > /dev/null ||
        { echo "The console was not tested: there is no $tool, which Debian's package of that name (nodejs for node) has." && exit 0; }
done
work=$(mktemp -d)
child=''
trap '[ -z "$child" ] || kill "$child" 2> /dev/null || true; sleep 0.2; rm -rf "$work"' EXIT
if [ -z "$program$address" ]; then
    swift build -c release --package-path "$root" --traits Logging,Server,Connected --product hearth
    program=$(swift build -c release --package-path "$root" --traits Logging,Server,Connected --show-bin-path)/hearth
fi
node "$root/Scripts/console.js" "$work" "$program" "$screenshots" "$address" &
child=$!
wait "$child"
