#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes two npm packages of a built folder: OUT/hearth-firestore-VERSION.tgz, whose command starts the program, and
# OUT/hearth-firestore-linux-x64-VERSION.tgz, which has it; on arm64, that of arm64. npm installs the second that fits the
# machine. The first is the same wherever it is made: it names the packages of all processors.
#   npm.sh FOLDER OUT
set -euo pipefail
scripts=$(cd "$(dirname "$0")" && pwd)
folder=$1
out=$2
version=$("$scripts/version.sh")
case $(uname -m) in
aarch64) cpu=arm64 ;;
*) cpu=x64 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# pack NAME: the folder package/ under $work/NAME as npm packs it.
pack() {
    cp "$folder/LICENSE" "$work/$1/package/"
    tar --sort=name --mtime="@${SOURCE_DATE_EPOCH:-0}" --owner=0 --group=0 --numeric-owner --mode=u+rwX,go=rX \
        -C "$work/$1" -c package | gzip -n9 > "$out/$1-$version.tgz"
    echo "$out/$1-$version.tgz"
}

binary=hearth-firestore-linux-$cpu
mkdir -p "$work/$binary/package/bin" "$work/hearth-firestore/package/bin"
cat > "$work/$binary/package/package.json" << END
{
  "name": "$binary",
  "version": "$version",
  "description": "The program of hearth-firestore for Linux with glibc 2.36 or newer",
  "license": "Apache-2.0",
  "os": ["linux"],
  "cpu": ["$cpu"],
  "libc": ["glibc"],
  "files": ["bin", "NOTICES"]
}
END
install -m 755 "$folder/hearth" "$work/$binary/package/bin/hearth"
cp "$folder/NOTICES" "$work/$binary/package/"
cat > "$work/hearth-firestore/package/package.json" << END
{
  "name": "hearth-firestore",
  "version": "$version",
  "description": "Lints Cloud Firestore's index files and says which queries they serve",
  "license": "Apache-2.0",
  "bin": { "hearth": "bin/hearth.js" },
  "files": ["bin"],
  "optionalDependencies": {
    "hearth-firestore-linux-x64": "$version",
    "hearth-firestore-linux-arm64": "$version"
  }
}
END
install -m 755 "$scripts/hearth.js" "$work/hearth-firestore/package/bin/hearth.js"
pack hearth-firestore
pack "$binary"
