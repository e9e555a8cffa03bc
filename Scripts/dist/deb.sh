#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes OUT/hearth_VERSION_ARCH.deb of a built folder.
#   deb.sh FOLDER OUT
set -euo pipefail
scripts=$(cd "$(dirname "$0")" && pwd)
folder=$1
out=$2
version=$("$scripts/version.sh")
architecture=$(dpkg --print-architecture)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

install -D -m 755 "$folder/hearth" "$root/usr/bin/hearth"
share=$root/usr/share
install -D -m 644 "$folder/share/man/man1/hearth.1" "$share/man/man1/hearth.1"
install -D -m 644 "$folder/share/bash-completion/completions/hearth" "$share/bash-completion/completions/hearth"
install -D -m 644 "$folder/share/zsh/site-functions/_hearth" "$share/zsh/vendor-completions/_hearth"
install -D -m 644 "$folder/share/fish/vendor_completions.d/hearth.fish" "$share/fish/vendor_completions.d/hearth.fish"
install -D -m 755 "$folder/share/hearth/firebase/java" "$share/hearth/firebase/java"
install -D -m 644 "$folder/NOTICES" "$share/doc/hearth/copyright"
install -D -m 644 "$folder/LICENSE" "$share/doc/hearth/LICENSE"
install -D -m 644 "$scripts/../../CHANGELOG.md" "$share/doc/hearth/changelog"
gzip -n9 "$share/man/man1/hearth.1" "$share/doc/hearth/changelog"

mkdir "$root/DEBIAN"
cat > "$root/DEBIAN/control" << END
Package: hearth
Version: $version
Architecture: $architecture
Maintainer: The Hearth authors <hearth@localhost>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: libc6 (>= $("$scripts/newest-glibc.sh" "$folder/hearth"))
Section: database
Priority: optional
Description: document database with Cloud Firestore's data model, and tools for its index files
 Lints firestore.indexes.json, says which queries production Firestore would serve with it, and stores, queries and
 serves documents as Cloud Firestore does.
END
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) > "$root/DEBIAN/md5sums"
dpkg-deb --root-owner-group -Zxz --build "$root" "$out/hearth_${version}_$architecture.deb"
