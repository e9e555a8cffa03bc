// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol

    // Without the rest of Foundation the program is half as large.
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension ProtoListenResponse {
        static func change(
            _ type: ProtoTargetChange.TargetChangeType, _ targets: [Int32] = [], at token: ResumeToken? = nil,
            cause: RequestError? = nil
        ) -> ProtoListenResponse {
            // Built apart: a change within a response copies the response's part.
            var change = ProtoTargetChange()
            change.targetChangeType = type
            change.targetIds = targets
            if let token {
                change.resumeToken = Data(token.bytes)
                change.readTime = token.time.message
            }
            if let cause {
                change.cause.code = Int32(cause.status.rawValue)
                change.cause.message = cause.message
            }
            var response = ProtoListenResponse()
            response.targetChange = change
            return response
        }

        /// The end of a state that clients may show.
        static func boundary(at token: ResumeToken) -> ProtoListenResponse { change(.noChange, at: token) }

        /// A document that belongs to a target, or no longer belongs to it but exists.
        static func document(
            _ document: ProtoDocument, added: [Int32] = [], removed: [Int32] = []
        ) -> ProtoListenResponse {
            var change = ProtoDocumentChange()
            change.document = document
            change.targetIds = added
            change.removedTargetIds = removed
            var response = ProtoListenResponse()
            response.documentChange = change
            return response
        }

        /// A document that does not exist.
        static func deletion(_ name: String, _ target: Int32, at time: Timestamp) -> ProtoListenResponse {
            var response = ProtoListenResponse()
            response.documentDelete.document = name
            response.documentDelete.removedTargetIds = [target]
            response.documentDelete.readTime = time.message
            return response
        }

        /// A document that has left a target without a change of its own, as others took its place, or with one that rules hide.
        static func removal(_ name: String, _ target: Int32, at time: Timestamp) -> ProtoListenResponse {
            var response = ProtoListenResponse()
            response.documentRemove.document = name
            response.documentRemove.removedTargetIds = [target]
            response.documentRemove.readTime = time.message
            return response
        }
    }

    extension ListenTarget {
        /// The messages with which an error ends the target. The documents of a query that rules refuse are taken back first.
        func end(_ error: RequestError) -> [ProtoListenResponse] {
            var messages = [ProtoListenResponse.change(.remove, [id], cause: error)]
            if error.status == .permissionDenied, case .query = kind { messages.insert(.change(.reset, [id]), at: 0) }
            return messages
        }
    }
#endif
