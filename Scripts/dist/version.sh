#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the version of this tree, which HearthCommand.swift says, CHANGELOG.md begins with, and pyproject.toml has and installs.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(sed -nE 's/^ *version: "([0-9.]+)",$/\1/p' Sources/HearthCLI/HearthCommand.swift)
newest=$(sed -nE '/^## /{s/^## //p;q}' CHANGELOG.md)
if [ "$version" != "${newest%% *}" ]; then
    echo "version.sh: the program is $version, but CHANGELOG.md begins with \"$newest\": make them agree" >&2
    exit 1
fi
hooks=$(sed -nE 's/^version = "(.*)"$/\1/p; s/^dependencies = \["hearth-firestore==(.*)"\]$/\1/p' pyproject.toml)
if [ "$hooks" != "$version"$'\n'"$version" ]; then
    echo "version.sh: the program is $version, but pyproject.toml has or installs another: make them agree" >&2
    exit 1
fi
echo "$version"
