#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many listeners of a `hearth serve` that is killed, wiped and set back under random writes, and what each shows must be true.

    listen-convergence.py HEARTH [--listeners N] [--rounds N] [--seconds N] [--seed N]

Each listener is a gRPC stream with one to three targets: a collection, a filter, the first few by an order, named documents.
Some read slowly, and some drop their stream now and then and resume with the last token. Every commit writes one number to two
documents. A round ends with SIGKILL, a wipe or a return to a snapshot; after the restart all streams resume.

- At each boundary a listener of the whole collection holds both documents of each pair with one number: no commit is split.
- At some boundaries, chosen at random, every view of a stream is what a read at the boundary's time gives.
- When the writes of a round have ended, every view becomes what a read gives.

Needs google-cloud-firestore; the most memory that the server took is printed.
"""
import argparse
import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request

import grpc
from google.cloud.firestore_v1.types import document, firestore, query
from google.protobuf import json_format

DATABASE = "projects/convergence/databases/(default)"
ROOT = f"{DATABASE}/documents"
PAIRS = 20
OWNER = [("authorization", "Bearer owner")]


def pb(kind):
    return kind.pb()


def name(path):
    return f"{ROOT}/{path}"


def ordered(field, **more):
    return {"from": [{"collectionId": "pairs"}], "orderBy": [{"field": {"fieldPath": field}, "direction": "ASCENDING"}], **more}


def kinds(choices):
    """What a target can listen to, as JSON of its query or of its documents."""
    key = choices.randrange(5)
    return choices.choice([
        {"from": [{"collectionId": "pairs"}]},
        {"from": [{"collectionId": "pairs"}],
         "where": {"fieldFilter": {"field": {"fieldPath": "k"}, "op": "EQUAL", "value": {"integerValue": str(key)}}}},
        ordered("n", limit=5 + key),
        ordered("n", where={"fieldFilter": {"field": {"fieldPath": "n"}, "op": "GREATER_THAN", "value": {"integerValue": "300"}}},
                limit=7),
        [name(f"pairs/a{choices.randrange(PAIRS)}") for _ in range(3)],
    ])


class Peer:
    """The calls of the server's API."""

    def __init__(self, port):
        self.channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}", [
            ("grpc.max_receive_message_length", -1), ("grpc.use_local_subchannel_pool", 1)])

    def stub(self, method, request, response, kind):
        return getattr(self.channel, kind)(
            f"/google.firestore.v1.Firestore/{method}", request_serializer=pb(request).SerializeToString,
            response_deserializer=pb(response).FromString)

    async def commit(self, writes):
        request = json_format.ParseDict({"database": DATABASE, "writes": writes}, pb(firestore.CommitRequest)())
        stub = self.stub("Commit", firestore.CommitRequest, firestore.CommitResponse, "unary_unary")
        return await stub(request, metadata=OWNER, timeout=60)

    async def read(self, kind, time):
        """The number of each document that a target shows at a time."""
        if isinstance(kind, list):
            request = pb(firestore.BatchGetDocumentsRequest)(database=DATABASE, documents=set(kind))
            response, call = firestore.BatchGetDocumentsResponse, "BatchGetDocuments"
        else:
            request = json_format.ParseDict({"parent": ROOT, "structuredQuery": kind}, pb(firestore.RunQueryRequest)())
            response, call = firestore.RunQueryResponse, "RunQuery"
        if time is not None:
            request.read_time.CopyFrom(time)
        request_type = firestore.BatchGetDocumentsRequest if isinstance(kind, list) else firestore.RunQueryRequest
        found = {}
        async for part in self.stub(call, request_type, response, "unary_stream")(request, metadata=OWNER, timeout=60):
            one = part.found if isinstance(kind, list) else part.document
            if one.name:
                found[one.name] = number(one)
        return found


def number(one):
    return one.fields["n"].integer_value


class Target:
    def __init__(self, identifier, kind):
        self.identifier, self.kind = identifier, kind
        # What was shown at the last boundary, with its token, and what has arrived since.
        self.view, self.token, self.arrived = {}, b"", {}
        # Until the server has acknowledged the target, boundaries say nothing of it.
        self.added = self.current = False


