#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends the same random requests over REST to two servers, `hearth serve --mode permissive` and the official emulator, and
compares the answers without times, generated IDs and tokens. Prints the seed, and the smallest sequence that differs.

    compare-server.py HEARTH_HOST:PORT EMULATOR_HOST:PORT [--cases N] [--seed N] [--grpc] [--vectors DIR]

--grpc         send them over gRPC; needs Python's google-cloud-firestore
--vectors DIR  send the requests of the cross-client vectors instead (googleapis/conformance-tests, firestore/v1)
"""
import argparse
import glob
import http.client
import json
import random
import re
import sys
import urllib.parse

PROJECT = "projects/compare/databases/(default)"
ROOT = f"{PROJECT}/documents"
COLLECTIONS = ["c", "d"]
IDS = ["1", "a", "b", "é"]
FIELDS = ["a", "b", "m", "m.x", "t", "`x y`"]


class Peer:
    def __init__(self, address):
        self.host, self.port = address.rsplit(":", 1)
        self.connection = http.client.HTTPConnection(self.host, int(self.port), timeout=60)

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Authorization": "Bearer owner"}
        try:
            self.connection.request(method, path, data, headers)
            response = self.connection.getresponse()
            text = response.read()
        except (http.client.HTTPException, OSError):
            self.connection.close()
            self.connection.request(method, path, data, headers)
            response = self.connection.getresponse()
            text = response.read()
        try:
            return response.status, json.loads(text) if text.strip() else {}
        except ValueError:
            return response.status, text.decode(errors="replace")

    def clear(self):
        self.send("DELETE", f"/emulator/v1/{ROOT}")


def grpc_peer(address):
    """A peer whose requests go over gRPC, but for the emulator's own."""
    from grpc_peer import GRPCPeer
    peer = GRPCPeer(address)
    peer.clear = Peer(address).clear
    return peer


def quote(path):
    return urllib.parse.quote(path, safe="/:()_-.~")


