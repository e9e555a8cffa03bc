#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the folder usr of the Swift that runs. The swift on the PATH may be a program that chooses one, such as swiftly's.
set -euo pipefail
resources=$(swift -print-target-info | sed -nE 's/^ *"runtimeResourcePath": "(.*)",?$/\1/p')
echo "${resources%/lib/swift*}"
