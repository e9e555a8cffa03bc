#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the official clients' own tests, unchanged, against `hearth serve` in strict mode, and those that emulators have to
# skip in a copy without the skip marks. Prints a line a suite and every failure; ends with 1 if one is not expected.
#
#   client-suites.sh [--sources DIR] [--cache DIR] [--program HEARTH] [--peer HOST:PORT] [--listening] [--quiet]
#                    [--record DIR] [SUITE…]
#
#   SUITE          python, python-async, python-unskipped, python-async-unskipped, firedantic, go, fireo, js; default: all
#   --sources DIR  where fetched repositories are: FireO in DIR/FireO, and what bundle-js-tests.sh lists
#   --cache DIR    what is installed and compiled, kept for the next run; default: ~/.cache/hearth-client-suites
#   --program      the hearth to test; default: a release build
#   --peer         test the server at this address instead, such as the official emulator
#   --listening    also the tests of listening
#   --quiet        list unexpected failures only
#   --record DIR   answer all queries, and write the index file of each suite into DIR
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/hearth-client-suites
sources='' program='' peer='' listening='' record='' quiet='' suites=()
while [ $# -gt 0 ]; do
    case $1 in
    --sources) sources=$(realpath "$2") && shift 2 ;;
    --cache) cache=$2 && shift 2 ;;
    --program) program=$(realpath "$2") && shift 2 ;;
    --peer) peer=$2 && shift 2 ;;
    --listening) listening=1 && shift ;;
    --quiet) quiet=1 && shift ;;
    --record) mkdir -p "$2" && record=$(realpath "$2") && shift 2 ;;
    -*) sed -n 's/^# \{0,1\}//; 3,18p' "$0" >&2 && exit 64 ;;
    *) suites+=("$1") && shift ;;
    esac
done
[ ${#suites[@]} -gt 0 ] || suites=(python python-async python-unskipped python-async-unskipped firedantic go fireo js)
mkdir -p "$cache"
cache=$(realpath "$cache")
client=2.34.1
# Seconds for one suite.
limit=600
fixtures=$root/IndexConfigs/client-suites
work=$(mktemp -d)
server=''
unexpected=0

stop() {
    [ -z "$server" ] || { kill "$server" 2> /dev/null && wait "$server" || true; }
    server=''
}
trap 'stop; rm -rf "$work"' EXIT

# Starts a server for one suite, with the indexes of that suite; sets `address`.
start() {
    address=$peer
    [ -z "$peer" ] || return 0
    local options=(--port 0) indexes=$fixtures/$1.indexes.json
    [ "$1" != js ] || indexes=$work/js.indexes.json
    # The asynchronous tests ask the same queries.
    [ "$1" != python-async-unskipped ] || indexes=$fixtures/python-unskipped.indexes.json
    if [ -n "$record" ]; then
        options+=(--mode record --write-indexes "$record/$1.indexes.json")
    elif [ "$1" = firedantic ]; then
        # Its collections have random names, so no index file can name them.
        options+=(--mode record)
    elif [ -f "$indexes" ]; then
        options+=(--indexes "$indexes")
    fi
    # A folder of its own, so that no other index file is found.
    mkdir -p "$work/empty"
    # Emptied before the server starts: the address of the last suite's server must not be taken for its own.
    : > "$work/server.log"
    (cd "$work/empty" && exec "$program" serve "${options[@]}") >> "$work/server.log" 2>&1 &
    server=$!
    for _ in {1..200}; do
        address=$(sed -n 's#.*is now running at http://##p' "$work/server.log")
        [ -z "$address" ] || return 0
        kill -0 "$server" 2> /dev/null || break
        sleep 0.05
    done
    cat "$work/server.log" >&2
    echo "client-suites.sh: the server for $1 ended, or does not answer after ten seconds" >&2
    exit 1
}

# absent SUITE REASON [LOG]: the reason, with the last line of a log.
absent() {
    local detail=''
    [ ! -f "${3:-}" ] || detail=$(grep -v '^[[:space:]]*$' "$3" | tail -n 1) || true
    echo "$1: not run: $2${detail:+: $detail}"
}

# report SUITE VERSION PASSED SKIPPED FAILED; the names of failed tests on standard input, with their reasons.
report() {
    echo "$1 $2: $3 passed, $4 skipped, $5 failed"
    local name reason
    while IFS=$'\t' read -r name reason; do
        case $name in
        *_bson_*)
            [ -z "$quiet" ] || continue
            reason="expected: BSON values belong to the Enterprise edition"
            ;;
        *) unexpected=1 ;;
        esac
        echo "    $name: $reason"
    done
}

# Installs into one virtual environment what the Python suites need.
environment() {
    python=$cache/python/bin/python
    [ ! -f "$cache/python/complete" ] || return 0
    "$root/Scripts/install-missing.sh" python venv 2>&1 | tee "$work/pip.log" >&2 || return 1
    python3 -m venv "$cache/python" > "$work/pip.log" 2>&1 || return 1
    "$python" -m pip install -q --disable-pip-version-check "google-cloud-firestore==$client" pytest==8.4.2 \
        pytest-asyncio==0.21.2 pytest-subtests mock pyyaml google-cloud-testutils pydantic google-cloud-storage wrapt \
        > "$work/pip.log" 2>&1 || return 1
    touch "$cache/python/complete"
}

