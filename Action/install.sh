#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Downloads the program of a release and prints its folder. Without VERSION, the release is this tree's, and the program is built
# where there is none for this machine.
#   VERSION: the release, and no other program; "source" builds. REPOSITORY and SERVER: where releases are.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${VERSION:-$(Scripts/dist/version.sh)}

# download FOLDER: puts the program into the folder, and prints its own folder there, or fails.
download() {
    local folder=$1 name=hearth-$version-linux-$(uname -m) sums
    sums=SHA256SUMS-$(uname -m)
    local release=${SERVER:-}/$REPOSITORY/releases/download/v$version
    # Without --fail-early, curl's code is that of the last file alone.
    curl --fail --fail-early --silent --show-error --location --output-dir "$folder" --remote-name "$release/$name.tar.gz" \
        --remote-name "$release/$sums" >&2 || return 1
    grep -F " $name.tar.gz" "$folder/$sums" > "$folder/sum" ||
        { echo "$sums of release $version does not list $name.tar.gz" >&2; return 1; }
    # A release with another sum is no reason to build: something is wrong with it.
    (cd "$folder" && sha256sum --check --strict sum >&2) || return 3
    tar -xzf "$folder/$name.tar.gz" -C "$folder"
    "$folder/$name/hearth" --version >&2 || return 1
    echo "$folder/$name"
}

code=1
if [ "$(uname -s)" = Linux ] && [ "$version" != source ] && [ -n "${REPOSITORY:-}" ]; then
    # GitHub empties its own folder after each job.
    place=$(TMPDIR=${RUNNER_TEMP:-${TMPDIR:-}} mktemp -d)
    code=0
    folder=$(download "$place") || { code=$? && rm -rf "$place"; }
fi
if [ "$code" = 0 ]; then
    echo "$folder"
elif [ "$code" = 3 ]; then
    echo "The download of release $version has not the sum that its SHA256SUMS file gives: it is not used" >&2
    exit 1
elif [ -n "${VERSION:-}" ] && [ "$VERSION" != source ]; then
    echo "Release $version could not be downloaded for this machine ($(uname -s) $(uname -m)); version: source builds hearth" >&2
    exit 1
else
    echo "There is no release $version for this machine: building hearth" >&2
    Scripts/install-missing.sh lmdb >&2
    swift build -c release --product hearth >&2
    swift build -c release --show-bin-path
fi
