// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import SwiftProtobuf

    /// The status of a call that failed.
    struct GRPCFailure: Error, Equatable, CustomStringConvertible {
        let status: StatusCode?
        let message: String

        init(_ response: GRPCResponse) {
            status = response.status.flatMap { StatusCode(rawValue: $0) }
            message = response.message
        }

        init(_ status: StatusCode, _ message: String) {
            self.status = status
            self.message = message
        }

        var description: String { "\(status?.name ?? "no status"): \(message)" }
    }

    /// The prefix of gRPC, and a message.
    func frame(_ message: [UInt8], isCompressed: Bool = false) -> [UInt8] {
        [isCompressed ? 1 : 0] + (0..<4).map { UInt8(truncatingIfNeeded: message.count >> (24 - 8 * $0)) } + message
    }

    func frame(_ message: some Message) throws -> [UInt8] { frame(try message.serializedBytes()) }

    extension GRPCConnection {
        /// A whole call, whatever its end.
        func exchange(_ method: String, _ request: some Message) async throws -> GRPCResponse {
            let stream = try await begin(method)
            await stream.send(try frame(request), isLast: true)
            return await stream.response()
        }

        /// The messages of a call that succeeds.
        ///
        /// - Throws: ``GRPCFailure`` with its status otherwise.
        func stream<Response: Message>(_ method: String, _ request: some Message) async throws -> [Response] {
            let response = try await exchange(method, request)
            guard response.status == 0 else { throw GRPCFailure(response) }
            return try response.messages.map { try Response(serializedBytes: $0) }
        }

        /// The message of a call that succeeds.
        func unary<Response: Message>(_ method: String, _ request: some Message) async throws -> Response {
            let messages: [Response] = try await stream(method, request)
            guard messages.count == 1 else { throw GRPCFailure(.internal, "\(messages.count) messages") }
            return messages[0]
        }

        /// Commits writes.
        @discardableResult
        func commit(_ writes: [ProtoWrite], transaction: Data? = nil) async throws -> ProtoCommitResponse {
            var request = ProtoCommitRequest()
            request.database = Names.database
            request.writes = writes
            if let transaction { request.transaction = transaction }
            return try await unary("Commit", request)
        }

        /// Writes documents that have one field `n`, and one of `size` bytes.
        func fill(_ collection: String, _ count: Int, size: Int = 0) async throws {
            let text = String(repeating: "x", count: size)
            for start in stride(from: 0, to: count, by: 500) {
                try await commit(
                    (start..<min(start + 500, count)).map { number in
                        var fields = ["n": ProtoValue(number)]
                        if size > 0 { fields["text"] = ProtoValue(text) }
                        return .set("\(collection)/d\(String(1_000_000 + number).dropFirst())", fields)
                    })
            }
        }

        /// The IDs of the documents that a query finds.
        func ids(_ query: ProtoStructuredQuery) async throws -> [String] {
            let responses: [ProtoRunQueryResponse] = try await stream("RunQuery", ProtoRunQueryRequest(query))
            return responses.filter(\.hasDocument).map { String($0.document.name.split(separator: "/").last ?? "") }
        }
    }

    extension ProtoRunQueryRequest {
        init(_ query: ProtoStructuredQuery) {
            self.init()
            parent = Names.root
            structuredQuery = query
        }
    }

    extension ProtoStructuredQuery {
        /// All documents of a collection.
        static func all(_ collection: String) -> ProtoStructuredQuery {
            var query = ProtoStructuredQuery()
            var selector = ProtoStructuredQuery.CollectionSelector()
            selector.collectionID = collection
            query.from = [selector]
            return query
        }

        func filtered(
            _ field: String, _ op: ProtoStructuredQuery.FieldFilter.Operator, _ value: ProtoValue
        ) -> ProtoStructuredQuery {
            var query = self
            query.where.fieldFilter.field.fieldPath = field
            query.where.fieldFilter.op = op
            query.where.fieldFilter.value = value
            return query
        }

        func ordered(_ field: String, _ direction: ProtoStructuredQuery.Direction = .ascending) -> ProtoStructuredQuery
        {
            var query = self
            var order = ProtoStructuredQuery.Order()
            order.field.fieldPath = field
            order.direction = direction
            query.orderBy.append(order)
            return query
        }
    }

    extension ProtoValue {
        init(_ number: Int) {
            self.init()
            integerValue = Int64(number)
        }

        init(_ text: String) {
            self.init()
            stringValue = text
        }
    }

    extension [ProtoFieldEntry] {
        init(_ fields: [String: ProtoValue]) {
            self = fields.sorted { $0.key < $1.key }.map { name, value in
                ProtoFieldEntry.with {
                    $0.key = name
                    $0.value = value
                }
            }
        }

        /// The value of a field.
        subscript(name: String) -> ProtoValue? { first { $0.key == name }?.value }
    }

    extension ProtoWrite {
        static func set(_ path: String, _ fields: [String: ProtoValue]) -> ProtoWrite {
            var write = ProtoWrite()
            write.update.name = Names.document(path)
            write.update.fields = [ProtoFieldEntry](fields)
            return write
        }

        static func delete(_ path: String) -> ProtoWrite {
            var write = ProtoWrite()
            write.delete = Names.document(path)
            return write
        }

        func ifExists(_ exists: Bool) -> ProtoWrite {
            var write = self
            write.currentDocument.exists = exists
            return write
        }
    }
#endif
