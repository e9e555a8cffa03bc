#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs a built folder into OUT/hearth-VERSION-linux-ARCH.tar.gz. Equal folders give equal bytes.
#   tarball.sh FOLDER OUT
set -euo pipefail
folder=$1
out=$2
name=hearth-$("$(dirname "$0")/version.sh")-linux-$(uname -m)
tar --sort=name --mtime="@${SOURCE_DATE_EPOCH:-0}" --owner=0 --group=0 --numeric-owner --mode=u+rwX,go=rX --transform "s,^\.,$name," \
    -C "$folder" -c . | gzip -n9 > "$out/$name.tar.gz"
echo "$out/$name.tar.gz"
