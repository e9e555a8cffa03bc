#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the official clients' sync scenarios against SyncCore. Prints each failure with the step and what differed, each
# scenario that does not apply with the reason, and how many pass; ends with 1 if one that passed before fails.
#
#   sync-scenarios.sh FOLDER   FOLDER holds the scenarios as *_spec_test.json
set -euo pipefail
if [ $# -ne 1 ] || [ ! -d "$1" ]; then
    sed -n 's/^# \{0,1\}//; 3,6p' "$0" >&2
    exit 64
fi
folder=$(realpath "$1")
cd "$(dirname "$0")/.."
output=$(mktemp)
trap 'rm -f "$output"' EXIT
status=0
HEARTH_SYNC_SCENARIOS=$folder HEARTH_WARNINGS_AS_ERRORS=1 swift test --no-parallel --traits Logging,Server,Connected --disable-xctest \
    --filter 'SyncCoreTests\.ScenarioTests' > "$output" 2>&1 || status=$?
grep -E '^(FAIL |n/a  |     |[0-9]+ (of|scenarios) )' "$output" || tail -n 20 "$output" >&2
exit "$((status != 0))"
