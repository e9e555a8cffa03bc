#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exports random documents with values of every type from `hearth serve` and imports them into the official emulator, and the other
way round; compares the documents' hashes. Then the package `leveldb-export`, where it is installed, reads both exports.

    compare-exports.py HEARTH_HOST:PORT EMULATOR_HOST:PORT [--documents N] [--seed N]

Both servers must see the same files.
"""
import argparse
import base64
import glob
import hashlib
import http.client
import json
import os
import random
import tempfile


class Peer:
    def __init__(self, address):
        self.address = address

    def send(self, method, path, body=None):
        headers = {"Content-Type": "application/json", "Authorization": "Bearer owner"}
        # A new one each time: servers close those that were idle while the other one was asked.
        connection = http.client.HTTPConnection(self.address, timeout=1800)
        connection.request(method, path, None if body is None else json.dumps(body).encode(), headers)
        response = connection.getresponse()
        text = response.read()
        connection.close()
        if response.status != 200:
            raise SystemExit(f"compare-exports.py: {method} {path}: {response.status} {text[:300]}")
        return json.loads(text) if text.strip() else {}

    def export(self, project, folder, name):
        self.send("POST", f"/emulator/v1/projects/{project}:export", {
            "database": database(project), "export_directory": folder, "export_name": name})

    def load(self, project, folder, name):
        metadata = os.path.join(folder, name, f"{name}.overall_export_metadata")
        self.send("POST", f"/emulator/v1/projects/{project}:import", {
            "database": database(project), "export_directory": metadata})

    def documents(self, project):
        """All documents, in the order of their names."""
        last = None
        while True:
            query = {"from": [{"allDescendants": True}], "limit": 2000}
            if last:
                query["startAt"] = {"values": [{"referenceValue": last}], "before": False}
            query["orderBy"] = [{"field": {"fieldPath": "__name__"}}]
            page = self.send("POST", f"/v1/{database(project)}/documents:runQuery", {"structuredQuery": query})
            found = [row["document"] for row in page if "document" in row]
            yield from found
            if len(found) < 2000:
                return
            last = found[-1]["name"]

    def hash(self, project):
        """What the documents say, whatever the project: a hash, and their number."""
        digest, count = hashlib.sha256(), 0
        root = f"{database(project)}/documents/"
        for document in self.documents(project):
            fields = without_empty(document.get("fields", {}))
            digest.update(json.dumps([document["name"].removeprefix(root), fields], sort_keys=True).encode())
            count += 1
        return digest.hexdigest(), count


def without_empty(value):
    """The emulator leaves out what is empty or zero in some values."""
    if isinstance(value, dict):
        if "geoPointValue" in value:
            point = value["geoPointValue"]
            return {"geoPointValue": [float(point.get("latitude", 0)), float(point.get("longitude", 0))]}
        if "arrayValue" in value:
            return {"arrayValue": [without_empty(item) for item in value["arrayValue"].get("values", [])]}
        if "mapValue" in value:
            return {"mapValue": without_empty(value["mapValue"].get("fields", {}))}
        return {key: without_empty(item) for key, item in value.items()}
    return value


def database(project):
    return f"projects/{project}/databases/(default)"


def text(chooser):
    return "".join(chooser.choice("abcé🔥 \\\"/\n\u0000") for _ in range(chooser.randrange(12)))


def value(chooser, depth, in_array=False):
    kinds = ["null", "boolean", "integer", "double", "time", "string", "bytes", "reference", "point"]
    # The emulator refuses vectors in arrays.
    kinds += [] if in_array else ["vector"]
    if depth < 3:
        kinds += ["map"] if in_array else ["array", "map"]
    kind = chooser.choice(kinds)
    if kind == "null":
        return {"nullValue": None}
    if kind == "boolean":
        return {"booleanValue": chooser.random() < 0.5}
    if kind == "integer":
        return {"integerValue": str(chooser.choice([0, 1, -1, 2**63 - 1, -(2**63), chooser.randrange(10**9)]))}
    if kind == "double":
        return {"doubleValue": chooser.choice([0.5, -1e300, 5e-324, "NaN", "Infinity", "-Infinity", chooser.random()])}
    if kind == "time":
        return {"timestampValue": f"{chooser.randrange(1, 9999):04}-05-06T07:08:09.{chooser.randrange(10**6):06}Z"}
    if kind == "string":
        return {"stringValue": text(chooser)}
    if kind == "bytes":
        return {"bytesValue": base64.b64encode(chooser.randbytes(chooser.randrange(20))).decode()}
    if kind == "reference":
        return {"referenceValue": f"{database('from')}/documents/c/{chooser.randrange(100)}/d/é"}
    if kind == "point":
        return {"geoPointValue": {"latitude": chooser.uniform(-90, 90), "longitude": chooser.uniform(-180, 180)}}
    if kind == "vector":
        values = [{"doubleValue": chooser.random()} for _ in range(chooser.randrange(1, 5))]
        return {"mapValue": {"fields": {
            "__type__": {"stringValue": "__vector__"}, "value": {"arrayValue": {"values": values}}}}}
    if kind == "array":
        return {"arrayValue": {"values": [value(chooser, depth + 1, True) for _ in range(chooser.randrange(4))]}}
    return {"mapValue": {"fields": {
        name: value(chooser, depth + 1, in_array) for name in chooser.sample(["a", "b", "é", "x y"], chooser.randrange(4))}}}


def fill(peer, project, count, seed):
    chooser = random.Random(seed)
    for start in range(0, count, 250):
        writes = []
        for number in range(start, min(start + 250, count)):
            path = f"c/{number}" if number % 3 else f"c/{number}/é d/x{number}"
            if number % 10 == 7:
                path = f"n/__id{number}__"
            fields = {name: value(chooser, 0) for name in chooser.sample(["f", "g", "h", "a.b", "`"], chooser.randrange(5))}
            writes.append({"update": {"name": f"{database(project)}/documents/{path}", "fields": fields}})
        peer.send("POST", f"/v1/{database(project)}/documents:commit", {"writes": writes})


def plain(value):
    """A map as its sorted fields: their order means nothing. Other values as leveldb-export gives them."""
    from google.appengine.api.datastore_types import EmbeddedEntity
    from google.appengine.datastore import entity_bytes_pb2
    if isinstance(value, list):
        return [plain(item) for item in value]
    if not isinstance(value, EmbeddedEntity):
        return value
    message = entity_bytes_pb2.EntityProto()
    message.ParseFromString(value)
    fields = {}
    for field in [*message.raw_property, *message.property]:
        is_map = field.meaning == entity_bytes_pb2.Property.ENTITY_PROTO
        content = plain(EmbeddedEntity(field.value.stringValue)) if is_map else field.value.SerializeToString()
        fields.setdefault(field.name, []).append((field.meaning, field.multiple, content))
    return sorted(fields.items())


def second_reader(folder, name):
    """The paths and values that leveldb-export reads; nil without it. Its own list fails at numbers in paths, its parts do not."""
    try:
        from google.appengine.api.datastore import Entity
        from google.appengine.datastore import entity_bytes_pb2
        from leveldb_export.records import RecordsReader
    except ImportError:
        return None
    found = set()
    for path in sorted(glob.glob(f"{folder}/{name}/all_namespaces/all_kinds/output-*")):
        with open(path, "rb") as file:
            for record in RecordsReader(file):
                message = entity_bytes_pb2.EntityProto()
                message.ParseFromString(record)
                entity = Entity.FromPb(message)
                found.add((str(entity.key().to_path()), repr(sorted((name, plain(value)) for name, value in entity.items()))))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hearth")
    parser.add_argument("emulator")
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.randrange(10**9))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    hearth, emulator = Peer(arguments.hearth), Peer(arguments.emulator)
    failures, read = 0, {}
    with tempfile.TemporaryDirectory() as folder:
        for giver, taker, name in [(hearth, emulator, "hearths"), (emulator, hearth, "emulators")]:
            fill(giver, f"from-{name}", arguments.documents, arguments.seed)
            giver.export(f"from-{name}", folder, name)
            taker.load(f"to-{name}", folder, name)
            given, taken = giver.hash(f"from-{name}"), taker.hash(f"to-{name}")
            failures += given != taken or given[1] != arguments.documents
            print(f"the {name} export: {given[1]} documents, {given[0][:16]}, read as {taken[1]}, {taken[0][:16]}")
            read[name] = second_reader(folder, name)
    if read["hearths"] is None:
        print("leveldb-export is not installed: PyPI's package of that name was not asked")
    else:
        failures += read["hearths"] != read["emulators"] or len(read["hearths"]) != arguments.documents
        print(f"leveldb-export: {len(read['hearths'])} documents in Hearth's, {len(read['emulators'])} in the emulator's, "
              f"{len(read['hearths'] ^ read['emulators'])} different")
    raise SystemExit(1 if failures else 0)


main()