class Requests:
    """Random requests: (method, path, body). Times of documents are symbols, resolved for each server."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, share):
        return self.random.random() < share

    def pick(self, items):
        return self.random.choice(items)

    def document(self):
        path = f"{self.pick(COLLECTIONS)}/{self.pick(IDS)}"
        while self.chance(0.2):
            path += f"/{self.pick(COLLECTIONS)}/{self.pick(IDS)}"
        if self.chance(0.02):
            path = self.pick(["c", "c//x", "__c__/a", "c/__x__", "c/.."])
        return path

    def parent(self):
        return "/" + self.document() if self.chance(0.25) else ""

    def value(self, depth=1):
        kind = self.random.randrange(15)
        if kind == 0:
            return {"nullValue": None}
        if kind == 1:
            return {"booleanValue": self.chance(0.5)}
        if kind in (2, 3, 4):
            return {"integerValue": str(self.random.randint(-2, 4))}
        if kind == 5:
            return {"doubleValue": self.pick([0.5, 1.0, 2.5, -1e300, "NaN", "Infinity", 3.0])}
        if kind == 6:
            return {"timestampValue": self.pick(["2024-01-01T00:00:00Z", "2024-01-01T00:00:00.123456789Z"])}
        if kind in (7, 8):
            return {"stringValue": self.pick(["", "a", "b", "é", "\u0000"])}
        if kind == 9:
            return {"bytesValue": self.pick(["", "AA==", "-_8=" if self.chance(0.2) else "+/8="])}
        if kind == 10:
            return {"referenceValue": f"{ROOT}/c/{self.pick(IDS)}"}
        if kind == 11:
            return {"geoPointValue": self.pick([{"latitude": 1.5, "longitude": -2}, {"latitude": 1}, {}])}
        if kind in (12, 13) and depth > 0:
            return {"arrayValue": {"values": [self.value(0) for _ in range(self.random.randrange(4))]}}
        if depth > 0:
            return {"mapValue": {"fields": {"x": self.value(0)} if self.chance(0.8) else {}}}
        return {"integerValue": self.pick(["9223372036854775807", "-9223372036854775808", "1"])}

    def fields(self):
        fields = {name: self.value() for name in ["a", "b", "t", "x y"] if self.chance(0.6)}
        if self.chance(0.6):
            fields["m"] = {"mapValue": {"fields": {"x": self.value(0)}}}
        if self.chance(0.02):
            fields[self.pick(["__x__", "", "x" * 1501])] = self.value()
        return fields

    def mask(self):
        return self.random.sample(FIELDS + ["z"], self.random.randrange(4)) + (["``"] if self.chance(0.02) else [])

    def precondition(self, path):
        if self.chance(0.5):
            return {"exists": self.chance(0.6)}
        return {"updateTime": f"$time:{path}" if self.chance(0.8) else "2001-01-01T00:00:00Z"}

    def transform(self):
        kind = self.random.randrange(6)
        field = self.pick(FIELDS)
        if kind == 0:
            return {"fieldPath": field, "setToServerValue": "REQUEST_TIME"}
        number = {"integerValue": str(self.random.randint(-3, 9))} if self.chance(0.5) else {"doubleValue": 1.5}
        if self.chance(0.05):
            number = self.value()
        if kind < 4:
            return {"fieldPath": field, ["increment", "maximum", "minimum"][kind - 1]: number}
        values = {"values": [self.value(0) for _ in range(self.random.randrange(3))]}
        return {"fieldPath": field, ["appendMissingElements", "removeAllFromArray"][kind - 4]: values}

    def write(self):
        path = self.document()
        write = {}
        kind = self.random.randrange(10)
        if kind < 2:
            write = {"delete": f"{ROOT}/{path}"}
        else:
            write = {"update": {"name": f"{ROOT}/{path}", "fields": self.fields()}}
            if self.chance(0.4):
                write["updateMask"] = {"fieldPaths": self.mask()}
            if self.chance(0.3):
                write["updateTransforms"] = [self.transform() for _ in range(self.random.randrange(1, 3))]
        if self.chance(0.3):
            write["currentDocument"] = self.precondition(path)
        return write

    def operand(self):
        return self.value(1)

    def filter(self, depth=1):
        if depth > 0 and self.chance(0.3):
            op = self.pick(["AND", "AND", "OR"])
            return {"compositeFilter": {"op": op, "filters": [self.filter(0) for _ in range(self.random.randrange(1, 3))]}}
        field = {"fieldPath": self.pick(["a", "b", "m.x", "t"])}
        if self.chance(0.15):
            return {"unaryFilter": {"op": self.pick(["IS_NULL", "IS_NAN", "IS_NOT_NULL", "IS_NOT_NAN"]), "field": field}}
        op = self.pick(["EQUAL", "EQUAL", "LESS_THAN", "GREATER_THAN_OR_EQUAL", "NOT_EQUAL", "IN", "ARRAY_CONTAINS"])
        value = self.operand()
        if op == "IN":
            value = {"arrayValue": {"values": [self.operand() for _ in range(self.random.randrange(1, 3))]}}
        return {"fieldFilter": {"op": op, "field": field, "value": value}}

    def query(self):
        query = {"from": [{"collectionId": self.pick(COLLECTIONS)}]}
        if self.chance(0.25):
            query["from"][0]["allDescendants"] = True
        if self.chance(0.05):
            query["from"] = [{"allDescendants": True}]
            return query
        if self.chance(0.6):
            query["where"] = self.filter()
        if self.chance(0.4):
            query["orderBy"] = [{"field": {"fieldPath": self.pick(["a", "b", "m.x"])},
                                 "direction": self.pick(["ASCENDING", "DESCENDING"])}]
            if self.chance(0.3):
                query["startAt"] = {"values": [self.value(0)], "before": self.chance(0.5)}
        if self.chance(0.3):
            query["limit"] = self.random.randrange(4)
        if self.chance(0.2):
            query["offset"] = self.random.randrange(3)
        if self.chance(0.2):
            query["select"] = {"fields": [{"fieldPath": path} for path in self.random.sample(["a", "m.x", "__name__"], 2)]}
        return query

    def parameters(self, pairs):
        return "?" + "&".join(f"{name}={quote(str(value))}" for name, value in pairs) if pairs else ""

    def request(self):
        kind = self.random.randrange(24)
        if kind < 6:
            return "POST", f"/v1/{ROOT}:commit", {"writes": [self.write() for _ in range(self.random.randrange(1, 4))]}
        if kind == 6:
            return "POST", f"/v1/{ROOT}:batchWrite", {"writes": [self.write() for _ in range(self.random.randrange(1, 4))]}
        if kind == 7:
            pairs = [("documentId", self.pick(IDS))]
            pairs += [("mask.fieldPaths", path) for path in self.mask()] if self.chance(0.3) else []
            body = {"fields": self.fields()}
            return "POST", quote(f"/v1/{ROOT}{self.parent()}/{self.pick(COLLECTIONS)}") + self.parameters(pairs), body
        path = self.document()
        if kind in (8, 9):
            pairs = [("updateMask.fieldPaths", name) for name in self.mask()] if self.chance(0.5) else []
            pairs += [("mask.fieldPaths", name) for name in self.mask()] if self.chance(0.3) else []
            if self.chance(0.3):
                pairs += [(f"currentDocument.{k}", str(v).lower() if v in (True, False) else v)
                          for k, v in self.precondition(path).items()]
            return "PATCH", quote(f"/v1/{ROOT}/{path}") + self.parameters(pairs), {"fields": self.fields()}
        if kind == 10:
            pairs = []
            if self.chance(0.4):
                pairs = [(f"currentDocument.{k}", str(v).lower() if v in (True, False) else v)
                         for k, v in self.precondition(path).items()]
            return "DELETE", quote(f"/v1/{ROOT}/{path}") + self.parameters(pairs), None
        if kind in (11, 12):
            pairs = [("mask.fieldPaths", name) for name in self.mask()] if self.chance(0.3) else []
            return "GET", quote(f"/v1/{ROOT}/{path}") + self.parameters(pairs), None
        if kind in (13, 14):
            pairs = [("pageSize", self.random.randrange(-1, 4))] if self.chance(0.5) else []
            pairs += [("showMissing", "true")] if self.chance(0.4) else []
            pairs += [("orderBy", self.pick(["a", "a desc", "b desc, a", "__name__", "__name__ desc"]))] if self.chance(0.3) else []
            pairs += [("mask.fieldPaths", name) for name in self.mask()] if self.chance(0.3) else []
            return "LIST", quote(f"/v1/{ROOT}{self.parent()}/{self.pick(COLLECTIONS)}") + self.parameters(pairs), None
        if kind in (15, 16):
            body = {"documents": [f"{ROOT}/{self.document()}" for _ in range(self.random.randrange(4))]}
            if self.chance(0.3):
                body["mask"] = {"fieldPaths": self.mask()}
            return "POST", f"/v1/{ROOT}:batchGet", body
        if kind == 17:
            body = {"pageSize": self.pick([-1, 0, 9])} if self.chance(0.5) else {}
            return "POST", quote(f"/v1/{ROOT}{self.parent()}") + ":listCollectionIds", body
        if kind == 18:
            query = self.query()
            for name in ("select", "orderBy", "startAt"):
                query.pop(name, None)
            kinds = [{"count": {}}, {"sum": {"field": {"fieldPath": "a"}}}, {"avg": {"field": {"fieldPath": "b"}}},
                     {"alias": "n", "count": {"upTo": "2"}}]
            body = {"structuredAggregationQuery": {
                "structuredQuery": query, "aggregations": self.random.sample(kinds, self.random.randrange(1, 3))}}
            return "POST", quote(f"/v1/{ROOT}") + ":runAggregationQuery", body
        return "POST", quote(f"/v1/{ROOT}{self.parent()}") + ":runQuery", {"structuredQuery": self.query()}


def resolved(peer, text):
    """Puts the update times of documents in the place of their symbols."""
    while "$time:" in text:
        start = text.index("$time:")
        end = next((i for i in range(start, len(text)) if text[i] in '"&'), len(text))
        status, found = peer.send("GET", quote(f"/v1/{ROOT}/{urllib.parse.unquote(text[start + 6:end])}"))
        time = found.get("updateTime") if isinstance(found, dict) else None
        text = text[:start] + (time or "2002-02-02T00:00:00Z") + text[end:]
    return text


def answer(peer, request):
    method, path, body = request
    path = resolved(peer, path.replace("%24time", "$time"))
    body = None if body is None else json.loads(resolved(peer, json.dumps(body, ensure_ascii=False)))
    if method == "LIST":
        pages = []
        token = ""
        while len(pages) < 50:
            status, found = peer.send("GET", path + (("&" if "?" in path else "?") + "pageToken=" + token if token else ""))
            pages.append(normal(status, found))
            token = found.get("nextPageToken", "") if isinstance(found, dict) else ""
            token = "".join(f"%{b:02X}" for b in token.encode())
            if not token:
                break
        # The emulator ends with an empty page where the last one is full.
        if len(pages) > 1 and pages[-1] == (200, {}):
            pages.pop()
        if pages[-1][0] == 200:
            pages[-1][1].pop("nextPageToken", None)
        return pages
    status, found = peer.send(method, path, body)
    result = normal(status, found)
    if path.endswith(":batchGet") and isinstance(result[1], list):
        result = result[0], sorted(result[1], key=lambda part: json.dumps(part, sort_keys=True))
    return result


GENERATED = re.compile(r"/[A-Za-z0-9]{20}(?=[\"/])")
TIMES = {"createTime", "updateTime", "readTime", "commitTime"}


def plain(node):
    if isinstance(node, dict):
        if set(node) == {"timestampValue"} and node["timestampValue"][:4] > "2024":
            return "now"
        if set(node) == {"arrayValue"}:
            node = {"arrayValue": {"values": []} | node["arrayValue"]}
        if set(node) == {"mapValue"}:
            node = {"mapValue": {"fields": {}} | node["mapValue"]}
        if set(node) == {"geoPointValue"}:
            # The emulator leaves out zeros.
            return {"geoPointValue": {"latitude": 0.0, "longitude": 0.0} | node["geoPointValue"]}
        if set(node) == {"doubleValue"} and not isinstance(node["doubleValue"], str):
            return {"doubleValue": float(node["doubleValue"])}
        return {key: "T" if key in TIMES else "P" if key == "nextPageToken" else plain(value)
                for key, value in node.items() if key not in ("done", "skippedResults")}
    return [plain(element) for element in node] if isinstance(node, list) else node


def normal(status, found):
    """Of errors, the status; their words are production's and not the emulator's. Production counts skipped results in a part
    of their own, the emulator in the first document's, and neither is compared."""
    first = found[0] if isinstance(found, list) and found else found
    if isinstance(first, dict) and "error" in first:
        return status, first["error"].get("status")
    found = plain(json.loads(GENERATED.sub("/generated", json.dumps(found))))
    if isinstance(found, dict) and "status" in found:
        found["status"] = [part.get("code", 0) for part in found["status"]]
    if isinstance(found, list):
        found = [part for part in found if part not in ({}, {"readTime": "T"})]
    return status, found


