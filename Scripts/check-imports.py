#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each target declares what its files import.

    swift package dump-package | check-imports.py [FOLDER]

Reads the description of the package in FOLDER (default: Hearth's) from standard input, lists every import of one of its targets, or
of a product that one of them depends on, that the importing target does not declare, and fails if there is one. The compiler finds the
module anyway if another target's dependency was built before, so that a build mostly tells nothing. Whether a dependency is for some
traits or platforms only is left to the build."""

import json
import pathlib
import re
import sys

IMPORT = re.compile(
    r"\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:private|fileprivate|internal|package|public)\s+)?import\s+"
    r"(?:(?:class|enum|func|let|protocol|struct|typealias|var)\s+)?(\w+)"
)
# Comments and literals, those of raw strings first.
HIDDEN = re.compile(
    r'(#+)""".*?"""\1|"""(?:\\.|[^\\])*?"""|/\*.*?\*/|//[^\n]*|(#+)".*?"\2|"(?:\\.|[^"\\\n])*"', re.DOTALL
)
FOLDERS = {"executable": "Sources", "regular": "Sources", "system": "Sources", "plugin": "Plugins", "test": "Tests"}


def declared(target):
    """The names of what a target depends on: {"byName": [NAME, …]}, {"target": [NAME, …]} or {"product": [NAME, …]}."""
    return {value[0] for dependency in target["dependencies"] for value in dependency.values()}


def imports(text):
    """Line numbers and modules, without what stands in comments and in literals."""
    visible = HIDDEN.sub(lambda found: "\n" * found.group().count("\n"), text)
    for number, line in enumerate(visible.split("\n"), 1):
        if found := IMPORT.match(line):
            yield number, found.group(1)


def breaches(package, root):
    known = {target["name"] for target in package["targets"]}.union(*map(declared, package["targets"]))
    for target in package["targets"]:
        allowed = declared(target) | {target["name"]}
        folder = root / target.get("path", f"{FOLDERS.get(target['type'], 'Sources')}/{target['name']}")
        for file in sorted(folder.rglob("*.swift")):
            for number, module in imports(file.read_text(encoding="utf-8")):
                if module in known and module not in allowed:
                    yield f"{file.relative_to(root)}:{number}: {module} is no dependency of {target['name']}"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = list(breaches(json.load(sys.stdin), root))
    if found:
        print("error: a target imports only what it declares in Package.swift")
        print("\n".join(f"    {breach}" for breach in found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
