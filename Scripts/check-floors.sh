#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that a folder of DocumentEngine or LMDB uses types of lower floors only, and that ARCHITECTURE.md has the drawings of it.
#
#   check-floors.sh            lists every use of a type of the same floor's other folder or of a higher one, and fails
#   check-floors.sh --write    also writes the drawings into ARCHITECTURE.md
#
# A type belongs to the folder in which it is declared; a file uses every type whose name stands in its code.
set -euo pipefail
cd "$(dirname "$0")/.."

# The floors of each target, from the lowest. The façade is what lies in the target's own folder.
declare -A floors_of=(
    [DocumentEngine]='Storage
Catalog
Indexing
Sorting History
Execution Commit
Bulk Integrity
Façade'
    [LMDB]='System
Pages
Transactions
Environment'
)

# arrows: prints "FLOOR FOLDER -> FLOOR FOLDER FILE TYPE" for each use of another folder's type.
arrows() {
    find "$target" -name '*.swift' | LC_ALL=C sort | { xargs awk -v target="$target" -v floors="$floors" '
        function folder(path) {
            path = substr(path, length(target) + 2)
            return index(path, "/") ? substr(path, 1, index(path, "/") - 1) : "Façade"
        }
        BEGIN {
            count = split(floors, lines, "\n")
            for (number = 1; number <= count; number++) {
                parts = split(lines[number], names, " ")
                for (part = 1; part <= parts; part++) floor[names[part]] = number
            }
        }
        FNR == 1 && !(folder(FILENAME) in floor) {
            print "check-floors.sh: " FILENAME " lies on no floor" > "/dev/stderr"
            failed = 1
            exit 1
        }
        { sub(/\/\/.*/, ""); gsub(/"([^"\\]|\\.)*"/, "") }
        match($0, /^(@[a-z]+ )?((package|public|private|fileprivate|final|indirect) )*(struct|class|enum|protocol|typealias|actor) [A-Z][A-Za-z0-9]*/) {
            declaration = substr($0, RSTART, RLENGTH)
            parts = split(declaration, words, " ")
            if (declaration !~ /private /) home[words[parts]] = folder(FILENAME)
        }
        {
            gsub(/[^A-Za-z0-9_]+/, " ")
            parts = split($0, words, " ")
            for (part = 1; part <= parts; part++) if (words[part] ~ /^[A-Z]/) used[FILENAME, words[part]] = 1
        }
        END {
            if (failed) exit 1
            for (key in used) {
                split(key, pair, SUBSEP)
                user = folder(pair[1])
                if (!(pair[2] in home) || home[pair[2]] == user) continue
                print floor[user], user, "->", floor[home[pair[2]]], home[pair[2]], pair[1], pair[2]
            }
        }'; } | LC_ALL=C sort
}

# drawing: the floors from the highest, with the folders that each of their folders uses.
drawing() {
    echo '```text'
    awk -v floors="$floors" '
        { if (!seen[$2, $5]++) uses[$2, $4 "/" $5] = 1 }
        END {
            count = split(floors, lines, "\n")
            for (number = count; number >= 1; number--) {
                parts = split(lines[number], names, " ")
                for (part = 1; part <= parts; part++) {
                    list = ""
                    for (below = number - 1; below >= 1; below--) {
                        others = split(lines[below], lower, " ")
                        for (other = 1; other <= others; other++)
                            if ((names[part], below "/" lower[other]) in uses) list = list (list == "" ? "" : ", ") lower[other]
                    }
                    printf "%d  %-13s%s\n", number, names[part], list == "" ? "" : "-> " list
                }
            }
        }' <<< "$1" | sed 's/Façade /Façade  /; s/ *$//'
    echo '```'
}

failed=0
# check NAME [--write]: checks one target.
check() {
    local name=$1 begin end wanted present all upwards
    target=Sources/$name
    floors=${floors_of[$name]}
    all=$(arrows)
    upwards=$(awk '$4 >= $1' <<< "$all")
    if [ -n "$upwards" ]; then
        echo "error: a folder of $name uses lower floors only:"
        awk '{ print "    " $6 " uses " $7 ", which " $5 " declares" }' <<< "$upwards"
        failed=1
    fi

    begin="<!-- Floors of $name, made by Scripts/check-floors.sh --write. -->"
    end='<!-- End. -->'
    wanted=$(drawing "$all")
    if [ "${2:-}" = --write ]; then
        awk -v begin="$begin" -v end="$end" -v wanted="$wanted" '
            $0 == begin { print; print wanted; skips = 1 }
            $0 == end { skips = 0 }
            !skips && $0 != begin { print }' ARCHITECTURE.md > ARCHITECTURE.md.new
        mv ARCHITECTURE.md.new ARCHITECTURE.md
    fi
    present=$(awk -v begin="$begin" -v end="$end" '
        $0 == end { shows = 0 } shows { print } $0 == begin { shows = 1 }' ARCHITECTURE.md)
    if [ "$present" != "$wanted" ]; then
        echo "error: the drawing of the floors of $name in ARCHITECTURE.md is not that of the sources: run Scripts/check-floors.sh --write"
        failed=1
    fi
}

for name in DocumentEngine LMDB; do check "$name" "${1:-}"; done
exit "$failed"
