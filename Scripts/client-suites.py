# SPDX-License-Identifier: Apache-2.0
"""What Scripts/client-suites.sh does with Python.

unskip FILE          removes the marks that skip tests on emulators, and prints the tests that had them
seed                 writes the documents of the vector tests
results LOG XML FILE prints how many tests passed, were skipped and failed, and writes the failed ones with their reasons
mocha JSON FILE      the same of what mocha has written
indexes FOLDER       prints as firestore.indexes.json what FOLDER/*.tf deploys for the JS SDK's tests
"""
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

MARK = re.compile(r"@pytest\.mark\.skipif\(\s*FIRESTORE_EMULATOR,\s*reason=\"([^\"]*)\"\s*,?\s*\)\n")
REASONS = ("Query profile", "Require index and seed data", "PartitionQuery")


def unskip(path):
    text = open(path).read()
    names = []
    for mark in MARK.finditer(text):
        name = re.compile(r"^(?:async )?def (\w+)", re.M).search(text, mark.end()).group(1)
        # Pipelines exist in the Enterprise edition only.
        if mark.group(1).startswith(REASONS) and "pipeline" not in name:
            names.append(name)
    text = MARK.sub(lambda mark: "" if mark.group(1).startswith(REASONS) else mark.group(0), text)
    open(path, "w").write(text)
    for name in dict.fromkeys(names):
        print(f"{path}::{name}")


def seed():
    """The documents of the client's own tests/system/util/bootstrap_vector_index.py."""
    from google.cloud.firestore import Client
    from google.cloud.firestore_v1.vector import Vector

    collection = Client().collection("vector_search")
    for name, vector, color in [
        ("doc1", [1.0, 2.0, 3.0], "red"),
        ("doc2", [2.0, 2.0, 3.0], "red"),
        ("doc3", [3.0, 4.0, 5.0], "yellow"),
    ]:
        collection.document(name).set({"embedding": Vector(vector), "color": color})


def results(log, path, failures):
    failed = []
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        problem = next((child for child in case if child.tag in ("failure", "error")), None)
        if problem is not None:
            message = (problem.get("message") or problem.text or "").split("\n")[0]
            failed.append(f"{case.get('classname')}.{case.get('name')}\t{message[:200]}\n")
    open(failures, "w").writelines(failed)
    # With subtests, which the XML does not count.
    summary = open(log).read().rstrip().split("\n")[-1]
    counts = {kind: int(count) for count, kind in re.findall(r"(\d+) (passed|skipped|failed|errors?)", summary)}
    print(counts.get("passed", 0), counts.get("skipped", 0),
          counts.get("failed", 0) + counts.get("error", 0) + counts.get("errors", 0))


def mocha(path, failures):
    report = json.load(open(path))
    with open(failures, "w") as file:
        for test in report["failures"]:
            message = (test["err"].get("message") or "").split("\n")[0]
            file.write(f"{test['fullTitle']}\t{message[:200]}\n")
    stats = report["stats"]
    print(stats["passes"], stats["pending"], stats["failures"])


def indexes(folder):
    definitions = []
    for path, scope in [
        ("firestore_composite_index_config.tf", "COLLECTION"),
        ("firestore_collection_group_index_config.tf", "COLLECTION_GROUP"),
    ]:
        for index in re.findall(r"index\d+ = \[(.*?)\]", (pathlib.Path(folder) / path).read_text(), re.S):
            fields = [
                {"fieldPath": json.loads(f'"{name}"'), "arrayConfig" if key == "array_config" else "order": value}
                for name, key, value in re.findall(
                    r'field_path\s*= "(.*)"\s*(order|array_config)\s*= "(.*)"', index)
            ]
            definitions.append(
                {"collectionGroup": "composite-index-test-collection", "queryScope": scope, "fields": fields})
    print(json.dumps({"indexes": definitions}))


if __name__ == "__main__":
    {"unskip": unskip, "seed": seed, "results": results, "mocha": mocha, "indexes": indexes}[sys.argv[1]](*sys.argv[2:])
