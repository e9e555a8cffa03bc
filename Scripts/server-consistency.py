#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many clients use a `hearth serve` that is killed with SIGKILL and started again, and what they saw must be consistent.

    server-consistency.py HEARTH [--clients N] [--rounds N] [--commits N] [--seed N]

Each round, the clients move money between accounts in transactions, add to a register by its update time, and read all
accounts in read-only transactions, until so many commits are acknowledged; then the server is killed. Each commit also
creates a document that says what it did. After each restart:

- every acknowledged commit's document is there: nothing is lost;
- each balance, and the register, is what the documents say: no update is lost, and each commit is there whole or not at all.

While the server runs, all accounts together always hold the same sum, in each read-only transaction: no dirty and no skewed
read; and no client reads a register below what it has seen before.
"""
import argparse
import http.client
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

DATABASE = "projects/consistency/databases/(default)"
ROOT = f"{DATABASE}/documents"
ACCOUNTS = 10
BALANCE = 1000


class Gone(Exception):
    """The server was killed, or the answer did not arrive."""


class Client:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def post(self, method, body):
        try:
            self.connection.request("POST", f"/v1/{ROOT}:{method}", json.dumps(body))
            response = self.connection.getresponse()
            text = response.read()
        except (http.client.HTTPException, OSError) as error:
            raise Gone from error
        return response.status, json.loads(text)

    def get(self, paths, **options):
        status, parts = self.post("batchGet", {"documents": [f"{ROOT}/{path}" for path in paths], **options})
        if status != 200:
            return None
        return {part["found"]["name"].split("/documents/")[1]: part["found"] for part in parts if "found" in part}

    def all(self, collection):
        status, parts = self.post("runQuery", {"structuredQuery": {"from": [{"collectionId": collection}]}})
        assert status == 200, parts
        return {part["document"]["name"].split("/documents/")[1]: part["document"]["fields"]
                for part in parts if "document" in part}


def integer(document, field):
    return int(document["fields"][field]["integerValue"])


def number(value):
    return {"integerValue": str(value)}


def write(path, fields, **options):
    return {"update": {"name": f"{ROOT}/{path}", "fields": fields}, **options}


class Round:
    """The work of all clients until the server is killed."""

    def __init__(self, port, name, clients, commits, seed):
        self.port, self.name, self.commits, self.seed = port, name, commits, seed
        self.lock = threading.Lock()
        self.enough = threading.Event()
        self.acknowledged = set()
        self.findings = []
        self.aborted = self.snapshots = 0
        self.threads = [threading.Thread(target=self.work, args=(index,)) for index in range(clients)]
        for thread in self.threads:
            thread.start()

    def acknowledge(self, path):
        with self.lock:
            self.acknowledged.add(path)
            if len(self.acknowledged) >= self.commits:
                self.enough.set()

    def find(self, text):
        with self.lock:
            self.findings.append(text)
        self.enough.set()

    def work(self, index):
        choices = random.Random(self.seed * 1000 + index)
        client = Client(self.port)
        self_seen = [0]
        try:
            for step in range(1_000_000):
                path = f"done/{self.name}-{index}-{step}"
                kind = choices.random()
                if kind < 0.5:
                    self.transfer(client, choices, path)
                elif kind < 0.8:
                    self.add(client, path, self_seen)
                else:
                    self.audit(client)
        except Gone:
            pass
        except Exception as error:
            self.find(f"client {index}: {error!r}")

    def transfer(self, client, choices, path):
        source, target = choices.sample(range(ACCOUNTS), 2)
        amount = choices.randrange(1, 20)
        former = None
        while not self.enough.is_set() or former is None:
            mode = {"retryTransaction": former} if former else {}
            status, begun = client.post("beginTransaction", {"options": {"readWrite": mode}})
            if status != 200:
                return self.find(f"beginTransaction: {begun}")
            transaction = begun["transaction"]
            former = former or transaction
            names = [f"accounts/{source}", f"accounts/{target}"]
            found = client.get(names, transaction=transaction)
            balances = [integer(found[name], "balance") for name in names]
            writes = [write(names[0], {"balance": number(balances[0] - amount)}),
                      write(names[1], {"balance": number(balances[1] + amount)}),
                      write(path, {"from": number(source), "to": number(target), "amount": number(amount)},
                            currentDocument={"exists": False})]
            status, result = client.post("commit", {"writes": writes, "transaction": transaction})
            if status == 200:
                return self.acknowledge(path)
            if result["error"]["status"] != "ABORTED":
                return self.find(f"transfer: {result}")
            with self.lock:
                self.aborted += 1

    def add(self, client, path, seen):
        register = client.get(["register/r"])["register/r"]
        value = integer(register, "value")
        if value < seen[0]:
            self.find(f"the register was {seen[0]} and is {value}")
        status, result = client.post("commit", {"writes": [
            write("register/r", {"value": number(value + 1)}, currentDocument={"updateTime": register["updateTime"]}),
            write(path, {"value": number(value + 1)}, currentDocument={"exists": False})]})
        if status == 200:
            seen[0] = value + 1
            return self.acknowledge(path)
        seen[0] = value
        if result["error"]["status"] not in ("FAILED_PRECONDITION", "ABORTED"):
            self.find(f"register: {result}")

    def audit(self, client):
        status, begun = client.post("beginTransaction", {"options": {"readOnly": {}}})
        if status != 200:
            return self.find(f"beginTransaction: {begun}")
        names = [f"accounts/{index}" for index in range(ACCOUNTS)]
        # Two requests, between which others write.
        found = client.get(names[:ACCOUNTS // 2], transaction=begun["transaction"])
        found |= client.get(names[ACCOUNTS // 2:], transaction=begun["transaction"])
        total = sum(integer(account, "balance") for account in found.values())
        if total != ACCOUNTS * BALANCE:
            self.find(f"a read-only transaction saw a sum of {total}")
        client.post("commit", {"writes": [], "transaction": begun["transaction"]})
        with self.lock:
            self.snapshots += 1


def start(program, folder):
    process = subprocess.Popen([program, "serve", "--host", "127.0.0.1", "--port", "0", "--data", folder + "/data"],
                               cwd=folder, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if "now running at" in line:
            return process, int(line.rsplit(":", 1)[1])
    process.wait()
    sys.exit("the server did not start")


def check(client, acknowledged):
    """What is wrong with the state after a restart."""
    done = client.all("done")
    findings = [f"{path} was acknowledged and is lost" for path in sorted(acknowledged - set(done))[:5]]
    balances = [BALANCE] * ACCOUNTS
    register = 0
    for fields in done.values():
        if "amount" in fields:
            amount = int(fields["amount"]["integerValue"])
            balances[int(fields["from"]["integerValue"])] -= amount
            balances[int(fields["to"]["integerValue"])] += amount
        else:
            register += 1
    found = client.get([f"accounts/{index}" for index in range(ACCOUNTS)] + ["register/r"])
    for index in range(ACCOUNTS):
        balance = integer(found[f"accounts/{index}"], "balance")
        if balance != balances[index]:
            findings.append(f"account {index} has {balance}, and by its commits {balances[index]}")
    if integer(found["register/r"], "value") != register:
        findings.append(f"the register is {integer(found['register/r'], 'value')} after {register} commits")
    return findings, len(done)


def rounds(arguments, folder):
    """What was found, and the counts to print."""
    choices = random.Random(arguments.seed)
    acknowledged = set()
    findings = []
    aborted = snapshots = found = 0
    process, port = start(arguments.program, folder)
    try:
        client = Client(port)
        client.post("commit", {"writes": [write("register/r", {"value": number(0)})] + [
            write(f"accounts/{index}", {"balance": number(BALANCE)}) for index in range(ACCOUNTS)]})
        for number_of_round in range(arguments.rounds):
            commits = choices.randrange(1, arguments.commits * 2)
            work = Round(port, number_of_round, arguments.clients, commits, choices.randrange(1 << 20))
            work.enough.wait()
            process.send_signal(signal.SIGKILL)
            process.wait()
            for thread in work.threads:
                thread.join()
            acknowledged |= work.acknowledged
            aborted += work.aborted
            snapshots += work.snapshots
            process, port = start(arguments.program, folder)
            problems, found = check(Client(port), acknowledged)
            findings += work.findings + problems
            if findings:
                break
    finally:
        process.kill()
        process.wait()
    counts = (f"{len(acknowledged)} acknowledged commits, {found} found, {aborted} aborted attempts, "
              f"{snapshots} read-only transactions")
    return findings, counts


def executable(name):
    """The path of a program, as a shell finds it. The server has another working folder."""
    found = shutil.which(name)
    if found is None:
        raise argparse.ArgumentTypeError(f"there is no program {name}")
    return os.path.abspath(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=executable)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--commits", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}; repeat with --seed {arguments.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="server-consistency-") as folder:
        findings, counts = rounds(arguments, folder)
    print(f"{arguments.rounds} kills under {arguments.clients} clients: {counts}, {len(findings)} findings")
    for finding in findings:
        print("   ", finding)
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