class Listener:
    def __init__(self, run, index):
        self.run, self.choices = run, random.Random(run.seed * 1000 + index)
        self.targets = {place + 1: Target(place + 1, kinds(self.choices)) for place in range(self.choices.randrange(1, 4))}
        self.is_slow, self.vanishes = self.choices.random() < 0.1, self.choices.random() < 0.3
        self.time, self.boundaries = None, 0
        self.call = None

    async def work(self):
        while not self.run.is_over:
            try:
                await self.listen()
            except grpc.aio.AioRpcError as error:
                # The client says INTERNAL by itself if its connection ends while it begins a call.
                is_own = error.details() == "Internal error from Core"
                if not is_own and error.code() not in (
                        grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.UNKNOWN):
                    self.run.find(f"a stream ended with {error.code().name}: {error.details()}")
            await asyncio.sleep(0.05)

    async def listen(self):
        self.time = None
        peer = Peer(self.run.port)
        stub = peer.stub("Listen", firestore.ListenRequest, firestore.ListenResponse, "stream_stream")
        self.call = stub(metadata=OWNER + [("google-cloud-resource-prefix", DATABASE)])
        try:
            for target in self.targets.values():
                target.added = target.current = False
                target.arrived = dict(target.view)
                add = pb(firestore.Target)(target_id=target.identifier)
                if isinstance(target.kind, list):
                    add.documents.documents.extend(sorted(set(target.kind)))
                else:
                    json_format.ParseDict({"parent": ROOT, "structuredQuery": target.kind}, add.query)
                if target.token:
                    add.resume_token = target.token
                await self.call.write(pb(firestore.ListenRequest)(database=DATABASE, add_target=add))
            async for message in self.call:
                await self.take(peer, message)
                if self.is_slow:
                    await asyncio.sleep(0.02)
                if self.vanishes and self.choices.random() < 0.002:
                    self.run.vanished += 1
                    return
        finally:
            self.call.cancel()
            await peer.channel.close()

    async def take(self, peer, message):
        kind = message.WhichOneof("response_type")
        if kind == "document_change":
            one = message.document_change
            for place in one.target_ids:
                self.targets[place].arrived[one.document.name] = number(one.document)
            for place in one.removed_target_ids:
                self.targets[place].arrived.pop(one.document.name, None)
        elif kind in ("document_delete", "document_remove"):
            one = getattr(message, kind)
            for place in one.removed_target_ids:
                self.targets[place].arrived.pop(one.document, None)
        elif kind == "target_change":
            await self.turn(peer, message.target_change)
        else:
            self.run.find(f"a message of the kind {kind}")

    async def turn(self, peer, change):
        targets = [self.targets[place] for place in change.target_ids] or [one for one in self.targets.values() if one.added]
        state = change.TargetChangeType.Name(change.target_change_type)
        if state == "REMOVE":
            return self.run.find(f"a target was removed: {change.cause.code} {change.cause.message}")
        for target in targets:
            if state == "RESET":
                target.arrived, target.current = {}, False
                self.run.resets += 1
            if state == "ADD":
                target.added = True
            if state == "CURRENT":
                target.current = True
        if state == "NO_CHANGE" and not change.target_ids and change.HasField("read_time"):
            for target in targets:
                target.view, target.token = dict(target.arrived), change.resume_token
            await self.boundary(peer, change.read_time)

    async def boundary(self, peer, time):
        self.boundaries += 1
        self.run.boundaries += 1
        current = [target for target in self.targets.values() if target.current]
        views = [(target, dict(target.view)) for target in current]
        for target, view in views:
            if target.kind == {"from": [{"collectionId": "pairs"}]}:
                split = [place for place in range(PAIRS) if view.get(name(f"pairs/a{place}")) != view.get(name(f"pairs/b{place}"))]
                if split:
                    self.run.find(f"a boundary shows half of a commit: pair {split[0]}")
        if self.choices.random() < 0.01:
            for target, view in views:
                since = self.run.past_since
                try:
                    truth = await peer.read(target.kind, time)
                except grpc.aio.AioRpcError as error:
                    if error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.FAILED_PRECONDITION,
                                            grpc.StatusCode.INVALID_ARGUMENT):
                        raise
                else:
                    # A wipe or a return to a snapshot changes what was at earlier times.
                    if since == self.run.past_since and since <= (time.seconds, time.nanos):
                        await self.compare(target, view, truth)
                        self.run.compared += 1
        self.time = (time.seconds, time.nanos) if len(current) == len(self.targets) else None

    async def compare(self, target, view, truth):
        if view != truth:
            wrong = sorted(key.rsplit("/", 1)[1] for key in view.keys() | truth.keys() if view.get(key) != truth.get(key))
            shown = {key: (view.get(name(f"pairs/{key}")), truth.get(name(f"pairs/{key}"))) for key in wrong[:5]}
            self.run.find(f"a view differs (shown, read): {shown} of {len(truth)}: {target.kind}")


