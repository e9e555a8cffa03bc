#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets clients with interleaved transactions ask two servers, `hearth serve` and the official emulator, over gRPC. Prints the
seed, and each schedule whose outcomes differ.

    compare-transactions.py HEARTH_HOST:PORT EMULATOR_HOST:PORT [--schedules N] [--seed N]

The emulator locks what a transaction reads and lets others wait; Hearth lets nobody wait and aborts a commit whose reads are
stale. So the outcomes are compared by class:
- in Hearth, all that was read and committed is what one client after another would have read and committed;
- where nobody had to wait in the emulator, the calls come to the same, but where a document was written between two reads of a
  transaction: Hearth reads all of them at the time of the first.
Needs Python's google-cloud-firestore.
"""
import argparse
import itertools
import json
import random
import sys

import grpc_peer
from google.protobuf import json_format

DATABASE = "projects/compare-{}/databases/(default)"
IDS = ["a", "b", "c", "d"]
# Long enough for a call that waits for no lock.
PATIENCE = 1.5


class Client:
    """A server, with a database of its own for each schedule."""

    def __init__(self, address, run):
        self.peer = grpc_peer.GRPCPeer(address)
        self.database = DATABASE.format(run)

    def call(self, method, fields, streams=False):
        request = json_format.ParseDict(fields, grpc_peer.pb(method + "Request")())
        if method == "Rollback":
            response = grpc_peer.empty_pb2.Empty
        else:
            response = grpc_peer.pb(method + "Response")
        status, answer = self.peer.call(method, request, response, streams, PATIENCE)
        return answer if status == 200 else answer["error"]["status"]

    def name(self, document):
        return f"{self.database}/documents/t/{document}"

    def begin(self):
        return self.call("BeginTransaction", {"database": self.database})["transaction"]

    def read(self, step, transaction):
        own = {"transaction": transaction} if transaction else {}
        if step[0] == "get":
            answer = self.call(
                "BatchGetDocuments", own | {"database": self.database, "documents": [self.name(d) for d in step[1]]}, True)
        else:
            query = {"from": [{"collectionId": "t"}], "where": {"fieldFilter": {
                "field": {"fieldPath": "n"}, "op": "GREATER_THAN_OR_EQUAL", "value": {"integerValue": str(step[1])}}}}
            answer = self.call("RunQuery", own | {"parent": f"{self.database}/documents", "structuredQuery": query}, True)
        if isinstance(answer, str):
            return answer
        found = [part.get("found") or part.get("document") for part in answer]
        return sorted((d["name"].rsplit("/", 1)[1], d["fields"]["n"]["integerValue"]) for d in found if d)

    def commit(self, writes, transaction=None):
        made = [{"delete": self.name(d)} if n is None else
                {"update": {"name": self.name(d), "fields": {"n": {"integerValue": str(n)}}}} for d, n in writes]
        own = {"transaction": transaction} if transaction else {}
        answer = self.call("Commit", own | {"database": self.database, "writes": made})
        return answer if isinstance(answer, str) else "OK"

    def state(self):
        return self.read(("query", -100), None)


def schedule(seed):
    """Steps of two or three clients: (client, step). What a client writes does not depend on what it reads."""
    source = random.Random(seed)
    clients = []
    for number in range(source.choice([2, 2, 3])):
        steps = []
        if source.random() < 0.8:
            steps.append(("begin",))
            for _ in range(source.randrange(1, 4)):
                if source.random() < 0.6:
                    steps.append(("get", source.sample(IDS, source.randrange(1, 3))))
                else:
                    steps.append(("query", source.randrange(0, 9)))
        writes = [(d, source.choice([None, 0, 3, 6, 9])) for d in source.sample(IDS, source.randrange(0, 3))]
        rolls_back = steps and source.random() < 0.1
        steps.append(("rollback",) if rolls_back else ("commit", writes))
        clients.append([(number, step) for step in steps])
    merged = []
    while any(clients):
        merged.append(source.choice([c for c in clients if c]).pop(0))
    return merged


def play(client, steps):
    """What each step came to, and the documents at the end. A step after a refusal of its client is left out."""
    client.commit([(d, n) for d, n in zip(IDS, [1, 4, 7])])
    transactions, refused, outcomes = {}, set(), []
    for number, step in steps:
        if number in refused:
            outcomes.append("-")
            continue
        if step[0] == "begin":
            transactions[number] = client.begin()
            outcome = "OK"
        elif step[0] == "rollback":
            answer = client.call("Rollback", {"database": client.database, "transaction": transactions[number]})
            outcome = answer if isinstance(answer, str) else "OK"
        elif step[0] == "commit":
            outcome = client.commit(step[1], transactions.get(number))
        else:
            outcome = client.read(step, transactions.get(number))
        if isinstance(outcome, str) and outcome != "OK":
            refused.add(number)
        outcomes.append(outcome)
    return outcomes, client.state()


def conflicts(outcomes):
    return any(isinstance(o, str) and o not in ("OK", "-") for o in outcomes)


def is_serial(steps, outcomes, state):
    """Whether some order of the clients that were not refused gives these reads and this state."""
    clients = {number for number, _ in steps}
    done = [n for n in clients if not any(
        n == number and isinstance(o, str) and o != "OK" for (number, _), o in zip(steps, outcomes))]
    for order in itertools.permutations(done):
        documents = dict(zip(IDS, [1, 4, 7]))
        if all(serially(steps, outcomes, documents, n) for n in order) and state == listed(documents):
            return True
    return False


def writes_between_reads(steps):
    """Whether a client writes while a transaction of another is between its first read and its last."""
    open_readers = set()
    for place, (number, step) in enumerate(steps):
        if step[0] in ("get", "query"):
            open_readers.add(number)
        if step[0] == "commit" and step[1]:
            later = {n for n, s in steps[place:] if s[0] in ("get", "query")}
            if (open_readers & later) - {number}:
                return True
    return False


def listed(documents):
    return sorted((d, str(n)) for d, n in documents.items() if n is not None)


def serially(steps, outcomes, documents, client):
    for (number, step), outcome in zip(steps, outcomes):
        if number != client:
            continue
        if step[0] == "get" and outcome != [p for p in listed(documents) if p[0] in step[1]]:
            return False
        if step[0] == "query" and outcome != [p for p in listed(documents) if int(p[1]) >= step[1]]:
            return False
        if step[0] == "commit":
            documents.update(step[1])
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hearth")
    parser.add_argument("emulator")
    parser.add_argument("--schedules", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}; repeat with --seed {arguments.seed}")
    tally, failures = {}, 0
    for seed in range(arguments.seed, arguments.seed + arguments.schedules):
        steps = schedule(seed)
        run = f"{seed}-{random.randrange(1 << 30)}"
        (hearth, after), (emulator, emulator_after) = (
            play(Client(address, run), steps) for address in (arguments.hearth, arguments.emulator))
        fails = not is_serial(steps, hearth, after)
        if conflicts(emulator):
            kind = "conflict in both" if conflicts(hearth) else "conflict in the emulator alone"
        elif (hearth, after) == (emulator, emulator_after):
            kind = "alike"
        else:
            kind = "written between two reads"
            fails = fails or not writes_between_reads(steps)
        if fails:
            failures += 1
            print(f"seed {seed}: Hearth {json.dumps(hearth)} {after}\n    emulator {json.dumps(emulator)} {emulator_after}")
            for step in steps:
                print("   ", step)
        tally[kind] = tally.get(kind, 0) + (not fails)
    print(f"{arguments.schedules} schedules, {failures} differences: {tally}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