def known(request, hearth, emulator):
    """Why an answer may differ, with the fact that decides; None if it may not."""
    method, path, body = request
    text = urllib.parse.unquote(path) + json.dumps(body)
    if 500 in (emulator[0], *(page[0] for page in emulator if isinstance(page, tuple))):
        return "the emulator fails with INTERNAL"
    if method == "LIST" and "__name__ desc" in text:
        return "the emulator refuses descending orders by name, which production serves (I-45)"
    if "currentDocument.updateTime" in path:
        return "the emulator takes the parameter currentDocument.updateTime for 0"
    if method == "LIST" and "showMissing" in path:
        return "beside showMissing, the emulator ignores the mask and page sizes below 0, and gives missing parents a time"
    if "runAggregationQuery" in path and '"from": [{"allDescendants": true}]' in json.dumps(body) and hearth[0] == 400:
        return "the emulator aggregates a field, which is an order, without a collection (Q-44, Q-58)"
    if path.endswith(":batchWrite") and emulator == (400, "INVALID_ARGUMENT") and hearth[0] == 200 and any(hearth[1]["status"]):
        return "the emulator refuses a whole batchWrite for one malformed write"
    if isinstance(hearth, tuple) and min(hearth[0], emulator[0]) >= 400 and "writes" in text:
        return "of a request's several errors, each server reports another"
    if re.search('"(__x__|x{1501})": ', text) and "ask" in text and emulator == (400, "INVALID_ARGUMENT"):
        return "the emulator also looks at the names of fields that the mask leaves out"
    if re.search("__[cx]__", json.dumps(body)) and "Query" in path and "INVALID_ARGUMENT" in json.dumps(emulator):
        return "the emulator refuses references with reserved names (D-3)"
    if '"REQUEST_TIME"' in text and emulator == (400, "INVALID_ARGUMENT") and "updateTransforms" in text:
        return "the emulator refuses the time of the request beside another transform of the field"
    if "123456789Z" in text and "Query" in path:
        return "the emulator compares digits of a time that no document keeps (V-13)"
    if '"": ' in text and hearth == (400, "INVALID_ARGUMENT"):
        return "the emulator takes empty field names (D-8)"
    writes = [write.get("delete") or write["update"]["name"] for write in (body or {}).get("writes", [])]
    if len(set(writes)) < len(writes):
        return "the emulator checks the preconditions of a document's writes together, and gives them one result"
    return None


