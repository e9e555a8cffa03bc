#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a package that depends on the product Hearth downloads besides Hearth: nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/Sources/App"
echo 'import Hearth' > "$work/Sources/App/main.swift"
cat > "$work/Package.swift" << END
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "App",
    dependencies: [.package(name: "Hearth", path: "$PWD")],
    targets: [.executableTarget(name: "App", dependencies: [.product(name: "Hearth", package: "Hearth")])])
END
swift package --package-path "$work" resolve > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
downloaded=$(ls "$work/.build/checkouts" 2> /dev/null || true)
[ -z "$downloaded" ] || { echo "error: who imports Hearth downloads $downloaded" >&2; exit 1; }
echo 'whoever imports Hearth downloads nothing else'
