#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh MINUTES [TARGET…]: lets libFuzzer search for inputs that break the readers of outside bytes, each for so long.
# What it finds lies in .build-fuzz/findings; what it learnt stays in .build-fuzz/corpus for the next time.
set -euo pipefail
cd "$(dirname "$0")/.."

minutes=${1:?how many minutes for each reader}
shift
build=(swift build -c release --product hearth-fuzz --scratch-path .build-fuzz --sanitize fuzzer -Xswiftc -DFUZZING)
echo '==> Building the fuzzer (release, with coverage feedback)'
"${build[@]}"
program=$("${build[@]}" --show-bin-path)/hearth-fuzz
[ $# -gt 0 ] || mapfile -t targets < <("$program" --list)
[ $# -eq 0 ] || targets=("$@")
failed=0
for target in "${targets[@]}"; do
    corpus=.build-fuzz/corpus/$target findings=.build-fuzz/findings/$target
    mkdir -p "$corpus" "$findings"
    HEARTH_FUZZ_TARGET=$target "$program" --seeds "$corpus"
    echo "==> $target for $minutes minutes"
    HEARTH_FUZZ_TARGET=$target nice -n 19 "$program" -max_total_time=$((minutes * 60)) -max_len=4096 -timeout=10 \
        -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="$findings/" "$corpus" > "$findings/log" 2>&1 || failed=1
    grep -aE 'number_of_executed_units|^Done|Fatal error|SUMMARY|Test unit written' "$findings/log" || true
done
exit "$failed"
