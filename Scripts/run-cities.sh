#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The main job: load real cities, build the indexes of a real configuration, answer queries through them, and refuse the
# one that has no index.
#
#     run-cities.sh [500|1000|5000|15000]
set -euo pipefail
cd "$(dirname "$0")/.."

size=${1:-15000}
sample=.sample-data
configuration=IndexConfigs/cities/firestore.indexes.json
queries=IndexConfigs/cities/queries.ndjson
database=$sample/cities$size.hearth
hearth=${HEARTH:-$(swift build -c release --show-bin-path)/hearth}

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\e[1m' dim=$'\e[2m' plain=$'\e[0m'; else bold='' dim='' plain=''; fi
headline() { printf '\n%s==> %s%s\n' "$bold" "$1" "$plain"; }
# say COMMAND…: shows what a person would type, then does it.
say() {
    printf '%s$ hearth %s%s\n' "$dim" "$*" "$plain"
    local before after
    before=$(date +%s%N)
    "$hearth" "$@"
    after=$(date +%s%N)
    printf '%sin %d.%02d s%s\n' "$dim" $(((after - before) / 1000000000)) $(((after - before) / 10000000 % 100)) "$plain"
}
# field NAME LINE: a text of one line of queries.ndjson. Its queries use single quotes, so no escapes occur.
field() { sed -nE "s/.*\"$1\":\"([^\"]*)\".*/\1/p" <<< "$2"; }

[ -x "$hearth" ] || { echo 'run-cities.sh: hearth is not built yet: make run builds it' >&2; exit 1; }
for file in "$sample/cities$size.ndjson" "$sample/countries.ndjson"; do
    [ -f "$file" ] || { echo "run-cities.sh: $file is missing: make run CITIES=$size makes it" >&2; exit 1; }
done

headline 'Load real cities and countries'
rm -f "$database" "$database-lock"
say import "$database" "$sample/countries.ndjson"
say import "$database" "$sample/cities$size.ndjson"

headline "Build the indexes of $configuration"
say indexes apply "$database" "$configuration"

refused=0
while IFS= read -r line; do
    query=$(field query "$line")
    headline "$(field title "$line")"
    printf '%s$ hearth query %s "%s" --explain --analyze%s\n' "$dim" "$database" "$query" "$plain"
    status=0
    "$hearth" query "$database" "$query" --explain --analyze --format table || status=$?
    if [ "$(field id "$line")" = missing-index ] && [ "$status" -eq 1 ]; then
        refused=1
    elif [ "$status" -ne 0 ]; then
        echo "run-cities.sh: this query should have been answered; hearth ended with $status" >&2
        exit 1
    fi
done < "$queries"
[ "$refused" -eq 1 ] || { echo 'run-cities.sh: the query without an index should have been refused' >&2; exit 1; }

headline "Done: the database is $database"
echo "Try: ${hearth#"$PWD"/} query $database \"cities.where('countrycode','==','IS').orderBy('population','desc').limit(3)\" --format table"
