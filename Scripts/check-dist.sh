#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check-dist.sh [DIST]: whether what `make dist` made can be had without Swift: each package is installed and run, and the
# program runs in a folder that has nothing but glibc. Lists every breach, then fails if there was one.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "$0")/.."
dist=$(cd "${1:-dist}" && pwd)
version=$(Scripts/dist/version.sh)
program=$dist/hearth/hearth
sums=SHA256SUMS-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

found=0
# expect WHAT COMMAND...: the command must succeed.
expect() {
    local what=$1
    shift
    if "$@" > "$work/log" 2>&1; then
        echo "ok: $what"
    else
        found=1
        echo "error: $what"
        sed 's/^/    /' "$work/log"
    fi
}
skip() { echo "skipped: $1"; }

# A file that validate finds nothing in, and a conversation that uses the store.
cat > "$work/firestore.indexes.json" << 'END'
{
  "indexes": [
    {
      "collectionGroup": "cities",
      "queryScope": "COLLECTION",
      "fields": [
        { "fieldPath": "state", "order": "ASCENDING" },
        { "fieldPath": "population", "order": "DESCENDING" }
      ]
    }
  ]
}
END
is_version() { [ "$("$@" --version)" = "$version" ]; }

is_small() { [ "$(stat -c %s "$program")" -lt $((40 << 20)) ]; }
is_old_enough() { [ "$(printf '%s\n' "$(Scripts/dist/newest-glibc.sh "$program")" 2.36 | sort -V | tail -n 1)" = 2.36 ]; }
needs_glibc_alone() {
    ! objdump -p "$program" | awk '/NEEDED/ { print $2 }' |
        grep -vE '^(libc|libm|libdl|libpthread|librt)\.so\.[0-9]+$|^ld-linux'
}
expect "the version is $version" is_version "$program"
expect "less than 40 MB: $(stat -c %s "$program") bytes" is_small
expect "no symbol newer than glibc 2.36: $(Scripts/dist/newest-glibc.sh "$program")" is_old_enough
expect 'no library but those of glibc' needs_glibc_alone
expect 'the checksums' sh -c "cd '$dist' && sha256sum --check --strict '$sums'"

# A root folder with the program and glibc alone.
root=$work/root
mkdir -p "$root/tmp" "$root/data" "$root/proc" "$root/dev"
tar -xzf "$dist"/hearth-"$version"-linux-*.tar.gz -C "$root" --strip-components 1
ldd "$program" | grep -oE '/[^ ]+\.so[^ ]*' | sort -u | while IFS= read -r library; do
    install -D "$library" "$root$library"
done
cp "$work/firestore.indexes.json" "$root/data/"
echo '{"name":"cities/SF","fields":{"state":{"stringValue":"CA"},"population":{"integerValue":"860000"}}}' \
    > "$root/data/cities.ndjson"
# The Swift runtime reads a program's arguments from /proc, which every Linux has.
mounts='mount --rbind /proc "$0/proc" && exec unshare --root="$0" --wd=/data /hearth "$@"'
inside() { unshare --user --map-root-user --mount sh -c "$mounts" "$root" "$@"; }
# says TEXT COMMAND...: the command succeeds and prints the text.
says() {
    local text=$1 output
    shift
    output=$("$@" 2>&1) && grep -F -- "$text" <<< "$output" || { printf '%s\n' "$output"; return 1; }
}
if inside --version > "$work/log" 2>&1; then
    # A server that answers for as long as it runs, then ends with 0.
    serves() {
        # Not through the function: the signal is for the server itself.
        unshare --user --map-root-user --mount sh -c "$mounts" "$root" serve --port 0 --host 127.0.0.1 \
            > "$work/serve" 2>&1 &
        local server=$! address='' code=0
        for _ in $(seq 100); do
            address=$(sed -nE 's,.*http://[^:]*:([0-9]+).*,\1,p' "$work/serve" | head -n 1)
            [ -z "$address" ] || break
            sleep 0.1
        done
        python3 - "$address" << 'END' || code=1
import sys, urllib.request
url = f"http://127.0.0.1:{sys.argv[1]}/v1/projects/p/databases/(default)/documents/cities"
document = b'{"fields":{"state":{"stringValue":"CA"}}}'
request = urllib.request.Request(url, document, {"Content-Type": "application/json", "Authorization": "Bearer owner"})
assert b'"CA"' in urllib.request.urlopen(request).read()
END
        kill -TERM "$server"
        wait "$server" && [ "$code" = 0 ] || { cat "$work/serve"; return 1; }
    }
    expect 'bare system: validate' says 'nothing found' inside validate --strict firestore.indexes.json
    expect 'bare system: import' says '1 documents imported' inside import my.db cities.ndjson
    expect 'bare system: indexes apply' says 'built cities' inside indexes apply my.db firestore.indexes.json
    expect 'bare system: query' says cities/SF inside query my.db --names-only \
        "cities.where('state','==','CA').orderBy('population','desc')"
    expect 'bare system: verify' inside verify my.db
    expect 'bare system: serve' serves
else
    cat "$work/log"
    skip 'a bare system: unshare may not change the root here'
fi

for command in QUERY PLAN-MOVE 'RULES CHECK'; do
    expect "the manual page has hearth ${command,,}" \
        grep -x ".SH HEARTH $command" "$dist/hearth/share/man/man1/hearth.1"
