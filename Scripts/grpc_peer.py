# SPDX-License-Identifier: Apache-2.0
"""A server that is asked over gRPC, with the requests of the REST API: compare-server.py's --grpc. Needs google-cloud-firestore."""
import json
import urllib.parse

import grpc
from google.cloud.firestore_v1.types import firestore
from google.protobuf import empty_pb2, json_format

HTTP_CODES = {"INVALID_ARGUMENT": 400, "FAILED_PRECONDITION": 400, "NOT_FOUND": 404, "ALREADY_EXISTS": 409, "ABORTED": 409}
DOCUMENT = type(firestore.CreateDocumentRequest.pb()().document)


def pb(name):
    return getattr(firestore, name).pb()


class GRPCPeer:
    def __init__(self, address):
        self.channel = grpc.insecure_channel(address, [("grpc.max_receive_message_length", -1)])

    def call(self, method, request, response, streams=False, timeout=60):
        """Returns a status as HTTP has it, and the answer as JSON: a list for a stream."""
        kind = self.channel.unary_stream if streams else self.channel.unary_unary
        stub = kind(f"/google.firestore.v1.Firestore/{method}", request_serializer=lambda m: m.SerializeToString(),
                    response_deserializer=response.FromString)
        try:
            answer = stub(request, timeout=timeout, metadata=[("authorization", "Bearer owner")])
            if streams:
                return 200, [json_format.MessageToDict(part) for part in answer]
            return 200, json_format.MessageToDict(answer)
        except grpc.RpcError as error:
            status = error.code().name
            return HTTP_CODES.get(status, 500), {"error": {"status": status, "message": error.details()}}

    def send(self, method, path, body=None):
        path, _, query = path.partition("?")
        path = urllib.parse.unquote(path).removeprefix("/v1/")
        parameters = urllib.parse.parse_qs(query, keep_blank_values=True)
        try:
            name, request, response, streams = self.message(method, path, parameters, body or {})
        except json_format.ParseError:
            return 400, {"error": {"status": "INVALID_ARGUMENT"}}
        return self.call(name, request, response, streams)

    def message(self, method, path, parameters, body):
        """The method, its request, the type of its answer, and whether there are several."""
        def made(name, fields):
            return json_format.ParseDict(fields, pb(name)())

        def masks(names):
            return {target: {"fieldPaths": [p for p in parameters[source] if p]}
                    for source, target in names.items() if source in parameters}

        database = "/".join(path.split("/")[:4])
        path, _, verb = path.rpartition(":") if path.rpartition(":")[2].isalpha() and ":" in path else (path, "", "")
        streams = {"batchGet": "BatchGetDocuments", "runQuery": "RunQuery", "runAggregationQuery": "RunAggregationQuery"}
        if verb in streams:
            own = {"database": database} if verb == "batchGet" else {"parent": path}
            return streams[verb], made(streams[verb] + "Request", own | body), pb(streams[verb] + "Response"), True
        if verb in ("commit", "batchWrite"):
            name = verb[0].upper() + verb[1:]
            return name, made(name + "Request", {"database": database} | body), pb(name + "Response"), False
        if verb == "listCollectionIds":
            request = made("ListCollectionIdsRequest", {"parent": path} | body)
            return "ListCollectionIds", request, pb("ListCollectionIdsResponse"), False
        current = {key.split(".")[1]: values[0] == "true" if key.endswith("exists") else values[0]
                   for key, values in parameters.items() if key.startswith("currentDocument.")}
        fields = masks({"mask.fieldPaths": "mask", "updateMask.fieldPaths": "updateMask"})
        fields |= {"currentDocument": current} if current else {}
        parent, _, last = path.rpartition("/")
        if method == "POST":
            fields |= {"parent": parent, "collectionId": last, "documentId": parameters.get("documentId", [""])[0]}
            return "CreateDocument", made("CreateDocumentRequest", fields | {"document": body}), DOCUMENT, False
        if method == "PATCH":
            fields |= {"document": {"name": path} | body}
            return "UpdateDocument", made("UpdateDocumentRequest", fields), DOCUMENT, False
        if method == "DELETE":
            return "DeleteDocument", made("DeleteDocumentRequest", fields | {"name": path}), empty_pb2.Empty, False
        if len(path.split("/")) % 2 == 1:
            return "GetDocument", made("GetDocumentRequest", fields | {"name": path}), DOCUMENT, False
        for name in ("pageSize", "pageToken", "orderBy", "showMissing"):
            if name in parameters:
                value = parameters[name][0]
                fields[name] = value == "true" if name == "showMissing" else value
        fields |= {"parent": parent, "collectionId": last}
        return "ListDocuments", made("ListDocumentsRequest", fields), pb("ListDocumentsResponse"), False
