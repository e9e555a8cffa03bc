// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import GRPCFraming
    internal import NIOCore
    internal import SwiftProtobuf

    // Without the rest of Foundation the program is half as large.
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension FirestoreService {
        func grpcGetDocument(_ request: ProtoGetDocumentRequest, _ call: GRPCCall) async throws(RequestError)
            -> ProtoDocument
        {
            let name = try ResourceName(parsing: request.name)
            let path = try name.document(request.name)
            let mask = request.hasMask ? try [FieldPath](maskPaths: request.mask.fieldPaths) : nil
            let snapshot = try await snapshot(
                of: name.database, try request.consistency(), for: call.credentials, reading: .documents([path]))
            let record = try getDocument(path, at: snapshot)
            return try record.message(mask, in: name.database)
        }

        func grpcListDocuments(
            _ request: ProtoListDocumentsRequest, _ call: GRPCCall
        ) async throws(RequestError) -> ProtoListDocumentsResponse {
            let name = try ResourceName(parsing: request.parent)
            let mask = request.hasMask ? try [FieldPath](maskPaths: request.mask.fieldPaths) : nil
            let list = ListRequest(
                parent: try name.parent(request.parent),
                collectionID: request.collectionID.isEmpty ? nil : Text(request.collectionID),
                pageSize: Int(request.pageSize), pageToken: request.pageToken, orderBy: request.orderBy,
                showsMissing: request.showMissing)
            let page = try listDocuments(
                list,
                at: try await snapshot(
                    of: name.database, try request.consistency(), for: call.credentials, reading: try list.read))
            var response = ProtoListDocumentsResponse()
            for document in page.documents {
                if let record = document.record {
                    response.documents.append(try record.message(mask, in: name.database))
                } else {
                    var missing = ProtoDocument()
                    missing.name = document.path.name(in: name.database)
                    response.documents.append(missing)
                }
            }
            response.nextPageToken = page.nextPageToken
            return response
        }

        func grpcBatchGetDocuments(_ request: ProtoBatchGetDocumentsRequest, _ call: GRPCCall) async throws {
            let database = try ResourceName.database(request.database)
            let mask = request.hasMask ? try [FieldPath](maskPaths: request.mask.fieldPaths) : nil
            var paths: [DocumentPath] = []
            for name in request.documents { paths.append(try DocumentPath(named: name, in: database)) }
            let snapshot = try await snapshot(
                of: database, try request.consistency(), for: call.credentials, reading: .documents(paths))
            if let transaction = snapshot.newTransaction {
                var first = ProtoBatchGetDocumentsResponse()
                first.transaction = Data(transaction)
                try await call.send([first])
            }
            try await batchGetDocuments(paths, at: snapshot) { found in
                var parts = GRPCMessageParts(call)
                for (path, record) in found {
                    var response = ProtoBatchGetDocumentsResponse()
                    if let record {
                        response.found = try record.message(mask, in: database)
                    } else {
                        response.missing = path.name(in: database)
                    }
                    response.readTime = snapshot.time.message
                    try await parts.add(response)
                }
                try await parts.flush()
            }
        }

        func grpcListCollectionIDs(
            _ request: ProtoListCollectionIdsRequest, _ call: GRPCCall
        ) async throws(RequestError) -> ProtoListCollectionIdsResponse {
            let name = try ResourceName(parsing: request.parent)
            let (ids, token) = try listCollectionIDs(
                under: try name.parent(request.parent), pageSize: Int(request.pageSize), pageToken: request.pageToken,
                at: try await snapshot(
                    of: name.database, try request.consistency(), for: call.credentials, reading: .metadata))
            var response = ProtoListCollectionIdsResponse()
            response.collectionIds = ids.map(\.string)
            response.nextPageToken = token
            return response
        }
    }

    extension GRPCCall {
        /// Sends messages, and waits before each part of them until the client has room for it.
        func send(_ messages: [some Message]) async throws {
            var parts = GRPCMessageParts(self)
            for message in messages { try await parts.add(message) }
            try await parts.flush()
        }
    }

    extension DocumentRecord {
        /// The message of the document, cut to a mask.
        func message(_ mask: [FieldPath]?, in database: DatabaseID) throws(RequestError) -> ProtoDocument {
            try document(mask).message(in: database)
        }
    }
#endif
