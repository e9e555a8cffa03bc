#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the licences of everything that is linked into a program: the packages whose modules are in its list of object files,
# the Swift runtime, LMDB, and the C++ library of the compiler.
#   notices.sh OBJECTS CHECKOUTS
set -euo pipefail
objects=$1
checkouts=$2

part() {
    printf '%s\n' '' "$(printf '=%.0s' {1..80})" "$1" "$(printf '=%.0s' {1..80})" ''
    shift
    for text in "$@"; do cat "$text"; done
}

echo 'hearth is under the Apache License 2.0, whose text is in LICENSE. These parts are linked into it:'
for package in "$checkouts"/*/; do
    is_linked=
    for module in "$package"Sources/*/; do
        # Grep reads to the end: a pipe that closes early would end the script.
        if grep -cF "/$(basename "$module").build/" "$objects" > /dev/null; then is_linked=yes; fi
    done
    [ -n "$is_linked" ] || continue
    texts=()
    for text in "$package"LICENSE* "$package"NOTICE*; do [ ! -f "$text" ] || texts+=("$text"); done
    if [ ${#texts[@]} -eq 0 ]; then
        echo "notices.sh: $(basename "$package") is linked, but has no LICENSE" >&2
        exit 1
    fi
    part "$(basename "$package")" "${texts[@]}"
done
swift=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
part 'Swift: its standard library, concurrency, dispatch and FoundationEssentials' "$swift/share/swift/LICENSE.txt"
part 'LMDB' /usr/share/doc/liblmdb-dev/copyright
part "libstdc++ and libgcc, under the GPL with GCC's runtime library exception" /usr/share/doc/gcc-12-base/copyright
