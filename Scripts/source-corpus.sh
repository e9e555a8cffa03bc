#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts what `hearth check --source` finds in the open-source applications of source-corpus.tsv, and prints the tables of
# docs/source-check.md: sites, resolved sites, why others are not, and how fast it was.
#
#   source-corpus.sh [--sources DIR] [--cache DIR] [--program HEARTH] [--sample N] [--seed S]
#
#   --sources DIR  where repositories are, as DIR/OWNER+NAME/repo (git directories) or DIR/OWNER/NAME (work trees);
#                  others are cloned from GitHub
#   --cache DIR    what is fetched and checked out, kept for the next run; default: ~/.cache/hearth-source-corpus
#   --program      the hearth to use; default: a release build
#   --sample N     also print N missing indexes, chosen by the seed, to be checked by hand: those that applications lack in
#                  their own index files, then those of the others
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/hearth-source-corpus
sources='' program='' sample=0 seed=1
while [ $# -gt 0 ]; do
    case $1 in
    --sources) sources=$(realpath "$2") && shift 2 ;;
    --cache) cache=$2 && shift 2 ;;
    --program) program=$(realpath "$2") && shift 2 ;;
    --sample) sample=$2 && shift 2 ;;
    --seed) seed=$2 && shift 2 ;;
    *) sed -n 's/^# \{0,1\}//; 3,15p' "$0" >&2 && exit 64 ;;
    esac
done
if [ -z "$program" ]; then
    (cd "$root" && swift build -c release --product hearth >&2)
    program=$(cd "$root" && swift build -c release --show-bin-path)/hearth
fi
mkdir -p "$cache"
# One application's sources in $cache/OWNER+NAME-COMMIT.
while IFS=$'\t' read -r name commit; do
    place=$cache/${name/\//+}-${commit:0:12}
    [ ! -d "$place" ] || continue
    git_dir=$sources/${name/\//+}/repo
    if [ -z "$sources" ] || [ ! -d "$git_dir" ]; then
        git_dir=$sources/$name/.git
    fi
    if [ ! -d "$git_dir" ]; then
        git_dir=$cache/clones/$name
        [ -d "$git_dir" ] || git clone --quiet --bare --filter=blob:none "https://github.com/$name" "$git_dir"
    fi
    rm -rf "$place.part" && mkdir -p "$place.part"
    # Large files may be absent from a mirror, and none of them is source.
    git --git-dir "$git_dir" ls-tree -r --name-only "$commit" |
        { grep -E '\.(jsx?|tsx?|[mc][jt]s|vue|svelte|swift|kts?|java|dart|py|go|cs|php)$|(^|/)\.gitignore$|indexes\.json$' || true; } |
        while IFS= read -r file; do
            mkdir -p "$place.part/$(dirname "$file")"
            git --git-dir "$git_dir" show "$commit:$file" > "$place.part/$file" 2> /dev/null || rm -f "$place.part/$file"
        done
    mv "$place.part" "$place"
done < <(grep -v '^#' "$root/Scripts/source-corpus.tsv")
exec python3 "$root/Scripts/source-corpus.py" "$root/Scripts/source-corpus.tsv" "$cache" "$program" "$sample" "$seed"