class Run:
    def __init__(self, arguments):
        self.program, self.seed = os.path.abspath(arguments.program), arguments.seed
        self.folder = tempfile.mkdtemp(prefix="listen-convergence-")
        self.process = self.port = None
        self.is_over, self.findings = False, []
        self.boundaries = self.compared = self.resets = self.vanished = self.commits = 0
        self.memory = 0
        # The first commit after the last wipe or return to a snapshot.
        self.past_since = (0, 0)

    def find(self, text):
        if len(self.findings) < 20:
            self.findings.append(text)
            print("finding:", text, file=sys.stderr)

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "serve", "--host", "127.0.0.1", "--port", str(self.port or 0), "--data", self.folder + "/data"],
            cwd=self.folder, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if "now running at" in line:
                self.port = int(line.rsplit(":", 1)[1])
                return
        self.process.wait()
        sys.exit("the server did not start")

    def end(self):
        """Also after a failure, when the server may have ended."""
        if self.process and self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder)

    def kill(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            self.memory = max(self.memory, *(int(line.split()[1]) for line in status if line.startswith("VmHWM")))
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    async def change_past(self, method, path, body=b""):
        self.past_since = (sys.maxsize, 0)
        await asyncio.to_thread(self.route, method, path, body)
        peer = Peer(self.port)
        first = await peer.commit([{"delete": name("other/none")}])
        self.past_since = (first.commit_time.seconds, first.commit_time.nanos)
        await peer.channel.close()

    def route(self, method, path, body=b""):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/emulator/v1/{DATABASE}{path}", body, method=method)
        return urllib.request.urlopen(request).read()

    async def write(self, choices, seconds):
        peer = Peer(self.port)
        end = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < end:
            pair = choices.randrange(PAIRS)
            names = [name(f"pairs/{side}{pair}") for side in "ab"]
            if choices.random() < 0.2:
                writes = [{"delete": one} for one in names]
            else:
                fields = {"n": {"integerValue": str(choices.randrange(1000))}, "k": {"integerValue": str(choices.randrange(5))}}
                writes = [{"update": {"name": one, "fields": fields}} for one in names]
            await peer.commit(writes)
            self.commits += 1
            await asyncio.sleep(0.01)
        await peer.channel.close()

    async def settle(self, listeners):
        """Waits until each listener has seen a commit that follows all others, and compares."""
        peer = Peer(self.port)
        last = await peer.commit([{"update": {"name": name(f"pairs/{side}0"), "fields": {
            "n": {"integerValue": "999"}, "k": {"integerValue": "4"}}}} for side in "ab"])
        truths = {}
        for listener in listeners:
            for target in listener.targets.values():
                key = str(target.kind)
                if key not in truths:
                    truths[key] = await peer.read(target.kind, None)
        wanted = (last.commit_time.seconds, last.commit_time.nanos)
        for listener in listeners:
            for _ in range(1200):
                views = all(target.view == truths[str(target.kind)] for target in listener.targets.values())
                if views and all(target.current for target in listener.targets.values()):
                    break
                await asyncio.sleep(0.1)
            else:
                self.find(f"a listener did not converge within two minutes (at {listener.time}, wanted {wanted})")
                for target in listener.targets.values():
                    await listener.compare(target, target.view, truths[str(target.kind)])
        await peer.channel.close()


async def rounds(run, arguments):
    """Runs the listeners, and counts what was done to the server."""
    choices = random.Random(run.seed)
    run.start()
    listeners = [Listener(run, index) for index in range(arguments.listeners)]
    tasks = [asyncio.create_task(listener.work()) for listener in listeners]
    faults = {"kill": 0, "wipe": 0, "snapshot": 0}
    for number_of_round in range(arguments.rounds):
        await run.write(choices, arguments.seconds / 2)
        fault = list(faults)[number_of_round % 3]
        faults[fault] += 1
        if fault == "kill":
            run.kill()
            run.start()
        elif fault == "wipe":
            await run.change_past("DELETE", "/documents")
        else:
            snapshot = await asyncio.to_thread(run.route, "POST", ":snapshot", b"{}")
            await run.write(choices, arguments.seconds / 4)
            await run.change_past("POST", ":restore", snapshot)
        await run.write(choices, arguments.seconds / 2)
        await run.settle(listeners)
        if run.findings:
            break
    run.is_over = True
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return faults


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--listeners", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    run = Run(arguments)
    try:
        faults = await rounds(run, arguments)
    finally:
        run.end()
    print(f"{arguments.listeners} listeners, {run.commits} commits, {run.boundaries} boundaries, {run.compared} views compared with a read "
          f"at their time, {run.resets} resets, {run.vanished} streams dropped by clients, faults {faults}, "
          f"{run.memory // 1024} MB at most: {len(run.findings)} findings")
    sys.exit(1 if run.findings else 0)


asyncio.run(main())
