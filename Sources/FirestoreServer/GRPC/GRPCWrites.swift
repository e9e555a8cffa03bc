// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import SwiftProtobuf

    // Without the rest of Foundation the program is half as large.
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension FirestoreService {
        func grpcCreateDocument(
            _ request: ProtoCreateDocumentRequest, _ call: GRPCCall
        ) async throws(RequestError) -> ProtoDocument {
            let name = try ResourceName(parsing: request.parent)
            let parent = try name.parent(request.parent)
            guard request.document.name.isEmpty else { throw .nameOfNewDocument }
            guard !request.collectionID.isEmpty else { throw .invalid("collection_id is required.") }
            guard !request.collectionID.utf8.contains(UInt8(ascii: "/")) else {
                throw .invalid("Collection id \"\(request.collectionID)\" is invalid because it contains \"/\".")
            }
            let mask = request.hasMask ? try [FieldPath](maskPaths: request.mask.fieldPaths) : nil
            let document = try await createDocument(
                try Fields(request.document.fields, in: name.database),
                in: CollectionPath((parent?.resource ?? .root).appending(Text(request.collectionID))),
                documentID: request.documentID.isEmpty ? nil : Text(request.documentID), of: name.database,
                by: call.credentials)
            return document.cut(to: mask).message(in: name.database)
        }

        func grpcUpdateDocument(
            _ request: ProtoUpdateDocumentRequest, _ call: GRPCCall
        ) async throws(RequestError) -> ProtoDocument {
            let name = try ResourceName(parsing: request.document.name)
            let mask = request.hasMask ? try [FieldPath](maskPaths: request.mask.fieldPaths) : nil
            let document = try await updateDocument(
                try name.document(request.document.name),
                try Fields(request.document.fields, in: name.database),
                mask: request.hasUpdateMask ? try [FieldPath](request.updateMask) : nil,
                precondition: request.hasCurrentDocument ? try Precondition(request.currentDocument) : nil,
                of: name.database, by: call.credentials)
            return document.cut(to: mask).message(in: name.database)
        }

        func grpcDeleteDocument(
            _ request: ProtoDeleteDocumentRequest, _ call: GRPCCall
        ) async throws(RequestError) -> Google_Protobuf_Empty {
            let name = try ResourceName(parsing: request.name)
            try await deleteDocument(
                try name.document(request.name),
                precondition: request.hasCurrentDocument ? try Precondition(request.currentDocument) : nil,
                of: name.database, by: call.credentials)
            return Google_Protobuf_Empty()
        }

        func grpcCommit(
            _ request: ProtoCommitRequest, _ call: GRPCCall
        ) async throws(RequestError) -> ProtoCommitResponse {
            let database = try ResourceName.database(request.database)
            let transaction = Array(request.transaction)
            let result = try await commit(
                try [Write](request.writes, in: database), transaction: transaction.isEmpty ? nil : transaction,
                in: database, by: call.credentials)
            var response = ProtoCommitResponse()
            response.writeResults = result.results.map(\.message)
            // Production names no time of a commit of nothing.
            if !result.results.isEmpty { response.commitTime = result.commitTime.message }
            return response
        }

        func grpcBatchWrite(
            _ request: ProtoBatchWriteRequest, _ call: GRPCCall
        ) async throws(RequestError) -> ProtoBatchWriteResponse {
            let database = try ResourceName.database(request.database)
            let results = try await batchWrite(
                try [Write](request.writes, in: database), in: database, by: call.credentials)
            var response = ProtoBatchWriteResponse()
            for result in results {
                var status = ProtoStatus()
                switch result {
                case .success(let result): response.writeResults.append(result.message)
                case .failure(let error):
                    response.writeResults.append(ProtoWriteResult())
                    status.code = Int32(error.status.rawValue)
                    status.message = error.message
                }
                response.status.append(status)
            }
            return response
        }

        func grpcBeginTransaction(
            _ request: ProtoBeginTransactionRequest, _ call: GRPCCall
        ) async throws(RequestError) -> ProtoBeginTransactionResponse {
            // Without options, a transaction of this call may write.
            let mode: TransactionMode =
                request.hasOptions && request.options.mode != nil
                ? try TransactionMode(request.options) : .readWrite(retrying: nil)
            var response = ProtoBeginTransactionResponse()
            response.transaction = Data(
                try await beginTransaction(mode, in: try ResourceName.database(request.database)))
            return response
        }

        func grpcRollback(
            _ request: ProtoRollbackRequest, _ call: GRPCCall
        ) async throws(RequestError) -> Google_Protobuf_Empty {
            try await rollback(Array(request.transaction), in: try ResourceName.database(request.database))
            return Google_Protobuf_Empty()
        }
    }

    extension WriteResponse {
        var message: ProtoWriteResponse {
            var message = ProtoWriteResponse()
            if let streamID { message.streamID = streamID }
            message.streamToken = Data(token)
            if let result {
                message.writeResults = result.results.map(\.message)
                message.commitTime = result.commitTime.message
            }
            return message
        }
    }

    extension [Write] {
        init(_ messages: [ProtoWrite], in database: DatabaseID) throws(RequestError) {
            self = []
            reserveCapacity(messages.count)
            for message in messages { append(try Write(message, in: database)) }
        }
    }
#endif
