// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import SwiftProtobuf

    @testable import FirestoreServer

    /// What carries a Listen stream: the protocol itself or a stand-in.
    protocol ListenCarrier {
        /// Sends a request now or before the next response is awaited.
        func send(_ request: ProtoListenRequest)
        /// The next response; nil at the end.
        mutating func next() async throws -> ProtoListenResponse?
        /// The client sends nothing more.
        func finish()
    }

    /// A Listen stream whose messages are written as `ADD1 doc a CUR1 ∎`.
    final class Conversation: @unchecked Sendable {
        private var carrier: any ListenCarrier
        private let database: DatabaseID
        /// The last resume token.
        private(set) var token: [UInt8] = []
        /// The last time of a state.
        private(set) var time = Google_Protobuf_Timestamp()

        init(_ carrier: any ListenCarrier, _ database: DatabaseID = DatabaseID(project: "p")) {
            self.carrier = carrier
            self.database = database
        }

        /// Without a network.
        ///
        /// - Parameter whileSending: called whenever the server has sent messages, before it goes on.
        convenience init(
            _ service: FirestoreService, _ database: DatabaseID, as credentials: Credentials = .administrator,
            whileSending: @escaping @Sendable () -> Void = {}
        ) {
            self.init(DirectCarrier(service, credentials, whileSending), database)
        }

        deinit { carrier.finish() }

        func add(
            _ id: Int32, collection: String, equal: (String, ProtoValue)? = nil, orderedBy: String? = nil,
            limit: Int32? = nil, select: [String] = [],
            resumeToken: [UInt8] = [], readTime: Google_Protobuf_Timestamp? = nil, once: Bool = false,
            inAllParents: Bool = false, expectedCount: Int32? = nil
        ) {
            var target = ProtoTarget()
            target.targetID = id
            target.once = once
            if let expectedCount { target.expectedCount = .init(expectedCount) }
            target.query.parent = "\(database.resourceName)/documents"
            var selector = ProtoStructuredQuery.CollectionSelector()
            selector.collectionID = collection
            selector.allDescendants = inAllParents
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
            for path in select { target.query.structuredQuery.select.fields.append(.with { $0.fieldPath = path }) }
            if !resumeToken.isEmpty { target.resumeToken = Data(resumeToken) }
            if let readTime { target.readTime = readTime }
            send { $0.addTarget = target }
        }

        func add(
            _ id: Int32, documents: [String], readTime: Google_Protobuf_Timestamp? = nil, once: Bool = false
        ) {
            var target = ProtoTarget()
            target.targetID = id
            target.once = once
            if let readTime { target.readTime = readTime }
            target.documents.documents = documents.map { "\(database.resourceName)/documents/\($0)" }
            send { $0.addTarget = target }
        }

        func remove(_ id: Int32) { send { $0.removeTarget = id } }

        private func send(_ change: (inout ProtoListenRequest) -> Void) {
            var request = ProtoListenRequest()
            request.database = database.resourceName
            change(&request)
            carrier.send(request)
        }

        /// The messages up to the next boundary, or to a target's end by an error, which no boundary need follow.
        func state() async throws -> String {
            var texts: [String] = []
            repeat { texts.append(try await next()) } while texts.last != "∎" && texts.last?.contains("{") == false
            return texts.joined(separator: " ")
        }

        /// The messages up to the boundary behind CURRENT.
        func first() async throws -> String {
            var texts: [String] = []
            repeat { texts.append(try await state()) } while texts.last?.contains("CUR") == false
            return texts.joined(separator: " ")
        }

        func next() async throws -> String {
            guard let response = try await carrier.next() else {
                throw RequestError(.cancelled, "the stream has ended")
            }
            switch response.responseType {
            case .targetChange(let change):
                if !change.resumeToken.isEmpty { (token, time) = (Array(change.resumeToken), change.readTime) }
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

    /// The service itself.
    struct DirectCarrier: ListenCarrier {
        private let requests: AsyncThrowingStream<ListenRequest, any Error>.Continuation
        private var responses: AsyncThrowingStream<ProtoListenResponse, any Error>.AsyncIterator

        /// - Parameter first: a request that need not be the protocol's.
        init(
            _ service: FirestoreService, _ credentials: Credentials = .administrator, first: ListenRequest? = nil,
            _ whileSending: @escaping @Sendable () -> Void = {}
        ) {
            let (requestStream, requests) = AsyncThrowingStream<ListenRequest, any Error>.makeStream()
            let (responseStream, responses) = AsyncThrowingStream<ProtoListenResponse, any Error>.makeStream()
            self.requests = requests
            self.responses = responseStream.makeAsyncIterator()
            if let first { requests.yield(first) }
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

        func send(_ request: ProtoListenRequest) { requests.yield(ListenRequest(request)) }

        mutating func next() async throws -> ProtoListenResponse? { try await responses.next() }

        func finish() { requests.finish() }
    }
#endif
