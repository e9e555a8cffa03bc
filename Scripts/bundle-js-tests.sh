#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bundles the integration tests of the Firebase JS SDK, unchanged, for Node's mocha: without npm, from fetched sources. Prints what is
# absent and ends with 1 if something is.
#
#   bundle-js-tests.sh SOURCES WORK   writes WORK/tests.js
#
#   SOURCES  has firebase-js-sdk, closure-net, grpc-node, protobuf.js and long.js, as fetched from github.com/firebase, google, grpc,
#            protobufjs and dcodeIO
set -euo pipefail
sources=$1 work=$2
for part in firebase-js-sdk/packages/firestore/test/integration closure-net/firebase grpc-node/packages/grpc-js \
    grpc-node/packages/proto-loader protobuf.js/src long.js/index.js; do
    [ -e "$sources/$part" ] || { echo "--sources names no folder with $part" && exit 1; }
done
for tool in node esbuild mocha; do
    command -v "$tool" > /dev/null || { echo "there is no $tool, which Debian's package of that name has" && exit 1; }
done
for module in chai chai-as-promised lodash.camelcase; do
    [ -d "/usr/share/nodejs/$module" ] ||
        { echo "there is no $module: install Debian's chai, node-chai-as-promised and node-lodash-packages" && exit 1; }
done

sdk=$work/packages/firestore
mkdir -p "$work/config" "$work/other/grpc-js/build"
cp -r "$sources/firebase-js-sdk/packages" "$work"
# The project of the tests that take no other; the environment names the server.
echo '{ "projectId": "js", "apiKey": "key" }' > "$work/config/project.json"
for file in "$sdk"/src/platform/*.ts; do
    printf "export * from './node/%s';\n" "$(basename "$file" .ts)" > "$file"
done
cp "$sources/closure-net/firebase/bloom_blob_es2018.js" "$work/other"
cp -r "$sources/grpc-node/packages/grpc-js/src" "$work/other/grpc-js/build"
cp "$sources/grpc-node/packages/grpc-js/package.json" "$work/other/grpc-js"
echo "module.exports = require('$sources/long.js/index.js').default;" > "$work/other/long.js"
# No sources are at hand of idb, which counts days of use, of re2js, which pipelines need, and of the map of gRPC's channel statistics.
echo 'export const openDB = () => Promise.reject(new Error("absent"));' > "$work/other/idb.ts"
echo 'export class RE2JS {}' > "$work/other/re2js.ts"
cat > "$work/other/ordered-map.ts" << 'END'
export class OrderedMap extends Map {
    setElement(key, value) { this.set(key, value); }
    getElementByKey(key) { return this.get(key); }
    eraseElementByKey(key) { this.delete(key); }
    end() { return null; }
    find(key) { return { pointer: [key, this.get(key)], equals: () => !this.has(key) }; }
}
END
cat > "$work/tsconfig.json" << END
{ "compilerOptions": { "target": "es2020", "baseUrl": ".", "paths": {
    "@firebase/app": ["packages/app/src/index.ts"],
    "@firebase/auth": ["packages/auth/index.node.ts"],
    "@firebase/component": ["packages/component/index.ts"],
    "@firebase/logger": ["packages/logger/index.ts"],
    "@firebase/util": ["packages/util/index.node.ts"],
    "@firebase/webchannel-wrapper/bloom-blob": ["other/bloom_blob_es2018.js"],
    "@grpc/grpc-js": ["other/grpc-js/build/src/index.ts"],
    "@grpc/proto-loader": ["$sources/grpc-node/packages/proto-loader/src/index.ts"],
    "@js-sdsl/ordered-map": ["other/ordered-map.ts"],
    "idb": ["other/idb.ts"],
    "long": ["other/long.js"],
    "protobufjs": ["$sources/protobuf.js/index.js"],
    "protobufjs/*": ["$sources/protobuf.js/*"],
    "re2js": ["other/re2js.ts"]
} } }
END
{
    echo "import './packages/firestore/test/register';"
    (cd "$work" && find packages/firestore/test/integration -name '*.test.ts' -not -path '*/browser/*' | LC_ALL=C sort |
        sed "s#\(.*\)\.ts#import './\1';#")
} > "$work/entry.ts"
esbuild "$work/entry.ts" --bundle --tsconfig="$work/tsconfig.json" --platform=node --target=node18 --log-level=error \
    --external:chai --external:chai-as-promised --external:lodash.camelcase --outfile="$work/tests.js"
