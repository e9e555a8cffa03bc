#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install-extras.sh PROGRAM PREFIX: installs the manual page and the shell completions, made by the program itself.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$1
share=$2/share

# place FOLDER NAME: writes standard input to a file that all can read, whatever the umask.
place() {
    install -d "$share/$1"
    install -m 644 /dev/stdin "$share/$1/$2"
}

Scripts/manual-page.sh "$program" | place man/man1 hearth.1
"$program" --generate-completion-script bash | place bash-completion/completions hearth
"$program" --generate-completion-script zsh | place zsh/site-functions _hearth
"$program" --generate-completion-script fish | place fish/vendor_completions.d hearth.fish
# Stands in for the Firestore emulator under the Firebase CLI.
install -d "$share/hearth/firebase"
install -m 755 Scripts/firebase/java "$share/hearth/firebase/java"