# download PACKAGE VERSION OPTION…: the path of the package's file, from the registry.
download() {
    local folder=$cache/$1-$2
    # pip makes its folder before it connects: one without a file, or under another name, is of a download that failed.
    if ! compgen -G "$folder/*.*" > /dev/null; then
        rm -rf "$folder" "$folder.part"
        "$python" -m pip download -q --disable-pip-version-check --no-deps "${@:3}" "$1==$2" -d "$folder.part" \
            > "$work/pip.log" 2>&1 || return 1
        mv "$folder.part" "$folder"
    fi
    printf '%s\n' "$folder"/*.*
}

# pytest_run SUITE VERSION FOLDER VARIABLE=VALUE… -- ARGUMENTS
pytest_run() {
    local suite=$1 version=$2 folder=$3 variables=()
    shift 3
    while [ "$1" != -- ]; do variables+=("$1") && shift; done
    shift
    start "$suite"
    [[ "$suite" != *-unskipped ]] ||
        FIRESTORE_EMULATOR_HOST=$address GCLOUD_PROJECT=$suite-$$ "$python" "$root/Scripts/client-suites.py" seed
    (cd "$folder" && env FIRESTORE_EMULATOR_HOST="$address" GCLOUD_PROJECT="$suite-$$" "${variables[@]}" \
        timeout "$limit" "$python" -m pytest -q -p no:cacheprovider --junitxml "$work/$suite.xml" "$@" > "$work/$suite.log" 2>&1) || true
    stop
    [ -s "$work/$suite.xml" ] || { tail -n 20 "$work/$suite.log" >&2 && unexpected=1 && return; }
    local counts
    counts=$("$python" "$root/Scripts/client-suites.py" results "$work/$suite.log" "$work/$suite.xml" "$work/failures")
    # shellcheck disable=SC2086
    report "$suite" "$version" $counts < "$work/failures"
}

# The Python client's system tests: python_suite SUITE FILE
python_suite() {
    local suite=$1 file=$2 archive folder select=()
    environment || { absent "$suite" "its packages could not be installed" "$work/pip.log" && return; }
    archive=$(download google-cloud-firestore "$client" --no-binary :all:) ||
        { absent "$suite" "the source of google-cloud-firestore $client is not to be had" "$work/pip.log" && return; }
    folder=$work/$suite
    mkdir -p "$folder"
    tar xzf "$archive" -C "$folder" --strip-components 1
    folder+=/tests/system
    if [[ $suite == *-unskipped ]]; then
        mapfile -t select < <("$python" "$root/Scripts/client-suites.py" unskip "$folder/$file")
    else
        select=("$file")
        # One test reads first and then listens.
        [ -n "$listening" ] || select+=(-k 'not watch and not test_create_document_w_vector')
    fi
    pytest_run "$suite" "$client" "$folder" -- "${select[@]}"
}

firedantic() {
    local version=0.12.0 wheel
    environment || { absent firedantic "its packages could not be installed" "$work/pip.log" && return; }
    wheel=$(download firedantic $version) ||
        { absent firedantic "firedantic $version is not to be had" "$work/pip.log" && return; }
    mkdir -p "$work/firedantic"
    "$python" -m zipfile -e "$wheel" "$work/firedantic"
    pytest_run firedantic $version "$work/firedantic" -- --asyncio-mode=auto firedantic/tests
}

fireo() {
    [ -d "$sources/FireO/src" ] || { absent fireo "--sources names no folder with FireO/src" && return; }
    environment || { absent fireo "its packages could not be installed" "$work/pip.log" && return; }
    cp -r "$sources/FireO/src" "$work/fireo"
    pytest_run fireo "$(git -C "$sources/FireO" rev-parse --short HEAD 2> /dev/null || echo source)" "$work/fireo" \
        GOOGLE_CLOUD_PROJECT="fireo-$$" -- -o python_files='*test*.py' tests
}

# Compiles the Go client's tests from Debian's packages, which are unpacked and not installed.
go_program() {
    [ ! -x "$cache/go/tests" ] || return 0
    local tool
    for tool in apt-get openssl; do
        command -v $tool > /dev/null || { echo "there is no $tool" > "$work/go.log" && return 1; }
    done
    local tree=$cache/go/tree archive
    mkdir -p "$cache/go/archives/partial" "$tree"
    apt-get install -y -q --no-install-recommends --reinstall --download-only \
        -o Dir::Cache::archives="$cache/go/archives" golang-go golang-google-cloud-dev > "$work/go.log" 2>&1 || return 1
    for archive in "$cache"/go/archives/*.deb; do dpkg -x "$archive" "$tree"; done
    local toolchain
    toolchain=$(echo "$tree"/usr/lib/go-[0-9]*)
    GOROOT=$toolchain GOPATH=$tree/usr/share/gocode GO111MODULE=off CGO_ENABLED=0 GOCACHE=$cache/go/cache \
        "$toolchain/bin/go" test -c -o "$cache/go/tests" cloud.google.com/go/firestore >> "$work/go.log" 2>&1
}

go_suite() {
    go_program || { absent go "golang-google-cloud-dev could not be downloaded or compiled" "$work/go.log" && return; }
    local version folder=$cache/go/tree/usr/share/gocode/src/cloud.google.com/go/firestore tests
    version=$(basename "$cache"/go/archives/golang-google-cloud-dev_*_all.deb | cut -d_ -f2)
    # TestMain wants a key, which nothing checks.
    openssl genrsa 2048 > "$work/key.pem" 2> /dev/null
    python3 -c 'import json, sys; print(json.dumps({"type": "service_account", "project_id": "go", "private_key_id": "1",
        "private_key": open(sys.argv[1]).read(), "client_email": "a@go.iam.gserviceaccount.com", "client_id": "1",
        "token_uri": "http://127.0.0.1:9/token"}))' "$work/key.pem" > "$work/key.json"
    tests=$(grep -ho '^func TestIntegration_[A-Za-z0-9_]*' "$folder"/integration_test.go | cut -d' ' -f2)
    [ -n "$listening" ] || tests=$(grep -v _Watch <<< "$tests")
    start go
    run_go() {
        (cd "$folder" && FIRESTORE_EMULATOR_HOST=$address GCLOUD_TESTS_GOLANG_FIRESTORE_PROJECT_ID=go-$$-$RANDOM \
            GCLOUD_TESTS_GOLANG_FIRESTORE_KEY=$work/key.json timeout "$limit" "$cache/go/tests" -test.v -test.run "^($1)\$")
    }
    run_go "$(paste -sd'|' <<< "$tests")" > "$work/go.log" 2>&1 || true
    # They compare times in milliseconds, and fail where two commits share one.
    local again='TestIntegration_Merge(Nested)?ServerTimestamp' attempt
    for attempt in 1 2 3; do
        grep -Eq -- "^--- FAIL: $again " "$work/go.log" || break
        echo "go: commits of one millisecond, so attempt $((attempt + 1)) of $again"
        sed -Ei "/^--- (PASS|FAIL): $again /d" "$work/go.log"
        run_go "$again" >> "$work/go.log" 2>&1 || true
    done
    stop
    count() { grep -c -- "^--- $1:" "$work/go.log" || true; }
    sed -n 's/^--- FAIL: \([^ ]*\).*/\1/p' "$work/go.log" | while read -r name; do
        printf '%s\t%s\n' "$name" "$(grep -A3 -- "^--- FAIL: $name " "$work/go.log" | sed -n '2s/^ *//p')"
    done > "$work/failures"
    [ "$(count PASS)" -gt 0 ] || tail -n 20 "$work/go.log" >&2
    report go "$version" "$(count PASS)" "$(count SKIP)" "$(count FAIL)" < "$work/failures"
}

