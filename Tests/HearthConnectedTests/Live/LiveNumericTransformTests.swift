// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import Foundation
    import Hearth
    import TestSupport
    import Testing

    /// Increments, minima and maxima: what the client expects is what the server makes.
    @Suite struct LiveNumericTransformTests {
        enum Operation: Sendable {
            case increment(Value), minimum(Value), maximum(Value)

            var fieldValue: FieldValue {
                switch self {
                case .increment(.integer(let n)): .increment(n)
                case .increment(.double(let n)): .increment(n)
                case .minimum(.integer(let n)): .minimum(n)
                case .minimum(.double(let n)): .minimum(n)
                case .maximum(.integer(let n)): .maximum(n)
                case .maximum(.double(let n)): .maximum(n)
                default: preconditionFailure("not a number")
                }
            }
        }

        struct Row: Sendable {
            /// What the field holds; nil if there is no document.
            let base: Value?
            let operation: Operation
            let result: Value

            init(_ base: Value?, _ operation: Operation, _ result: Value) {
                (self.base, self.operation, self.result) = (base, operation, result)
            }
        }

        static let rows = [
            Row(nil, .increment(1337), 1337),
            Row(1, .increment(1337), 1338),
            Row(1337, .increment(1), 1338),
            Row(13.5, .increment(0.25), 13.75),
            Row(13.5, .increment(1), 14.5),
            Row(1337, .increment(0.5), 1337.5),
            Row("overwrite", .increment(1337), 1337),
            Row("overwrite", .increment(13.5), 13.5),
            Row(nil, .minimum(1337), 1337),
            Row(nil, .maximum(1337), 1337),
            Row(10, .minimum(5), 5),
            Row(5, .minimum(20), 5),
            Row(10, .maximum(5), 10),
            Row(10, .maximum(20), 20),
            Row(10.5, .minimum(5.5), 5.5),
            Row(5.5, .minimum(20.5), 5.5),
            Row(10.5, .maximum(5.5), 10.5),
            Row(10.5, .maximum(20.5), 20.5),
            // The type is that of the operand which is taken.
            Row(10, .minimum(5.5), 5.5),
            Row(10.5, .minimum(5), 5),
            Row(10, .maximum(20.5), 20.5),
            Row(10.5, .maximum(20), 20),
            // Equal ones change nothing.
            Row(3, .minimum(3.0), 3),
            Row(3.0, .minimum(3), 3.0),
            Row(3, .maximum(3.0), 3),
            Row(3.0, .maximum(3), 3.0),
            Row(.double(.nan), .minimum(5), .double(.nan)),
            Row(5, .minimum(.double(.nan)), .double(.nan)),
            Row(.double(.nan), .maximum(5), .double(.nan)),
            Row(5, .maximum(.double(.nan)), .double(.nan)),
        ]

        private func listen(_ client: LiveClient) async throws -> Heard<DocumentSnapshot> {
            let heard = client.listen(to: client.collection.document("d"), includeMetadataChanges: true)
            _ = try await heard.first("the first result") { !$0.metadata.isFromCache }
            return heard
        }

        private func value(_ snapshot: DocumentSnapshot) -> Value? {
            switch snapshot["n"] {
            case let n as Int: .integer(Int64(n))
            case let n as Double: .double(n)
            default: nil
            }
        }

        private func expectPendingAndSettled(_ heard: Heard<DocumentSnapshot>, _ result: Value) async throws {
            let pending = try await heard.first("the own write") { $0.metadata.hasPendingWrites }
            #expect(value(pending) == result)
            let settled = try await heard.first("the server's answer") { !$0.metadata.hasPendingWrites }
            #expect(value(settled) == result)
        }

        @Test(arguments: LiveServer.present, rows.indices)
        func results(_ server: LiveServer, _ number: Int) async throws {
            let row = LiveNumericTransformTests.rows[number]
            let client = try await LiveClient(server)
            if let base = row.base { try await client.serve(["d": base]) }
            let heard = try await listen(client)
            let document = client.collection.document("d")
            if row.base == nil {
                try await document.setData(["n": row.operation.fieldValue])
            } else {
                try await document.updateData(["n": row.operation.fieldValue])
            }
            try await expectPendingAndSettled(heard, row.result)
        }

        /// - Parameter isThere: whether the document exists.
        @Test(arguments: LiveServer.present, [false, true])
        func merged(_ server: LiveServer, _ isThere: Bool) async throws {
            let client = try await LiveClient(server)
            if isThere { try await client.serve(["d": 1]) }
            let heard = try await listen(client)
            try await client.collection.document("d").setData(
                ["n": FieldValue.increment(Int64(1337))], merge: true)
            try await expectPendingAndSettled(heard, isThere ? 1338 : 1337)
        }

        @Test(arguments: LiveServer.present) func queued(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            try await client.serve(["d": .double(0)])
            let heard = try await listen(client)
            try await client.database.disableNetwork()
            var expected = 0.0
            for n in [0.5, 0.25, 0.125] {
                client.collection.document("d").updateData(["n": FieldValue.increment(n)], completion: nil)
                expected += n
                let pending = try await heard.first("the own write") { $0.metadata.hasPendingWrites }
                #expect(value(pending) == .double(expected))
            }
            try await client.database.enableNetwork()
            let settled = try await heard.first("the server's answer") { !$0.metadata.hasPendingWrites }
            #expect(value(settled) == .double(expected))
        }

        /// - Parameter isDeletedBetween: whether the field is deleted between the increments.
        @Test(arguments: LiveServer.present, [false, true])
        func inABatch(_ server: LiveServer, _ isDeletedBetween: Bool) async throws {
            let client = try await LiveClient(server)
            try await client.serve(["d": "overwrite"])
            let heard = try await listen(client)
            let (document, batch) = (client.collection.document("d"), client.database.batch())
            batch.updateData(["n": FieldValue.increment(Int64(1))], forDocument: document)
            if isDeletedBetween { batch.updateData(["n": FieldValue.delete()], forDocument: document) }
            batch.updateData(["n": FieldValue.increment(Int64(3))], forDocument: document)
            try await batch.commit()
            try await expectPendingAndSettled(heard, isDeletedBetween ? 3 : 4)
        }

        /// Two pending transforms of one field, the second of which knows nothing of the first one's value.
        @Test(arguments: LiveServer.present) func timestampsAndIncrements(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            let heard = try await listen(client)
            let document = client.collection.document("d")
            try await client.database.disableNetwork()
            document.setData(["n": FieldValue.serverTimestamp()], completion: nil)
            document.setData(["n": FieldValue.increment(Int64(1))], completion: nil)
            let first = try await heard.first("the time") { $0.metadata.hasPendingWrites }
            #expect(first.get("n", serverTimestampBehavior: .estimate) is Hearth.Timestamp)
            let second = try await heard.first("the number") { $0.metadata.hasPendingWrites }
            #expect(value(second) == 1)
            try await client.database.enableNetwork()
            let settled = try await heard.first("the server's answer") { !$0.metadata.hasPendingWrites }
            #expect(value(settled) == 1)
        }
    }
#endif
