#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the manual page of a hearth program, made from its help: manual-page.sh path/to/hearth > hearth.1
set -euo pipefail
hearth=$1

# Text as it is: backslashes doubled, no line taken for a request.
verbatim() { sed -e 's/\\/\\\\/g' -e "s/^\([.']\)/\\\\\&\1/"; }
section() {
    echo ".SH $1"
    echo '.nf'
    verbatim
    echo '.fi'
}

echo ".TH HEARTH 1 \"\" \"hearth $("$hearth" --version)\" \"User Commands\""
echo '.SH NAME'
echo 'hearth \- a document database with the data model, queries and indexes of Cloud Firestore'
"$hearth" --help | section DESCRIPTION
commands=$("$hearth" --help | sed -nE 's/^  ([a-z]+)  +[A-Z].*/\1/p')
for command in $commands; do
    [ "$command" != help ] || continue
    "$hearth" help "$command" | section "HEARTH ${command^^}"
done
