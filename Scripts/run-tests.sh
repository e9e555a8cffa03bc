#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs tests one after another, so that each one's time is its own and none waits for a thread that another holds; then lists
# the ten suites that took longest, and what was skipped for something that is not here.
#
#   run-tests.sh ROUND ARGUMENTS   ROUND: debug or release, a name; ARGUMENTS: those of `swift test`
#   run-tests.sh --results         what the rounds came to, once more
#
# HEARTH_ROUND_SECONDS: after how long a round that does not end is ended.
set -euo pipefail
cd "$(dirname "$0")/.."

results=.build/test-results
if [ "${1:-}" = --results ]; then
    cat "$results"/*.txt
    exit 0
fi
round=${1:?'usage: run-tests.sh ROUND ARGUMENTS, or run-tests.sh --results'}
shift
mkdir -p "$results"
limit=${HEARTH_ROUND_SECONDS:-2700}
rm -f "$results/$round".*

# A test that waits for ever would end with whoever runs this, and its name be lost: after 45 minutes the tests' process is
# ended, and what `swift test` prints then ends with the test that began last.
(
    while sleep 10; do
        kill -0 $$ || exit
        if [ "$SECONDS" -gt "$limit" ]; then
            for child in $(cat /proc/$$/task/*/children); do kill -KILL $(cat /proc/"$child"/task/*/children) || true; done
        fi
    done
) >/dev/null 2>&1 &

status=0
swift test --no-parallel --disable-xctest --xunit-output "$results/$round.xml" "$@" | tee "$results/$round.log" || status=$?

[ "$SECONDS" -le "$limit" ] || echo "==> The $round round was ended in the test that began last"

# No file where the tests did not build, or one of them ended the process: the messages above say so.
grep -qs '</testsuites>' "$results/$round.xml" || exit "$status"
awk -v round="$round" -F '"' '
    /<testcase / {
        test = $2 " " $4
        tests++
        if (!($2 in time)) suites++
        time[$2] += $6
        total += $6
    }
    /<failure/ && test != failed[failures] { failed[++failures] = test }
    END {
        printf "==> The slowest suites of the %s round, in seconds\n", round
        for (place = 1; place <= 10 && place <= suites; place++) {
            slowest = ""
            for (suite in time) if (slowest == "" || time[suite] > time[slowest]) slowest = suite
            printf "%8.1f  %s\n", time[slowest], slowest
            delete time[slowest]
        }
        printf "    The %s round: %d tests in %d suites, %.0f seconds, %d failed\n", round, tests, suites, total, failures
        for (place = 1; place <= failures; place++) printf "    failed: %s\n", failed[place]
    }' "$results/$round.xml" | tee "$results/$round.txt"
# Tests print this about themselves.
awk -F ': skipped: ' 'NF == 2 { tests[$2] = tests[$2] (tests[$2] ? ", " : "") $1 }
    END { for (reason in tests) printf "    skipped: %s: %s\n", reason, tests[reason] }' "$results/$round.log" | tee -a "$results/$round.txt"
exit "$status"
