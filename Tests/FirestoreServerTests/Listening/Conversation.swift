// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import SwiftProtobuf

    @testable import FirestoreServer

    /// A Listen stream without a network, whose messages are written as `ADD1 doc a CUR1 ∎`.
    final class Conversation: @unchecked Sendable {
        private let requests: AsyncThrowingStream<ListenRequest, any Error>.Continuation
        private var responses: AsyncThrowingStream<ProtoListenResponse, any Error>.AsyncIterator
        private let database: DatabaseID
        /// The last resume token.
        private(set) var token: [UInt8] = []

        /// - Parameter whileSending: called whenever the server has sent messages, before it goes on.
        init(
            _ service: FirestoreService, _ database: DatabaseID, as credentials: Credentials = .administrator,
            whileSending: @escaping @Sendable () -> Void = {}
        ) {
            self.database = database
            let (requestStream, requests) = AsyncThrowingStream<ListenRequest, any Error>.makeStream()
            let (responseStream, responses) = AsyncThrowingStream<ProtoListenResponse, any Error>.makeStream()
            self.requests = requests
            self.responses = responseStream.makeAsyncIterator()
            Task {
                do {
                    try await service.listen(requestStream, as: credentials) {
                        for response in $0 { responses.yield(response) }
                        whileSending()
                    }
                    responses.finish()
                } catch {
                    responses.finish(throwing: error)
                }
            }
        }

        deinit { requests.finish() }

        func add(
            _ id: Int32, collection: String, equal: (String, ProtoValue)? = nil, orderedBy: String? = nil,
            limit: Int32? = nil,
            resumeToken: [UInt8] = [], readTime: Google_Protobuf_Timestamp? = nil, once: Bool = false
        ) {
            var target = ProtoTarget()
            target.targetID = id
            target.once = once
            target.query.parent = "\(database.resourceName)/documents"
            var selector = ProtoStructuredQuery.CollectionSelector()
            selector.collectionID = collection
            target.query.structuredQuery.from = [selector]
            if let (field, value) = equal {
                target.query.structuredQuery.where.fieldFilter.field.fieldPath = field
                target.query.structuredQuery.where.fieldFilter.op = .equal
                target.query.structuredQuery.where.fieldFilter.value = value
            }
            if let orderedBy {
                var order = ProtoStructuredQuery.Order()
                order.field.fieldPath = orderedBy
                target.query.structuredQuery.orderBy = [order]
            }
            if let limit { target.query.structuredQuery.limit = .init(limit) }
            if !resumeToken.isEmpty { target.resumeToken = Data(resumeToken) }
            if let readTime { target.readTime = readTime }
            send { $0.addTarget = target }
        }

        func add(_ id: Int32, documents: [String]) {
            var target = ProtoTarget()
            target.targetID = id
            target.documents.documents = documents.map { "\(database.resourceName)/documents/\($0)" }
            send { $0.addTarget = target }
        }

        func remove(_ id: Int32) { send { $0.removeTarget = id } }

        private func send(_ change: (inout ProtoListenRequest) -> Void) {
            var request = ProtoListenRequest()
            request.database = database.resourceName
            change(&request)
            requests.yield(ListenRequest(request))
        }

        /// The messages up to the next boundary, or to a target's end by an error, which no boundary need follow.
        func state() async throws -> String {
            var texts: [String] = []
            repeat { texts.append(try await next()) } while texts.last != "∎" && texts.last?.contains("{") == false
            return texts.joined(separator: " ")
        }

        func next() async throws -> String {
            guard let response = try await responses.next() else {
                throw RequestError(.cancelled, "the stream has ended")
            }
            switch response.responseType {
            case .targetChange(let change):
                if !change.resumeToken.isEmpty { token = Array(change.resumeToken) }
                return Conversation.text(change)
            case .documentChange(let change):
                let removed = change.removedTargetIds.map { " −\($0)" }.joined()
                return "doc \(Conversation.id(change.document.name))\(removed)"
            case .documentDelete(let deletion): return "del \(Conversation.id(deletion.document))"
            case .documentRemove(let removal): return "rem \(Conversation.id(removal.document))"
            case .filter(let filter): return "F(\(filter.count))"
            case nil: return "?"
            }
        }

        private static func text(_ change: ProtoTargetChange) -> String {
            let ids = change.targetIds.map { "\($0)" }.joined(separator: ",")
            let cause = change.hasCause ? "{\(change.cause.code), \(change.cause.message)}" : ""
            switch change.targetChangeType {
            case .noChange: return "∎"
            case .add: return "ADD\(ids)"
            case .remove: return "REMOVE\(ids)\(cause)"
            case .current: return "CUR\(ids)"
            case .reset: return "RESET\(ids)"
            case .UNRECOGNIZED(let number): return "?\(number)"
            }
        }

        private static func id(_ name: String) -> String { String(name.split(separator: "/").last ?? "") }
    }
#endif
