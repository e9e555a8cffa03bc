// SPDX-License-Identifier: Apache-2.0

#if Connected
    package import DocumentModel
    package import FirestoreProtocol
    package import SyncCore

    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension SyncCore.WriteRequest {
        package func message(in database: DatabaseID) -> ProtoWriteRequest {
            var message = ProtoWriteRequest()
            message.database = database.resourceName
            switch self {
            case .handshake: break
            case .writes(let writes, let token):
                message.writes = writes.map { $0.message(in: database) }
                message.streamToken = Data(token)
            case .goodbye(let token): message.streamToken = Data(token)
            }
            return message
        }
    }

    extension SyncCore.WriteResponse {
        /// - Parameter count: how many writes are answered; nil for the answer to the handshake.
        package init(
            _ message: ProtoWriteResponse, toWrites count: Int?, in database: DatabaseID
        ) throws(RequestError) {
            var commit: CommitResult?
            if let count {
                commit = try CommitResult(
                    message.writeResults, at: message.hasCommitTime ? message.commitTime : nil, of: count, in: database)
            }
            self.init(streamToken: Array(message.streamToken), commit: commit)
        }
    }
#endif
