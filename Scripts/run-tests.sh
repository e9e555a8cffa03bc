#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs built tests in two processes at once, each of them one test after another, so that none waits for a thread that another
# holds; then lists the ten suites that took longest, and what was skipped for something that is not here.
#
#   run-tests.sh ROUND FOLDER ARGUMENTS   ROUND: debug or release, a name; FOLDER: where the tests are built; ARGUMENTS: --filter
#                                         and --skip, as of `swift test`
#   run-tests.sh --results                what the rounds came to, once more
#
# HEARTH_ROUND_SECONDS: after how long a round that does not end is ended.
set -euo pipefail
cd "$(dirname "$0")/.."

results=.build/test-results
if [ "${1:-}" = --results ]; then
    cat "$results"/*.txt
    exit 0
fi
usage='usage: run-tests.sh ROUND FOLDER ARGUMENTS, or run-tests.sh --results'
round=${1:?$usage}
program=${2:?$usage}/HearthPackageTests.xctest
shift 2
mkdir -p "$results"
rm -f "$results/$round".*

# About half of the time of each round.
half='(CommandLine|FirestoreServer|QueryPlanner|SyncCore)Tests\.'
run_half() {
    local name=$1
    shift
    "$program" --testing-library swift-testing --no-parallel --xunit-output "$results/$round.$name.xml" "$@" 2>&1 |
        sed -u 's/\x1b\[[0-9;]*m//g' | tee "$results/$round.$name.log"
}
run_half first "$@" --skip "^(?!$half)" &
first=$!
run_half second "$@" --skip "^$half" &
second=$!

# A test that waits for ever would end with whoever runs this, and its name be lost.
limit=${HEARTH_ROUND_SECONDS:-2700}
(
    while sleep 10; do
        kill -0 $$ || exit
        if [ "$SECONDS" -gt "$limit" ]; then kill -KILL $(cat /proc/{"$first","$second"}/task/*/children) || true; fi
    done
) >/dev/null 2>&1 &

status=0
wait "$first" || status=$?
wait "$second" || status=$?

for name in first second; do
    grep -qs '</testsuites>' "$results/$round.$name.xml" && continue
    # No file where one of the tests ended the process.
    began=$(sed -n 's/^◇ Test \(.*\) started\.$/\1/p' "$results/$round.$name.log" | grep -v '^case ' | tail -n 1 || true)
    ended='was ended by'
    [ "$SECONDS" -le "$limit" ] || ended="did not end within $limit seconds in"
    echo "    The $name half of the $round round $ended ${began:-no test: none began}" | tee -a "$results/$round.txt"
    status=1
done

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
    }' $(ls "$results/$round".*.xml 2> /dev/null || echo /dev/null) | tee -a "$results/$round.txt"
# Tests print this about themselves.
awk -F ': skipped: ' 'NF == 2 { tests[$2] = tests[$2] (tests[$2] ? ", " : "") $1 }
    END { for (reason in tests) printf "    skipped: %s: %s\n", reason, tests[reason] }' "$results/$round".*.log |
    tee -a "$results/$round.txt"
exit "$status"
