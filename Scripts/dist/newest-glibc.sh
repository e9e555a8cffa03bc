#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the newest version of glibc whose symbols a program uses, such as 2.36.
set -euo pipefail
objdump -T "$1" | grep -oE 'GLIBC_[0-9.]+' | sed 's/GLIBC_//' | sort -uV | tail -n 1
