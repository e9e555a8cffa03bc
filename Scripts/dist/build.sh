#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the program that runs without Swift, server included, and what belongs beside it: FOLDER/hearth, FOLDER/share,
# FOLDER/LICENSE, FOLDER/NOTICES. The Swift runtime, LMDB and the C++ library are inside; only glibc is not.
#   build.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$1
scratch=$PWD/.build-dist
# Before a build of minutes.
Scripts/dist/notices.sh --check

# A folder with nothing but archives, before the system's: the linker has no shared library to prefer.
library=$scratch/lib
mkdir -p "$library"
ln -sf "$(pkg-config --variable=libdir lmdb)/liblmdb.a" "$library/liblmdb.a"
ln -sf "$("$(Scripts/dist/toolchain.sh)/bin/clang" -print-file-name=libstdc++.a)" "$library/libstdc++.a"
cat > "$library/lmdb.pc.new" << END
Name: liblmdb
Description: LMDB as an archive
Version: $(pkg-config --modversion lmdb)
Libs: -L${library// /\\ } -llmdb
Cflags: $(pkg-config --cflags lmdb)
END
# A newer file would make everything be built again.
cmp -s "$library/lmdb.pc.new" "$library/lmdb.pc" || cp "$library/lmdb.pc.new" "$library/lmdb.pc"
rm "$library/lmdb.pc.new"

# The order of traits must not differ from call to call, or all is built again.
export SWIFT_DETERMINISTIC_HASHING=1
# Without --no-export-dynamic every symbol of the program stays in it.
build=(
    swift build -c release --traits Server,Connected --product hearth --scratch-path "$scratch"
    -Xswiftc -static-stdlib -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
    -Xlinker --gc-sections -Xlinker --no-export-dynamic -Xlinker -s
)
export PKG_CONFIG_PATH=$library
"${build[@]}"
program=$("${build[@]}" --show-bin-path)/hearth

rm -rf "$folder"
mkdir -p "$folder"
install -m 755 "$program" "$folder/hearth"
cp LICENSE "$folder/LICENSE"
Scripts/dist/notices.sh "$(dirname "$program")/hearth.product/Objects.LinkFileList" "$scratch/checkouts" > "$folder/NOTICES"
Scripts/install-extras.sh "$folder/hearth" "$folder"
