#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the manual page of a hearth program, made from its help: manual-page.sh path/to/hearth > hearth.1
set -euo pipefail
hearth=$1
# The page is the same on every terminal.
export COLUMNS=80

# Text as it is: backslashes doubled, no line taken for a request.
verbatim() { sed -e 's/\\/\\\\/g' -e "s/^\([.']\)/\\\\\&\1/"; }
section() {
    echo ".SH $1"
    echo '.nf'
    verbatim
    echo '.fi'
}
# below HELP WORD…: the sections of the commands that the help of a command lists.
below() {
    local help=$1 name
    shift
    for name in $(awk '/SUBCOMMANDS:$/ { lists = 1 } lists && /^  [a-z]/ { print $1 }' <<< "$help"); do
        help=$("$hearth" help "$@" "$name")
        section "HEARTH ${*^^}${*:+ }${name^^}" <<< "$help"
        below "$help" "$@" "$name"
    done
}

echo ".TH HEARTH 1 \"\" \"hearth $("$hearth" --version)\" \"User Commands\""
echo '.SH NAME'
echo 'hearth \- a document database with the data model, queries and indexes of Cloud Firestore'
"$hearth" --help | section DESCRIPTION
below "$("$hearth" --help)"