def run(peers, requests):
    """The first difference: (index, hearth's answer, the emulator's)."""
    for peer in peers:
        peer.clear()
    for index, request in enumerate(requests):
        hearth, emulator = (answer(peer, request) for peer in peers)
        if hearth != emulator:
            reason = known(request, hearth, emulator)
            if not reason:
                return index, hearth, emulator
            tally[reason] = tally.get(reason, 0) + 1
            # What follows a write that only one server made says nothing.
            if request[0] in ("PATCH", "DELETE") or "writes" in (request[2] or {}):
                return None
    return None


def smallest(peers, requests):
    changed = True
    while changed:
        changed = False
        for index in reversed(range(len(requests) - 1)):
            fewer = requests[:index] + requests[index + 1:]
            if run(peers, fewer):
                requests = fewer
                changed = True
    return requests


tally = {}


def vectors(folder):
    """The requests of the vectors, each with what it presupposes, and a read of the document after it."""
    for file in sorted(glob.glob(folder + "/*.json")):
        for test in json.load(open(file))["tests"]:
            kind = next(key for key in test if key not in ("description", "comment"))
            text = json.dumps(test[kind]).replace("projects/projectID/databases/(default)", PROJECT)
            case = json.loads(text)
            if case.get("isError"):
                continue
            if kind == "query":
                parent, collection = case["collPath"].rsplit("/", 1)
                seeds = [("PATCH", f"/v1/{parent}/{collection}/{i}", {"fields": fields}) for i, fields in enumerate(
                    [{"a": {"integerValue": str(n)}, "b": {"stringValue": "x"}} for n in (3, 5, 7, 9)])]
                yield file, seeds + [("POST", f"/v1/{parent}:runQuery", {"structuredQuery": case["query"]})]
            elif kind == "get":
                yield file, [("GET", f"/v1/{case['request']['name']}", None)]
            elif "request" in case:
                name = f"/v1/{case['docRefPath']}"
                seed = {"fields": {"a": {"integerValue": "7"}, "h": {"mapValue": {"fields": {"k": {"nullValue": None}}}}}}
                needs = '"exists": true' in text or '"updateTime"' in text
                writes = json.loads(json.dumps(case["request"]).replace(
                    '"1970-01-01T00:00:42Z"', json.dumps("$time:" + case["docRefPath"].split("/documents/")[1])))
                yield file, ([("PATCH", name, seed)] if needs else []) + [
                    ("POST", f"/v1/{ROOT}:commit", {"writes": writes["writes"]}), ("GET", name, None)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hearth")
    parser.add_argument("emulator")
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    parser.add_argument("--grpc", action="store_true")
    parser.add_argument("--vectors")
    parser.add_argument("--failures", type=int, default=5)
    arguments = parser.parse_args()
    kind = grpc_peer if arguments.grpc else Peer
    peers = kind(arguments.hearth), kind(arguments.emulator)
    failures = count = 0
    if arguments.vectors:
        cases = vectors(arguments.vectors)
    else:
        print(f"seed {arguments.seed}; repeat with --seed {arguments.seed}")
        cases = ((seed, [generator.request() for _ in range(20)]) for seed in
                 range(arguments.seed, arguments.seed + arguments.cases) for generator in [Requests(seed)])
    for name, requests in cases:
        count += len(requests)
        found = run(peers, requests)
        if found:
            requests = smallest(peers, requests[:found[0] + 1])
            index, hearth, emulator = run(peers, requests) or found
            print(f"{name}: Hearth:   {json.dumps(hearth, ensure_ascii=False)}\n    emulator: "
                  f"{json.dumps(emulator, ensure_ascii=False)}")
            for request in requests[:index + 1]:
                print("   ", request[0], request[1], json.dumps(request[2], ensure_ascii=False))
            failures += 1
            if failures == arguments.failures:
                break
    print(f"{count} requests, {failures} differences; known differences: {tally}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
