#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every public symbol is documented, and the documentation builds without a warning. Needs a debug build in .build.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/graphs"
modules="$(swift build --show-bin-path)/Modules"
target=$(swift -print-target-info | sed -n 's/^ *"unversionedTriple": "\(.*\)",$/\1/p' | head -n 1)
swift symbolgraph-extract -module-name Hearth -target "$target" -I "$modules" -I Sources/CLMDB \
    -minimum-access-level public -skip-synthesized-members -output-dir "$work/graphs"

python3 - "$work/graphs/Hearth.symbols.json" << 'END'
import json, sys
symbols = json.load(open(sys.argv[1]))["symbols"]
bare = [s for s in symbols if "docComment" not in s]
for symbol in bare:
    print("error: no documentation:", ".".join(symbol["pathComponents"]))
if bare or not symbols:
    sys.exit(1)
print(f"{len(symbols)} public symbols, all documented")
END

# Not every toolchain has it.
command -v docc > /dev/null || { echo 'docc is absent: the articles were not built'; exit 0; }
docc convert Sources/Hearth/Hearth.docc --additional-symbol-graph-dir "$work/graphs" --output-path "$work/archive" \
    --fallback-display-name Hearth --fallback-bundle-identifier hearth --warnings-as-errors
