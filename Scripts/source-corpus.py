#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the findings of `hearth check --source` in checked-out applications; see source-corpus.sh."""
import collections
import json
import os
import random
import re
import subprocess
import sys
import time

ENDINGS = tuple(
    "." + ending
    for ending in "js jsx ts tsx mjs cjs mts cts vue svelte swift kt kts java dart py go cs php".split()
)


def check(program, folder, *options):
    """The lines for an application, and the seconds that took."""
    start = time.monotonic()
    run = subprocess.run(
        [program, "check", "--source", ".", "--format", "json", *options], cwd=folder, capture_output=True, text=True
    )
    if run.returncode not in (0, 1):
        sys.exit(f"{folder}: hearth ended with {run.returncode}: {run.stderr[-500:]}")
    return [json.loads(line) for line in run.stdout.splitlines()], time.monotonic() - start


def own_files(folder):
    """The application's own index files, each with the folder that it is for: all, or the file's own if there are several."""
    found = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [os.path.join(parent, name) for name in names if name.endswith("indexes.json")]
    return [(folder, path) for path in found] if len(found) == 1 else [(os.path.dirname(path), path) for path in found]


def lacking(program, folder):
    """What an application lacks in its own index files."""
    lines = []
    for place, path in own_files(folder):
        below = os.path.relpath(place, folder)
        for entry in check(program, place, "--indexes", os.path.relpath(path, place))[0]:
            if "missingIndex" in entry:
                entry["file"] = os.path.normpath(os.path.join(below, entry["file"]))
                lines.append(entry)
    return lines


def size(folder):
    """The bytes of source under a folder."""
    return sum(
        os.path.getsize(os.path.join(parent, name))
        for parent, _, names in os.walk(folder)
        for name in names
        if name.endswith(ENDINGS)
    )


def reason(text):
    """A reason without names, so that equal reasons count together."""
    return re.sub(r"'[^']*'", "…", text)


def is_open(text):
    """Whether the file does not say what a query needs: it comes from another file, a caller or the running program."""
    return not (text.startswith("it can be built") or "no call of a library" in text or "no operator" in text)


def main():
    table, cache, program, sample, seed = sys.argv[1:]
    totals, reasons, missing, own = collections.Counter(), collections.Counter(), [], []
    print("| application | languages | sites | resolved | open in the file | queries | without an index | in its own file |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for line in open(table, encoding="utf-8"):
        if line.startswith("#"):
            continue
        name, commit = line.split()
        folder = os.path.join(cache, f"{name.replace('/', '+')}-{commit[:12]}")
        lines, seconds = check(program, folder)
        sites = collections.defaultdict(list)
        for entry in lines:
            sites[entry["file"], entry["line"], entry["column"]].append(entry)
        unresolved = [entries for entries in sites.values() if any("unresolved" in entry for entry in entries)]
        open_sites = [
            entries
            for entries in unresolved
            if all(is_open(entry["unresolved"]) for entry in entries if "unresolved" in entry)
        ]
        queries = [entry for entry in lines if "query" in entry]
        refused = [entry for entry in queries if not entry["served"] and "missingIndex" in entry]
        for entries in unresolved:
            reasons.update({reason(entry["unresolved"]) for entry in entries if "unresolved" in entry})
        missing += [(name, entry) for entry in refused]
        languages = ", ".join(sorted({entry["language"] for entry in lines}))
        has_file = bool(own_files(folder))
        lacks = lacking(program, folder)
        own += [(name, entry) for entry in lacks]
        counts = [len(sites), len(sites) - len(unresolved), len(open_sites), len(queries), len(refused)]
        print(f"| {name} | {languages} | " + " | ".join(map(str, counts)) + f" | {len(lacks) if has_file else '–'} |")
        totals.update(
            applications=1, sites=counts[0], resolved=counts[1], open=counts[2], queries=counts[3], refused=counts[4],
            bytes=size(folder), milliseconds=int(seconds * 1000),
        )
    closed = totals["sites"] - totals["open"]
    print(
        f"| all {totals['applications']} | | {totals['sites']} | {totals['resolved']} | {totals['open']} | "
        f"{totals['queries']} | {totals['refused']} | {len(own)} |"
    )
    print(f"\nresolved: {totals['resolved']} of {totals['sites']} sites ({share(totals['resolved'], totals['sites'])})")
    print(
        f"resolved where the file says what a query needs: {totals['resolved']} of {closed} "
        f"({share(totals['resolved'], closed)})"
    )
    print(f"speed: {totals['bytes'] / 1e6 / max(totals['milliseconds'], 1) * 1000:.1f} MB a second, reading included")
    print("\n| sites | why they are not resolved |\n| --- | --- |")
    for text, count in reasons.most_common(12):
        print(f"| {count} | {text} |")
    if int(sample):
        chooser = random.Random(int(seed))
        chosen = chooser.sample(own, min(int(sample), len(own)))
        known = {(name, entry["file"]) for name, entry in own}
        others = [(name, entry) for name, entry in missing if (name, entry["file"]) not in known]
        rest = chooser.sample(others, min(int(sample) - len(chosen), len(others)))
        print(f"\n{len(chosen)} of {len(own)} that own files lack, {len(rest)} of {len(others)} others, seed {seed}:")
        for name, entry in chosen + rest:
            print(f"{name} {entry['file']}:{entry['line']}: {entry['query']}")


def share(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "–"


main()
