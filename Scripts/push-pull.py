#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Moves a database to a server and back, and compares: `hearth push`, killed with SIGKILL in the middle and begun again, then
`hearth pull` into another file. The documents of both files must have the same hash, and every file must verify.

    push-pull.py [--hearth PROGRAM] [--documents N] [--server HOST:PORT] [--seed N] [--kills N]

Without --server it starts the official emulator, and says so and ends with 0 if that is absent. `hearth` needs the trait
Connected.
"""
import argparse
import glob
import hashlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time

PROJECT = "push-pull"


def emulator_script():
    places = ["/usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator", "/usr/share/google-cloud-sdk/platform/*"]
    try:
        listed = subprocess.run(
            ["dpkg", "-L", "google-cloud-cli-firestore-emulator"], capture_output=True, text=True, check=True
        ).stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):
        listed = []
    found = [path for path in listed if path.endswith("/cloud_firestore_emulator")]
    for place in places:
        found += glob.glob(place + "/cloud_firestore_emulator")
    return found[0] if found else None


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start_emulator():
    script = emulator_script()
    if script is None:
        return None, None
    port = free_port()
    process = subprocess.Popen(
        ["bash", script, "start", "--host=127.0.0.1", f"--port={port}"], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return process, f"127.0.0.1:{port}"
        except OSError:
            time.sleep(0.1)
    sys.exit("the emulator ended at its start")


def value(random_, depth=0):
    kind = random_.randrange(10 if depth < 2 else 8)
    match kind:
        case 0: return {"integerValue": str(random_.randrange(-2**63, 2**63))}
        case 1: return {"doubleValue": random_.uniform(-1e9, 1e9)}
        case 2: return {"stringValue": "é" * random_.randrange(20) + str(random_.random())}
        case 3: return {"booleanValue": random_.random() < 0.5}
        case 4: return {"nullValue": None}
        case 5: return {"timestampValue": f"2026-01-02T03:04:05.{random_.randrange(10**6):06}Z"}
        case 6: return {"referenceValue": f"a/d{random_.randrange(1000)}"}
        case 7: return {"geoPointValue": {"latitude": random_.uniform(-90, 90), "longitude": random_.uniform(-180, 180)}}
        case 8: return {"arrayValue": {"values": [value(random_, 2) for _ in range(random_.randrange(3))]}}
        case _: return {"mapValue": {"fields": {k: value(random_, depth + 1) for k in "xy"}}}


def write_documents(path, count, random_):
    with open(path, "w") as file:
        for number in range(count):
            name = f"{'ab'[number % 2]}/d{number}"
            if number % 5 == 0:
                name = f"missing/m{number % 97}/below/{random_.randrange(10**12)}-{number}"
            fields = {f"f{k}": value(random_) for k in range(random_.randrange(1, 6))}
            file.write(json.dumps({"name": name, "fields": fields}, ensure_ascii=False) + "\n")


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}: {done.stdout[-400:]}{done.stderr[-800:]}")
    return done.stdout


def digest(hearth, database):
    lines = hashlib.sha256()
    with subprocess.Popen([hearth, "export", database], stdout=subprocess.PIPE) as process:
        for piece in iter(lambda: process.stdout.read(1 << 20), b""):
            lines.update(piece)
    if process.returncode != 0:
        sys.exit(f"{database} cannot be exported")
    return lines.hexdigest()


def push(options, database, address, kills, random_):
    """Kills the push so many times, at any moment after the first second."""
    words = [options.hearth, "push", database, "--project", PROJECT, "--emulator", address]
    for _ in range(kills):
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            process.communicate(timeout=random_.uniform(0.5, options.interval))
            return f"{process.returncode} before it was killed"
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            if os.path.exists(database + ".before-push"):
                return "time, and killed while it was compared"
    start = time.time()
    print(run(*words), end="")
    return f"{time.time() - start:.1f} s after {kills} kills"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hearth", default=".build/debug/hearth")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--server")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--interval", type=float, default=5, help="at most so many seconds before each kill")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    random_ = random.Random(options.seed)
    process, address = (None, options.server) if options.server else start_emulator()
    if address is None:
        print("skipped: the official emulator is absent")
        return
    try:
        with tempfile.TemporaryDirectory() as folder:
            database, back, lines = (os.path.join(folder, name) for name in ["a.db", "b.db", "a.ndjson"])
            write_documents(lines, options.documents, random_)
            run(options.hearth, "import", database, lines)
            before = digest(options.hearth, database)
            print("pushed in", push(options, database, address, options.kills, random_), flush=True)
            start = time.time()
            print(run(options.hearth, "pull", back, "--project", PROJECT, "--emulator", address), end="")
            print(f"pulled in {time.time() - start:.1f} s", flush=True)
            for file in [database, database + ".before-push", back]:
                if digest(options.hearth, file) != before:
                    sys.exit(f"{os.path.basename(file)} has other documents than what was pushed")
                run(options.hearth, "verify", file)
            print(f"{options.documents} documents are the same at both ends: {before[:16]}")
    finally:
        if process is not None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


main()
