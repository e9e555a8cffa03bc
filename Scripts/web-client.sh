#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the browser build of the Firebase JS SDK, unchanged, in headless Chromium against `hearth serve`: over WebChannel, streaming
# and long polling. Prints a line a test with its time; ends with 1 if one fails.
#
#   web-client.sh [--sources DIR] [--program HEARTH] [COUNT…]
#
#   --sources DIR  DIR/firebase-js-sdk and DIR/closure-net, as fetched from github.com/firebase and github.com/google. The SDK's
#                  packages/webchannel-wrapper/package.json names the commit of closure-net
#   --program      the hearth to test; default: a release build
#   COUNT          documents to load through one listener; default: 10000 100000
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
sources='' program='' counts=()
while [ $# -gt 0 ]; do
    case $1 in
    --sources) sources=$(realpath "$2") && shift 2 ;;
    --program) program=$(realpath "$2") && shift 2 ;;
    -*) sed -n 's/^# \{0,1\}//; 3,11p' "$0" >&2 && exit 64 ;;
    *) counts+=("$1") && shift ;;
    esac
done
[ ${#counts[@]} -gt 0 ] || counts=(10000 100000)

absent() { echo "The browser's client was not run: $1." && exit 0; }
[ -f "$sources/firebase-js-sdk/packages/firestore/src/index.ts" ] || absent '--sources names no folder with firebase-js-sdk'
[ -f "$sources/closure-net/firebase/webchannel_blob_es2018.js" ] || absent '--sources names no folder with closure-net'
for tool in node esbuild chromium; do
    command -v "$tool" > /dev/null || absent "there is no $tool, which Debian's package of that name has"
done
work=$(mktemp -d)
child=''
trap '[ -z "$child" ] || kill "$child" 2> /dev/null || true; rm -rf "$work"' EXIT

# What npm's packages hold is compiled from these sources in the same way: each platform's file takes the place of the common one.
# Two packages have no source here, and the tests use neither: idb, which counts days of use, and re2js, which pipelines need.
mkdir -p "$work/sdk/other"
for package in "$sources"/firebase-js-sdk/packages/*/package.json; do
    mkdir -p "$work/sdk/packages/$(basename "$(dirname "$package")")"
    cp "$package" "$work/sdk/packages/$(basename "$(dirname "$package")")"
done
for package in app component firestore logger util; do
    cp -r "$sources/firebase-js-sdk/packages/$package" "$work/sdk/packages"
done
for file in "$work"/sdk/packages/firestore/src/platform/*.ts; do
    printf "export * from './browser/%s';\n" "$(basename "$file" .ts)" > "$file"
done
cp "$sources"/closure-net/firebase/{webchannel,bloom}_blob_es2018.js "$work/sdk/other"
echo 'export const openDB = () => Promise.reject(new Error("absent"));' > "$work/sdk/other/idb.ts"
echo 'export class RE2JS {}' > "$work/sdk/other/re2js.ts"
cat > "$work/sdk/tsconfig.json" << 'END'
{ "compilerOptions": { "target": "es2020", "baseUrl": ".", "paths": {
    "@firebase/app": ["packages/app/src/index.ts"],
    "@firebase/component": ["packages/component/index.ts"],
    "@firebase/logger": ["packages/logger/index.ts"],
    "@firebase/util": ["packages/util/index.ts"],
    "@firebase/webchannel-wrapper/webchannel-blob": ["other/webchannel_blob_es2018.js"],
    "@firebase/webchannel-wrapper/bloom-blob": ["other/bloom_blob_es2018.js"],
    "idb": ["other/idb.ts"],
    "re2js": ["other/re2js.ts"]
} } }
END
echo "export { deleteApp, initializeApp, onLog } from '@firebase/app'; export * from './packages/firestore/src/index';" > "$work/sdk/entry.ts"
esbuild "$work/sdk/entry.ts" --bundle --tsconfig="$work/sdk/tsconfig.json" --format=iife --global-name=firebase --platform=browser \
    --target=es2020 --log-level=error --outfile="$work/sdk.js"

if [ -z "$program" ]; then
    swift build -c release --package-path "$root" --traits Logging,Server,Connected --product hearth
    program=$(swift build -c release --package-path "$root" --traits Logging,Server,Connected --show-bin-path)/hearth
fi
version() { sed -n 's/^ *"version": "\(.*\)",/\1/p' "$work/sdk/packages/$1/package.json"; }
echo "$(chromium --version 2> /dev/null | cut -d' ' -f1-2), @firebase/firestore $(version firestore)"
node "$root/Scripts/web-client.js" "$program" "$work/sdk.js" "$work" "${counts[@]}" &
child=$!
wait "$child"