# The integration tests of the JS SDK, with the indexes that Google gives them in production.
js_suite() {
    local sdk=$sources/firebase-js-sdk/packages/firestore reason version counts
    reason=$("$root/Scripts/bundle-js-tests.sh" "$sources" "$work/js") || { absent js "$reason" && return; }
    version=$(sed -n 's/^ *"version": "\(.*\)",/\1/p' "$sdk/package.json")
    python3 "$root/Scripts/client-suites.py" indexes "$sdk" > "$work/js.indexes.json"
    start js
    # The tests of signing in find no server for it, as they expect.
    NODE_PATH=/usr/share/nodejs FIRESTORE_TARGET_BACKEND=emulator FIRESTORE_EMULATOR_PORT=${address##*:} \
        FIRESTORE_EMULATOR_PROJECT_ID=js-$$ \
        __FIREBASE_DEFAULTS__="{\"emulatorHosts\":{\"firestore\":\"$address\",\"auth\":\"127.0.0.1:9\"}}" \
        timeout "$limit" mocha --timeout 5000 --exit --reporter json --reporter-option output="$work/js.json" "$work/js/tests.js" \
        > "$work/js.log" 2>&1 || true
    stop
    [ -s "$work/js.json" ] || { tail -n 20 "$work/js.log" >&2 && unexpected=1 && return; }
    counts=$(python3 "$root/Scripts/client-suites.py" mocha "$work/js.json" "$work/failures")
    # shellcheck disable=SC2086
    report js "$version" $counts < "$work/failures"
}

if [ -z "$peer" ] && [ -z "$program" ]; then
    swift build -c release --package-path "$root" --traits Logging,Server,Connected --product hearth
    program=$(swift build -c release --package-path "$root" --traits Logging,Server,Connected --show-bin-path)/hearth
fi
for suite in "${suites[@]}"; do
    case $suite in
    python | python-unskipped) python_suite "$suite" test_system.py ;;
    python-async | python-async-unskipped) python_suite "$suite" test_system_async.py ;;
    firedantic) firedantic ;;
    fireo) fireo ;;
    go) go_suite ;;
    js) js_suite ;;
    *) echo "client-suites.sh: there is no suite '$suite'" >&2 && exit 64 ;;
    esac
done
exit "$unexpected"
