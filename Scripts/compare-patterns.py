#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Matches random texts against random regular expressions, by rules' `matches()` in `hearth rules test` and by RE2 (`google-re2` of
PyPI, whose dialect is RE2/J's but for groups of one name, which RE2/J refuses), and compares: matches, does not, is no pattern.
Prints the seed, and the first ten differences shrunk. Ends with 1 if there is one.

    compare-patterns.py [--program HEARTH] [--cases N] [--seed N]
"""
import argparse
import json
import random
import subprocess
import sys
import tempfile

import re2

ATOMS = [
    "a", "b", "k", "ß", "é", "😀", "0", "-", " ", ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\pL", "\\PN", "\\p{Greek}",
    "\\P{Lu}", "\\p{^Nd}", "[ab]", "[^ab]", "[a-c]", "[^\\d]", "[[:alpha:]]", "[[:^space:]]", "[\\pL-]", "[]a]", "[^k]", "\\x41",
    "\\x{1F600}", "\\101", "\\n", "\\t", "\\Qa.b\\E", "^", "$", "\\b", "\\B", "\\A", "\\z", "(?i)", "(?s)", "(?m)", "(?U)", "(?-i)",
]
REPEATS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,3}?", "{2,}", "{,2}"]
GROUPS = ["({})", "(?:{})", "(?P<n{1}>{0})", "(?i:{})", "(?s-i:{})", "(?m:{})"]
LETTERS = "aAbBkK\u212aßẞéÉσςΣ0٣-_. \n\t😀"


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.groups = 0

    def pattern(self, depth=3):
        parts = []
        for _ in range(self.random.randint(0, 4)):
            if depth and self.random.random() < 0.3:
                self.groups += 1
                number = self.groups
                part = self.random.choice(GROUPS).format(self.pattern(depth - 1), number)
            else:
                part = self.random.choice(ATOMS)
            if self.random.random() < 0.35:
                part += self.random.choice(REPEATS)
            parts.append(part)
        if depth and self.random.random() < 0.2:
            parts.append("|" + self.pattern(depth - 1))
        text = "".join(parts)
        # Most of what is damaged is no pattern.
        if depth == 3 and text and self.random.random() < 0.2:
            place = self.random.randrange(len(text))
            text = text[:place] + self.random.choice(["", "(", ")", "[", "\\", "*", "{", "|", "]"]) + text[place + 1:]
        return text

    def text(self):
        return "".join(self.random.choice(LETTERS) for _ in range(self.random.randint(0, 5)))


OPTIONS = re2.Options()
OPTIONS.log_errors = False


def by_re2(pattern, text):
    try:
        return "true" if re2.compile(pattern, OPTIONS).fullmatch(text) else "false"
    except re2.error:
        return "no pattern"


def quoted(text):
    escapes = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t"}
    return "'" + "".join(escapes.get(letter, letter) for letter in text) + "'"


def by_hearth(program, cases):
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as file:
        for number, (pattern, text) in enumerate(cases):
            expression = f"{quoted(text)}.matches([{quoted(pattern)}][0])"
            request = {"method": "get", "path": "c/d", "auth": None}
            line = {"id": str(number), "expr": expression, "documents": {"c/d": {}}, "request": request}
            file.write(json.dumps(line) + "\n")
        file.flush()
        output = subprocess.run(
            [program, "rules", "test", "--cases", file.name, "--format", "json"], capture_output=True, text=True)
    answers = [json.loads(line) for line in output.stdout.splitlines() if line.startswith('{"')]
    if len(answers) != len(cases):
        sys.exit(f"hearth answered {len(answers)} of {len(cases)} cases: {output.stderr}{output.stdout[:500]}")
    return [verdict(answer) for answer in answers]


def verdict(answer):
    if "Invalid regular expression" in answer["message"]:
        return "no pattern"
    return "true" if answer["allow"] else "false"


def shrink(program, pattern, text):
    """A shorter case of the same kind to be had by leaving letters out."""
    while True:
        smaller = [(pattern[:i] + pattern[i + 1:], text) for i in range(len(pattern))]
        smaller += [(pattern, text[:i] + text[i + 1:]) for i in range(len(text))]
        if not smaller:
            return pattern, text
        answers = by_hearth(program, smaller)
        found = next((case for case, answer in zip(smaller, answers) if answer != by_re2(*case)), None)
        if not found:
            return pattern, text
        pattern, text = found


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--program", default=".build/release/hearth")
    arguments.add_argument("--cases", type=int, default=20_000)
    arguments.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    options = arguments.parse_args()
    print(f"seed {options.seed}")
    maker = Maker(options.seed)
    counts = {"true": 0, "false": 0, "no pattern": 0}
    count = 0
    different = set()
    for start in range(0, options.cases, 2_000):
        cases = [(maker.pattern(), maker.text()) for _ in range(min(2_000, options.cases - start))]
        for case, answer in zip(cases, by_hearth(options.program, cases)):
            expected = by_re2(*case)
            counts[expected] += 1
            if answer != expected:
                count += 1
                if count <= 10:
                    different.add(shrink(options.program, *case))
    for pattern, text in different:
        answer = by_hearth(options.program, [(pattern, text)])[0]
        print(f"{pattern!r} on {text!r}: hearth {answer}, RE2 {by_re2(pattern, text)}")
    print(f"{options.cases} cases, of which RE2 says " + ", ".join(f"{name}: {count}" for name, count in counts.items()))
    print(f"{count} differences")
    sys.exit(1 if count else 0)


main()
