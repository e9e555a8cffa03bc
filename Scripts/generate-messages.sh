#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes Sources/FirestoreProtocol/Messages of the .proto files beside it. Needed only after a change of those, so it is no part
# of a build: it fetches protoc, and builds the plug-in of the SwiftProtobuf that the package uses.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
Scripts/install-missing.sh python venv
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet grpcio-tools

mkdir -p "$work/plugin/Sources/none"
echo > "$work/plugin/Sources/none/main.swift"
cat > "$work/plugin/Package.swift" << 'END'
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "plugin",
    dependencies: [.package(url: "https://github.com/apple/swift-protobuf", from: "1.30.0")],
    targets: [
        .executableTarget(name: "none", dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")])
    ])
END
swift build --package-path "$work/plugin" --product protoc-gen-swift
plugin=$(swift build --package-path "$work/plugin" --show-bin-path)/protoc-gen-swift

target=Sources/FirestoreProtocol
"$work/venv/bin/python" -m grpc_tools.protoc -I "$target/Protos" --plugin="protoc-gen-swift=$plugin" \
    --swift_opt=FileNaming=DropPath --swift_opt=Visibility=Package --swift_opt=UseAccessLevelOnImports=true \
    --swift_out="$work" "$target"/Protos/*.proto
for file in "$work"/*.pb.swift; do
    {
        echo '// SPDX-License-Identifier: Apache-2.0'
        echo '// swift-format-ignore-file'
        echo
        echo '#if Server || Connected'
        grep -vE '^///* *(SPDX-License-Identifier|swift-format-ignore-file)' "$file"
        echo '#endif'
    } > "$target/Messages/$(basename "$file")"
done
