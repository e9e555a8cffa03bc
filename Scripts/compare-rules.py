#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sets the same random rules and documents at two servers, `hearth serve --mode permissive` and the official emulator, sends both
the same random requests over REST as users with unsigned tokens, and compares status, message and what is stored afterwards.
Prints the seed; each difference is printed with its rules and request.

    compare-rules.py HEARTH_HOST:PORT EMULATOR_HOST:PORT [--rounds N] [--requests N] [--seed N]
"""
import argparse
import base64
import collections
import http.client
import json
import random

PROJECT = "compare-rules"
DATABASE = f"projects/{PROJECT}/databases/(default)"
ROOT = f"{DATABASE}/documents"
COLLECTIONS = ["a", "b"]
IDS = ["1", "2", "3"]
USERS = ["alice", "bob"]
FIELDS = ["owner", "n", "m.x", "open", "list"]


class Peer:
    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.connection = http.client.HTTPConnection(host, int(port), timeout=60)

    def send(self, method, path, body=None, token="Bearer owner"):
        headers = {"Authorization": token} if token else {}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        text = self.connection.getresponse().read().decode()
        try:
            return json.loads(text)
        except ValueError:
            return text


def token(claims):
    if claims is None:
        return None
    encode = lambda part: base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()
    return f"Bearer {encode({'alg': 'none'})}.{encode(claims)}."


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, share):
        return self.random.random() < share

    # Documents and requests

    def path(self):
        path = f"{self.pick(COLLECTIONS)}/{self.pick(IDS)}"
        return f"{path}/{self.pick(COLLECTIONS)}/{self.pick(IDS)}" if self.chance(0.15) else path

    def value(self, field):
        if self.chance(0.1):
            return {"nullValue": None}
        if field == "owner":
            return {"stringValue": self.pick(USERS)}
        if field == "open":
            return {"booleanValue": self.chance(0.5)}
        if field == "list":
            return {"arrayValue": {"values": [{"stringValue": self.pick(USERS)} for _ in range(self.random.randrange(3))]}}
        if self.chance(0.2):
            return {"doubleValue": self.random.randrange(8) / 2}
        return {"integerValue": str(self.random.randrange(4))}

    def fields(self):
        fields = {}
        for field in FIELDS:
            if self.chance(0.5):
                if field == "m.x":
                    fields["m"] = {"mapValue": {"fields": {"x": self.value(field)}}}
                else:
                    fields[field] = self.value(field)
        return fields

    def documents(self):
        return {self.path(): self.fields() for _ in range(6)}

    def filter(self):
        field = self.pick(FIELDS)
        name = {"fieldPath": field}
        if field == "list":
            return {"fieldFilter": {"field": name, "op": "ARRAY_CONTAINS", "value": {"stringValue": self.pick(USERS)}}}
        operator = self.pick(["EQUAL", "EQUAL", "EQUAL", "NOT_EQUAL", "GREATER_THAN", "LESS_THAN_OR_EQUAL", "IN"])
        value = self.value(field)
        if operator == "IN":
            value = {"arrayValue": {"values": [self.value(field), self.value(field)]}}
        elif "nullValue" in value or "booleanValue" in value:
            operator = "EQUAL"
        return {"fieldFilter": {"field": name, "op": operator, "value": value}}

    def where(self, depth=0):
        if depth < 2 and self.chance(0.35):
            filters = [self.where(depth + 1) for _ in range(2)]
            # Production refuses two of them in one disjunct.
            if json.dumps(filters).count("ARRAY_CONTAINS") < 2:
                return {"compositeFilter": {"op": self.pick(["AND", "OR"]), "filters": filters}}
        return self.filter()

    def query(self):
        query = {"from": [{"collectionId": self.pick(COLLECTIONS)}]}
        if self.chance(0.2):
            query["from"][0]["allDescendants"] = True
        if self.chance(0.75):
            query["where"] = self.where()
        if self.chance(0.3):
            query["limit"] = self.random.randrange(1, 5)
        return query

    def write(self, paths):
        path = self.pick(paths)
        name = f"{ROOT}/{path}"
        kind = self.random.randrange(6)
        if kind == 0:
            write = {"delete": name}
        else:
            fields = self.fields()
            write = {"update": {"name": name, "fields": fields}}
            if kind > 2:
                write["updateMask"] = {"fieldPaths": sorted(fields)}
            if self.chance(0.3):
                transform = self.pick(
                    [
                        {"fieldPath": "n", "increment": {"integerValue": "1"}},
                        {"fieldPath": "t", "setToServerValue": "REQUEST_TIME"},
                        {"fieldPath": "list", "appendMissingElements": {"values": [{"stringValue": "alice"}]}},
                    ])
                write["updateTransforms"] = [transform]
                fields.pop(transform["fieldPath"], None)
                if "updateMask" in write:
                    write["updateMask"]["fieldPaths"] = sorted(fields)
        if self.chance(0.25):
            write["currentDocument"] = {"exists": self.chance(0.6)}
        return write

    def request(self):
        kind = self.pick(["get", "get", "query", "query", "query", "commit", "commit", "commit", "count", "batch", "list"])
        if kind == "get":
            return [("GET", f"/{self.path()}", None)]
        if kind == "batch":
            return [("POST", ":batchGet", {"documents": [f"{ROOT}/{self.path()}" for _ in range(2)]})]
        if kind == "list":
            return [("GET", f"/{self.pick(COLLECTIONS)}?pageSize={self.random.randrange(1, 4)}", None)]
        if kind == "query":
            return [("POST", ":runQuery", {"structuredQuery": self.query()})]
        if kind == "count":
            aggregation = {"structuredQuery": self.query(), "aggregations": [{"alias": "n", "count": {}}]}
            return [("POST", ":runAggregationQuery", {"structuredAggregationQuery": aggregation})]
        # Each document once: the emulator applies several writes of one document in another way.
        paths = [self.path() for _ in range(self.random.randrange(1, 4))]
        writes = [self.write([path]) for path in dict.fromkeys(paths)]
        return [("POST", ":commit", {"writes": writes})]

    # Rules

    def constant(self):
        return self.pick(["0", "1", "2.0", "'alice'", "true", "null", "['alice']", "request.auth.uid", "id"])

    def operand(self, method):
        data = "request.resource.data" if method in ("create", "update") and self.chance(0.5) else "resource.data"
        choice = self.random.randrange(10)
        if choice < 5:
            return f"{data}.{self.pick(FIELDS)}"
        if choice == 5:
            return f"{data}.get('{self.pick(['owner', 'n', 'x'])}', {self.constant()})"
        if choice == 6:
            function = self.pick(["get", "getAfter"])
            return f"{function}(/databases/$(database)/documents/{self.pick(COLLECTIONS)}/{self.document_id()}).data.{self.pick(FIELDS)}"
        if choice == 7:
            return self.pick(["request.auth.uid", "request.auth.token.level", "id", "request.query.limit"])
        return self.constant()

    def document_id(self):
        return self.pick(["1", "2", "$(id)", "$(resource.data.owner)", "$(request.auth.uid)"])

    def condition(self, method, depth=0):
        choice = self.random.randrange(12)
        if depth < 3 and choice < 4:
            operator = self.pick(["&&", "&&", "||"])
            return f"({self.condition(method, depth + 1)} {operator} {self.condition(method, depth + 1)})"
        if choice == 4:
            return f"!({self.condition(method, depth + 1)})" if depth < 3 else "true"
        if choice == 5:
            function = self.pick(["exists", "existsAfter"])
            return f"{function}(/databases/$(database)/documents/{self.pick(COLLECTIONS)}/{self.document_id()})"
        if choice == 6:
            return self.pick(
                [
                    "resource == null", "request.auth != null", "true", "'owner' in resource.data",
                    "resource.data.keys().hasAll(['n'])", "resource.data.n is int", "'alice' in resource.data.list",
                    "request.inTransaction", "request.method == 'list'", "resource.id == '1'",
                ] + ([
                    "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n', 'open'])",
                    "request.resource.data.t == request.time", "request.resource.data.keys().hasOnly(['owner', 'n', 't'])",
                ] if method in ("create", "update") else []))
        operator = self.pick(["==", "==", "!=", "!=", "<", ">=", "in"])
        return f"{self.operand(method)} {operator} {self.operand(method)}"

    def likely(self, method):
        """A condition, mostly beside one that often holds."""
        condition = self.condition(method)
        if self.chance(0.3):
            return condition
        usual = self.pick(
            {
                "get": ["resource.data.n >= 1", "resource.data.owner == request.auth.uid", "resource.data.open"],
                "list": ["resource.data.n >= 0", "resource.data.owner == request.auth.uid", "request.query.limit < 3"],
                "delete": ["resource.data.n >= 1", "resource.data.owner == request.auth.uid", "resource != null"],
            }.get(method, ["request.resource.data.n >= 1", "request.resource.data.owner == request.auth.uid", "true"]))
        return f"{usual} {self.pick(['||', '||', '&&'])} {condition}"

    def rules(self):
        statements = []
        for path in self.random.sample(["/a/{id}", "/b/{id}", "/{path=**}/a/{id}", "/a/{x}/b/{id}", "/{path=**}/b/{id}"], 3):
            lines = []
            for method in ["get", "list", "create", "update", "delete"]:
                if self.chance(0.7):
                    lines.append(f"      allow {method}: if {self.likely(method)};")
            if lines:
                statements += [f"    match {path} {{", *lines, "    }"]
        body = "\n".join(statements) or "    match /x/{id} { allow read; }"
        return (
            "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n"
            f"{body}\n  }}\n}}\n")


def outcome(answer):
    """Status, message, and the names of documents."""
    parts = answer if isinstance(answer, list) else [answer]
    for part in parts:
        error = part.get("error") if isinstance(part, dict) else None
        if error:
            return error.get("status"), error.get("message", "")
    found = []
    for part in parts:
        for document in part.get("documents", []) + [part.get("document"), part.get("found")]:
            if document:
                found.append(document["name"])
        if "result" in part:
            found.append(json.dumps(part["result"], sort_keys=True))
    return "OK", sorted(found)


def stored(peer):
    documents = {}
    for collection in COLLECTIONS:
        query = {"from": [{"collectionId": collection, "allDescendants": True}]}
        for part in peer.send("POST", f"/v1/{ROOT}:runQuery", {"structuredQuery": query}):
            if "document" in part:
                fields = {k: v for k, v in part["document"].get("fields", {}).items() if "timestampValue" not in v}
                text = json.dumps(fields, sort_keys=True)
                for empty in ('{"arrayValue": {"values": []}}', '{"mapValue": {"fields": {}}}'):
                    text = text.replace(empty, empty.split(" ", 1)[0] + " {}}")
                documents[part["document"]["name"]] = text
    return documents


def compare(maker, peers, requests, tally):
    documents, rules = maker.documents(), maker.rules()
    for peer in peers:
        peer.send("DELETE", f"/emulator/v1/{ROOT}")
        writes = [{"update": {"name": f"{ROOT}/{path}", "fields": fields}} for path, fields in documents.items()]
        peer.send("POST", f"/v1/{ROOT}:commit", {"writes": writes})
    set_rules = {"rules": {"files": [{"name": "r", "content": rules}]}}
    answers = [outcome(peer.send("PUT", f"/emulator/v1/projects/{PROJECT}:securityRules", set_rules)) for peer in peers]
    if answers[0][0] != answers[1][0]:
        report(tally, "rules", rules, None, None, answers)
    if answers[0][0] != "OK" or answers[1][0] != "OK":
        tally["rules that do not compile"] += 1
        return
    for _ in range(requests):
        claims = maker.pick([None, {"sub": "alice", "level": 1}, {"sub": "bob", "level": 2}])
        for method, path, body in maker.request():
            answers = [outcome(peer.send(method, f"/v1/{ROOT}{path}", body, token(claims))) for peer in peers]
            tally["requests"] += 1
            tally[answers[1][0]] += 1
            if answers[0][0] != answers[1][0]:
                report(tally, "status", rules, claims, (method, path, body), answers)
            elif answers[0][0] == "PERMISSION_DENIED":
                if answers[0][1] == answers[1][1]:
                    tally["the same message"] += 1
                elif len((body or {}).get("writes", (body or {}).get("documents", []))) > 1:
                    # The emulator's depends on the order in which it reads several documents.
                    tally["another message of several documents"] += 1
                else:
                    report(tally, "message", rules, claims, (method, path, body), answers)
            elif answers[0][0] == "OK" and answers[0][1] != answers[1][1]:
                report(tally, "documents", rules, claims, (method, path, body), answers)
    states = [stored(peer) for peer in peers]
    if states[0] != states[1]:
        report(tally, "stored", rules, None, None, states)


def report(tally, kind, rules, claims, request, answers):
    tally[f"DIFFERENT {kind}"] += 1
    if tally[f"DIFFERENT {kind}"] > 5:
        return
    print(f"--- {kind}\n{rules}as {claims}: {json.dumps(request)}\nhearth:   {answers[0]}\nemulator: {answers[1]}", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("hearth")
    parser.add_argument("emulator")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--requests", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    tally = collections.Counter()
    peers = [Peer(options.hearth), Peer(options.emulator)]
    maker = Maker(options.seed)
    for _ in range(options.rounds):
        compare(maker, peers, options.requests, tally)
    for kind, count in sorted(tally.items()):
        print(f"{count:7} {kind}")
    raise SystemExit(any(kind.startswith("DIFFERENT") for kind in tally))


if __name__ == "__main__":
    main()
