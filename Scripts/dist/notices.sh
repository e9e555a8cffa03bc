#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the licences of everything that is linked into a program: the packages whose modules are in its list of object files,
# the Swift runtime, LMDB, and the C++ library of the compiler.
#   notices.sh OBJECTS CHECKOUTS
#   notices.sh --check             whether the texts of the system are there
set -euo pipefail
shopt -s nullglob extglob
swift=$("$(dirname "$0")/toolchain.sh")/share/swift/LICENSE.txt
# Where Debian has the licences of what is installed; tests have others.
documents=${HEARTH_DOCUMENTS:-/usr/share/doc}
lmdb=$documents/liblmdb-dev/copyright
# One of each version of the compiler, of which the newest is used; those for other machines have longer names.
compilers=("$documents"/gcc-+([0-9.])-base/copyright)
compiler=$(printf '%s\n' "${compilers[@]}" | sort -V | tail -n 1)
for text in "$swift" "$lmdb" "${compiler:-copyright of gcc-base}"; do
    [ -f "$text" ] || { echo "notices.sh: there is no $text, which belongs into NOTICES" >&2; exit 1; }
done
[ "$1" != --check ] || exit 0
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
part 'Swift: its standard library, concurrency, dispatch and FoundationEssentials' "$swift"
part 'LMDB' "$lmdb"
part "libstdc++ and libgcc, under the GPL with GCC's runtime library exception" "$compiler"
