#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rules of the source tree that no compiler flag checks. Lists every breach, then fails if there was one.
set -euo pipefail
# The last part of a pipeline runs in this shell: `breach` sets `found`.
shopt -s lastpipe
cd "$(dirname "$0")/.."

found=0
# breach MESSAGE: reads offending places from standard input and reports them.
breach() {
    local places
    places=$(cat)
    [ -n "$places" ] || return 0
    found=1
    echo "error: $1"
    sed 's/^/    /' <<< "$places"
}
# Code only: a line whose text is a comment is no breach.
without_comments() { grep -vE '^[^:]+:[0-9]+:[[:space:]]*//' || true; }

below_hearth=(LMDB JSONText DocumentModel ManagedExport IndexCatalog QueryPlanner QuerySource SecurityRules SyncCore DocumentEngine ReplicaStore BulkMove GRPCFraming EngineBench)
{ grep -rnE '^[^/]*\bimport +(struct |class |func |enum )?Foundation' "${below_hearth[@]/#/Sources/}" --include='*.swift' || true; } |
    breach 'no target below Hearth imports Foundation'

# Foundation weighs 30 MB where the runtime is linked statically; FoundationEssentials is for places where both exist.
{ grep -rnE '^ {0,4}(internal |package |public )?import Foundation$' \
    Sources/{FirestoreProtocol,FirestoreServer,CloudFirestore,HearthCLI} --include='*.swift' || true; } |
    { grep -v 'Messages/.*\.pb\.swift:' || true; } |
    breach 'the program imports FoundationEssentials where it can: see GRPCWrites.swift'

# Indented where a trait brings a whole file.
{ grep -rlE '^ *((internal|package|public|private|fileprivate) )?import +((struct|class|func|enum) )?(Glibc|Musl|Darwin)\b' \
    "${below_hearth[@]/#/Sources/}" Sources/{HearthCLI,FirestoreProtocol,FirestoreServer,DocumentExport,CloudFirestore} --include='*.swift' || true; } |
    awk -F/ 'target[$2]++ { print }' | breach 'the calls of a target to the system are in one file'

safe=(JSONText ManagedExport IndexCatalog QueryPlanner QuerySource SecurityRules SyncCore DocumentEngine ReplicaStore Hearth HearthCLI FirestoreProtocol FirestoreServer DocumentExport CloudFirestore HearthConnected BulkMove GRPCFraming)
{ grep -rnwE 'unsafe[A-Za-z]*|_?withUnsafe[A-Za-z]*|Unsafe[A-Za-z]*Pointer|Unmanaged' "${safe[@]/#/Sources/}" --include='*.swift' || true; } |
    { grep -vE '^Sources/(HearthCLI/System/System\.swift|FirestoreProtocol/Messages/.*\.pb\.swift):' || true; } |
    without_comments | breach "unsafe code belongs in LMDB, in DocumentModel's byte codecs and in the tool's system calls only"

# Only there is what is printed freed of control characters.
{ grep -rnE '(^|[^.[:alnum:]_])(print|debugPrint|dump|puts|fputs|fprintf|printf|fwrite|perror)\(|FileHandle|\bexit\(withError|System\.writeAll|import +(Foundation|Glibc|Musl|Darwin)\b' \
    Sources/HearthCLI --include='*.swift' || true; } |
    { grep -vE '^Sources/HearthCLI/(Output/Output|Output/OutputFile|System/System|Move/PullSpool)\.swift:' || true; } |
    without_comments | breach 'what the tool prints goes through Output or Diagnostics'

while IFS= read -r file; do
    [ "$(head -n 1 "$file")" = '// SPDX-License-Identifier: Apache-2.0' ] || echo "$file"
done < <(git ls-files --cached --others --exclude-standard -- '*.swift' ':!:*Package.swift') |
    breach 'the first line of a Swift file is: // SPDX-License-Identifier: Apache-2.0'

while IFS= read -r file; do
    [ "$(head -c 2 "$file")" != '#!' ] || [ -x "$file" ] || echo "$file"
done < <(git ls-files --cached --others --exclude-standard -- Scripts Action .ci) |
    breach 'a script that names its interpreter is executable'

# Modules of Python are imported without their ending.
while IFS= read -r file; do
    name=$(basename "$file")
    git grep -qF --untracked "${name%.*}" -- ":!$file" || echo "$file"
done < <(git ls-files --cached --others --exclude-standard -- Scripts) |
    breach 'each script is named where it is used, or where people read of it'

{ git grep -nIE --untracked '(^|[^[:alnum:]_./~-])/(work|home|root|Users|tmp|opt)/[[:alnum:]]' -- ':!Scripts/check-sources.sh' || true; } |
    breach 'an absolute path holds on one machine only: derive it from the package root'

# What they start would inherit that their threads block signals. The two folders know the library only, or Foundation only.
{ grep -rnE '\bprocess\.run\(\)' Tests --include='*.swift' || true; } |
    { grep -vE '^Tests/(GuideTests|ConformanceTests)/' || true; } |
    breach 'tests start programs with Process.start of TestSupport'

# The release round does what the debug round leaves out. It has no traits: suites that need one have the debug round only.
part() { sed -nE "s/^random_$1 := //p" Makefile; }
needs_a_trait() { grep -qE '^#if .*(Server|Connected)' "$1"; }
repeated="^($(part targets))Tests\.|\.($(part suites))Tests/"
{ git grep -lF --untracked 'Rounds.of(' -- 'Tests/*.swift' || true; } |
    while IFS= read -r file; do
        target=${file#Tests/}
        grep -qE "$repeated" <<< "${target%%/*}.$(basename "$file" .swift)/" || needs_a_trait "$file" || echo "$file"
    done | breach 'a suite that takes its count from Rounds.of is one of random_suites in the Makefile'
for suite in $(part suites | tr '|' ' '); do
    while IFS= read -r file; do
        needs_a_trait "$file" || continue 2
    done < <(git ls-files --cached --others --exclude-standard -- "Tests/*/${suite}Tests.swift")
    echo "$suite"
done | breach "each of the Makefile's random_suites is a suite, and needs no trait"

# Rule ids, such as I-33. `D-2 to D-8` stands for all of them.
rule='(QE|[A-Z])-[0-9]+[a-c]?'
{ git grep -nIoE --untracked "\b$rule( to $rule)?\b" || true; } |
    awk -F: '
        function each(text, action,    ends, count, first, last, number) {
            count = split(text, ends, " to ")
            split(ends[1], first, "-")
            split(ends[count], last, "-")
            for (number = first[2] + 0; number <= last[2] + 0; number++)
                if (action == "add") known[first[1] "-" number] = 1
                else if (!(first[1] "-" number in known)) print $1 ":" $2 ": " first[1] "-" number
        }
        FNR == NR { split($0, cells, " *[|] *"); if (cells[2] ~ /^[A-Z]+-[0-9]/) each(cells[2], "add"); next }
        { each($3, "look up") }' docs/rules.md - |
    breach 'a rule that is cited has an entry in docs/rules.md'

exit "$found"
