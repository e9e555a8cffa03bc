#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts the instructions of a few operations under callgrind and compares them with those recorded.
#
#   count-instructions.sh PROGRAM            fails where a count has grown by more than 5 %
#   count-instructions.sh PROGRAM --record   writes the counts down anew; refused where CI is set
#
# PROGRAM is an optimised EngineBench. Counts do not depend on how busy the machine is, but a little on the processor's kind and
# the versions of Swift and the C library: those that have shrunk are worth recording too. The first line of what is recorded
# names the machine; on another one nothing is compared.
set -euo pipefail
cd "$(dirname "$0")/.."

program=${1:?'usage: count-instructions.sh PROGRAM [--record]'}
record=Sources/EngineBench/InstructionCounts.txt
tolerance=5

if [ "${2:-}" = --record ] && [ -n "${CI:-}" ]; then
    echo 'count-instructions.sh: counts are not recorded in CI: do it where you can look at them' >&2
    exit 64
fi
if ! command -v valgrind > /dev/null; then
    echo 'count-instructions.sh: valgrind is not installed, so instructions are NOT compared (apt-get install valgrind)'
    exit 0
fi
recorded=$(awk '$1 == "machine" { print $2 }' "$record")
if [ "${2:-}" != --record ] && [ "$recorded" != "$(uname -m)" ]; then
    echo "count-instructions.sh: counts of $recorded are recorded and this is $(uname -m), so nothing is compared"
    exit 0
fi

counts=$(mktemp -d)
# Valgrind ends with this script. It runs beside it, because bash would wait for its end before it takes a signal.
trap '{ kill $(jobs -p) && wait; } 2> /dev/null || true; rm -rf "$counts"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file="$counts/out" \
    --toggle-collect=cscan_region --dump-after=cscan_region "$program" instructions \
    > "$counts/names" 2> "$counts/messages" &
if ! wait "$!"; then
    tail -n 20 "$counts/messages" >&2
    echo 'count-instructions.sh: the operations did not run under callgrind: see its messages above' >&2
    exit 1
fi

# The n-th part that callgrind wrote is of the n-th operation that the program named.
number=0
while IFS=$'\t' read -r name repetitions; do
    number=$((number + 1))
    total=$(sed -n 's/^totals: //p' "$counts/out.$number")
    echo "$name $((total / repetitions))"
done < "$counts/names" > "$counts/now"

if [ "${2:-}" = --record ]; then
    { echo "machine $(uname -m)" && cat "$counts/now"; } > "$record"
    echo "Recorded in $record:"
    cat "$record"
    exit 0
fi

failed=0
while read -r name now; do
    before=$(awk -v name="$name" '$1 == name { print $2 }' "$record")
    if [ -z "$before" ]; then
        echo "$name: $now instructions, never recorded"
        failed=1
    else
        change=$(((now - before) * 1000 / before))
        size=${change#-}
        printf '%-28s %10d instructions, recorded %10d: %s%d.%d %%\n' \
            "$name" "$now" "$before" "$([ "$change" -lt 0 ] && echo - || echo +)" $((size / 10)) $((size % 10))
        [ "$change" -le $((tolerance * 10)) ] || failed=1
    fi
done < "$counts/now"
if [ "$failed" -ne 0 ]; then
    echo "An operation takes over $tolerance % more instructions than recorded. If that is meant: make record-instructions" >&2
    exit 1
fi