done
expect 'deb: it names its files' sh -c "dpkg-deb --contents '$dist'/hearth_*.deb | grep -F ./usr/share/man/man1/hearth.1.gz"
expect 'deb: unpacked' dpkg-deb --extract "$dist"/hearth_*.deb "$work/deb"
expect 'deb: the program runs' is_version "$work/deb/usr/bin/hearth"
expect 'deb: it brings what stands in for java' test -x "$work/deb/usr/share/hearth/firebase/java"
depends=$(dpkg-deb --field "$dist"/hearth_*.deb Depends)
expect "deb: Debian 12 has what it depends on: $depends" \
    dpkg --compare-versions "$(sed -E 's/^libc6 \(>= ([0-9.]+)\)$/\1/' <<< "$depends")" le 2.36

# Why something is skipped: what it said last.
why() { grep -v '^[[:space:]]*$' "$work/log" | tail -n 1; }
if { Scripts/install-missing.sh python venv && python3 -m venv "$work/venv"; } > "$work/log" 2>&1; then
    expect 'wheel: pip installs it' \
        "$work/venv/bin/pip" install --no-index --disable-pip-version-check "$dist"/hearth_firestore-*.whl
    expect 'wheel: hearth runs' is_version "$work/venv/bin/hearth"
    expect 'wheel: python -m hearth_firestore runs' is_version "$work/venv/bin/python" -m hearth_firestore
    expect 'wheel: it brings what stands in for java' test -x "$work/venv/share/hearth/firebase/java"
    expect 'wheel: it lints' says 'nothing found' "$work/venv/bin/hearth" validate "$work/firestore.indexes.json"
    expect 'wheel: pip installs it into a folder' "$work/venv/bin/pip" install --no-index --disable-pip-version-check \
        --target "$work/target" "$dist"/hearth_firestore-*.whl
    expect 'wheel: python -m runs the program of the folder' \
        is_version env PATH=/usr/bin:/bin PYTHONPATH="$work/target" python3 -m hearth_firestore
else
    skip "the wheel: Python has no venv here: $(why)"
fi
# Systems that manage Python themselves want to be told that this is meant.
if PIP_BREAK_SYSTEM_PACKAGES=1 PYTHONUSERBASE=$work/user python3 -m pip install --user --no-index \
    --disable-pip-version-check --no-warn-script-location "$dist"/hearth_firestore-*.whl > "$work/log" 2>&1; then
    expect 'wheel: python -m runs the program of the user' \
        is_version env PYTHONUSERBASE="$work/user" python3 -m hearth_firestore
else
    skip "the wheel of a user: pip does not install it here: $(why)"
fi

if command -v node > /dev/null && command -v npm > /dev/null; then
    mkdir "$work/npm"
    names_all_programs() {
        tar -xzOf "$dist/hearth-firestore-$version.tgz" package/package.json |
            node -e 'const { optionalDependencies } = JSON.parse(require("fs").readFileSync(0));
                process.exit(Object.keys(optionalDependencies).sort().join() === process.argv[1] ? 0 : 1);' \
                hearth-firestore-linux-arm64,hearth-firestore-linux-x64
    }
    expect 'npm: the first package names the programs of all processors' names_all_programs
    echo '{"private":true}' > "$work/npm/package.json"
    expect 'npm: it installs both packages' npm install --prefix "$work/npm" --offline --no-audit --no-fund \
        "$dist"/hearth-firestore-linux-*.tgz "$dist/hearth-firestore-$version.tgz"
    expect 'npm: hearth runs' is_version "$work/npm/node_modules/.bin/hearth"
    printf '{' > "$work/broken.json"
    ends_with_one() { local code=0; "$@" || code=$?; [ "$code" = 1 ]; }
    expect 'npm: the exit code comes through' ends_with_one \
        "$work/npm/node_modules/.bin/hearth" validate "$work/broken.json"
    # Whoever ends the wrapper ends the server.
    ends_with_its_wrapper() {
        "$work/npm/node_modules/.bin/hearth" serve --port 0 > "$work/serve.log" 2>&1 < /dev/null &
        local wrapper=$! tries=0
        until grep -q "is now running" "$work/serve.log" || [ $((tries += 1)) -gt 200 ]; do sleep 0.1; done
        kill -TERM "$wrapper"
        wait "$wrapper" && ! pgrep -f "$work/npm/.*/bin/hearth serve" > /dev/null
    }
    expect 'npm: a server ends with its wrapper' ends_with_its_wrapper
else
    skip 'the npm packages: there is no node here'
fi

# The Action's download, from a folder in the place of the releases.
release=$work/releases/owner/hearth/releases/download/v$version
mkdir -p "$release"
cp "$dist"/*.tar.gz "$dist/$sums" "$release/"
action() { SERVER=file://$work/releases REPOSITORY=owner/hearth Action/install.sh; }
downloaded() { is_version "$(action)/hearth"; }
refuses_another_sum() {
    echo >> "$(echo "$release"/*.tar.gz)"
    ! action
}
expect 'Action: it downloads a release' downloaded
expect 'Action: it refuses a release with another sum' refuses_another_sum

for part in swift-nio swift-protobuf swift-argument-parser LMDB libstdc++; do
    expect "NOTICES names $part" grep -F "$part" "$dist/hearth/NOTICES"
done

# How long a start takes is said, and fails nothing: it depends on the machine.
python3 - "$program" "$work/firestore.indexes.json" << 'END'
import statistics, subprocess, sys, time
def once():
    start = time.perf_counter()
    subprocess.run([sys.argv[1], "validate", sys.argv[2]], check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - start) * 1000
times = [once() for _ in range(40)]
print(f"hearth validate takes {statistics.median(times):.1f} ms (median of {len(times)}), {min(times):.1f} ms at best")
END
[ "$found" = 0 ] || exit 1
echo 'check-dist.sh: nothing found'
