// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import FirestoreServer
    import Foundation
    import SwiftProtobuf
    import TestSupport
    import Testing

    /// Answers of more than one page are the same as if they were one: computed here from the numbers themselves.
    @Suite struct PagedQueryTests {
        static let count = 1_500

        /// No message follows the last document, also where documents fill their pages exactly.
        @Test(arguments: [1, 99, 100, 101, 300]) func messages(count: Int) async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", count, size: 10_000)
            let responses: [ProtoRunQueryResponse] = try await connection.stream(
                "RunQuery", ProtoRunQueryRequest(.all("c")))
            #expect(responses.count == count)
            #expect(responses.filter(\.hasDocument).count == count)
            var request = ProtoRunQueryRequest(.all("c"))
            request.explainOptions.analyze = true
            let explained: [ProtoRunQueryResponse] = try await connection.stream("RunQuery", request)
            #expect(explained.map(\.hasDocument) == Array(repeating: true, count: count) + [false])
            let statistics = try #require(explained.last).explainMetrics.executionStats
            #expect(statistics.resultsReturned == Int64(count) && statistics.readOperations == Int64(count))
        }

        private struct Case: CustomStringConvertible {
            let name: String
            let query: ProtoStructuredQuery
            let expected: [Int]
            var description: String { name }
        }

        /// Pages of large documents end before they have as many as others.
        private static func fields(_ number: Int) -> [String: ProtoValue] {
            [
                "bytes": .with { $0.bytesValue = Data(count: number % 15 == 0 ? 40_000 : 0) },
                "n": ProtoValue(number % 7), "m": ProtoValue(number % 3), "k": ProtoValue(number),
                "tags": .with { $0.arrayValue.values = [ProtoValue(number % 2), ProtoValue(number % 5 + 10)] },
            ]
        }

        private static var cases: [Case] {
            let all = Array(0..<count)
            func sorted(_ numbers: [Int], by key: (Int) -> Int, descending: Bool = false) -> [Int] {
                numbers.sorted { (key($0), $0) < (key($1), $1) }.inverted(descending)
            }
            var inequality = ProtoStructuredQuery.all("c").filtered("n", .greaterThanOrEqual, ProtoValue(2))
            inequality.offset = 7
            var limited = ProtoStructuredQuery.all("c").ordered("n")
            limited.limit.value = 333
            var projected = ProtoStructuredQuery.all("c").ordered("m", .descending)
            projected.select.fields = [.with { $0.fieldPath = "k" }]
            var either = ProtoStructuredQuery.all("c")
            either.where.compositeFilter.op = .or
            either.where.compositeFilter.filters = [("n", 3), ("m", 1)].map { field, value in
                ProtoStructuredQuery.all("c").filtered(field, .equal, ProtoValue(value)).where
            }
            var both = either
            both.where.compositeFilter.op = .and
            var bounded = ProtoStructuredQuery.all("c").ordered("k")
            bounded.startAt.values = [ProtoValue(11)]
            bounded.endAt.values = [ProtoValue(1_400)]
            bounded.endAt.before = true
            var several = ProtoStructuredQuery.all("c")
            several.where.fieldFilter.field.fieldPath = "n"
            several.where.fieldFilter.op = .in
            several.where.fieldFilter.value.arrayValue.values = [1, 4, 5].map { ProtoValue($0) }
            return [
                Case(name: "all", query: .all("c"), expected: all),
                Case(
                    name: "names descending", query: .all("c").ordered("__name__", .descending),
                    expected: all.reversed()),
                Case(
                    name: "equality", query: .all("c").filtered("m", .equal, ProtoValue(1)),
                    expected: all.filter { $0 % 3 == 1 }),
                Case(
                    name: "inequality and offset", query: inequality,
                    expected: Array(sorted(all.filter { $0 % 7 >= 2 }, by: { $0 % 7 }).dropFirst(7))),
                Case(name: "limit", query: limited, expected: Array(sorted(all, by: { $0 % 7 }).prefix(333))),
                Case(
                    name: "projection", query: projected, expected: sorted(all, by: { $0 % 3 }, descending: true)),
                Case(name: "or", query: either, expected: all.filter { $0 % 7 == 3 || $0 % 3 == 1 }),
                Case(name: "merge", query: both, expected: all.filter { $0 % 7 == 3 && $0 % 3 == 1 }),
                Case(name: "cursors", query: bounded, expected: Array(12..<1_400)),
                Case(name: "in", query: several, expected: all.filter { [1, 4, 5].contains($0 % 7) }),
                Case(
                    name: "in and order", query: several.ordered("n", .descending),
                    expected: sorted(all.filter { [1, 4, 5].contains($0 % 7) }, by: { $0 % 7 }, descending: true)),
                Case(
                    name: "not equal", query: .all("c").filtered("n", .notEqual, ProtoValue(6)),
                    expected: sorted(all.filter { $0 % 7 != 6 }, by: { $0 % 7 })),
                Case(
                    name: "array", query: .all("c").filtered("tags", .arrayContains, ProtoValue(1)),
                    expected: all.filter { $0 % 2 == 1 }),
                Case(
                    name: "equality and order on it",
                    query: .all("c").filtered("n", .equal, ProtoValue(3)).ordered("n", .descending),
                    expected: all.filter { $0 % 7 == 3 }.reversed()),
            ]
        }

        @Test(arguments: [IndexMode.strict, .permissive]) func pagesAreOneAnswer(_ mode: IndexMode) async throws {
            let indexes =
                #"{"indexes":[{"collectionGroup":"c","queryScope":"COLLECTION","fields":[{"fieldPath":"__name__","order":"DESCENDING"}]}]}"#
            let server = try TestServer(indexes: indexes) { $0.mode = mode }
            let connection = try await GRPCConnection.open(server.port)
            for start in stride(from: 0, to: Self.count, by: 500) {
                try await connection.commit(
                    (start..<start + 500).map { .set("c/d\(String(100_000 + $0).dropFirst())", Self.fields($0)) })
            }
            for test in Self.cases {
                do {
                    let found = try await connection.ids(test.query).map { Int($0.dropFirst()) }
                    #expect(found == test.expected, "\(test)")
                } catch {
                    Issue.record("\(test): \(error)")
                }
            }
        }

        /// A query without an index is a scan, and its second page holds all rows that are left.
        @Test(arguments: [IndexMode.permissive, .record], [1, 100, 101, 1_500])
        func pagesOfAScan(_ mode: IndexMode, count: Int) async throws {
            let server = try TestServer { $0.mode = mode }
            let connection = try await GRPCConnection.open(server.port)
            for start in stride(from: 0, to: count, by: 500) {
                try await connection.commit(
                    (start..<min(start + 500, count)).map { .set("c/d\($0)", Self.fields($0)) })
            }
            let query = ProtoStructuredQuery.all("c").filtered("m", .lessThan, ProtoValue(5)).ordered("m").ordered("k")
            let found = try await connection.ids(query).map { Int($0.dropFirst()) }
            #expect(found == (0..<count).sorted { ($0 % 3, $0) < ($1 % 3, $1) })
        }

        /// A transaction has read what is within its limit, however many pages that took.
        @Test(arguments: [true, false]) func limitsOfLargeDocuments(isWithin: Bool) async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            try await connection.commit(
                (0..<20).map { .set("c/d\(10 + $0)", ["b": .with { $0.bytesValue = Data(count: 300_000) }]) })
            let begun: ProtoBeginTransactionResponse = try await connection.unary(
                "BeginTransaction", ProtoBeginTransactionRequest.with { $0.database = Names.database })
            var request = ProtoRunQueryRequest(.all("c"))
            request.structuredQuery.limit.value = 10
            request.transaction = begun.transaction
            let found: [ProtoRunQueryResponse] = try await connection.stream("RunQuery", request)
            #expect(found.count == 10)
            try await connection.commit([.set(isWithin ? "c/d18a" : "c/d20a", [:])])
            let committed = try? await connection.commit([.set("d/e", [:])], transaction: begun.transaction)
            #expect((committed == nil) == isWithin)
        }

        /// With the order by name that a cursor needs, it would have a component too many (Q-35).
        @Test func aQueryOfAsManyComponentsAsThereMayBe() async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            try await connection.commit(
                (0..<350).map { number in
                    var fields = ["a": ProtoValue(number % 25)]
                    for name in ["b", "c", "d"] { fields[name] = ProtoValue(1) }
                    return .set("c/d\(1_000 + number)", fields)
                })
            var query = ProtoStructuredQuery.all("c")
            query.offset = 3
            query.where.compositeFilter.op = .and
            let values = ProtoValue.with { $0.arrayValue.values = (0..<25).map { ProtoValue($0) } }
            query.where.compositeFilter.filters =
                [ProtoStructuredQuery.all("c").filtered("a", .in, values).where]
                + ["b", "c", "d"].map { ProtoStructuredQuery.all("c").filtered($0, .equal, ProtoValue(1)).where }
            #expect(try await connection.ids(query) == (3..<350).map { "d\(1_000 + $0)" })
            query.limit.value = 300
            #expect(try await connection.ids(query) == (3..<303).map { "d\(1_000 + $0)" })
        }
    }

    extension [Int] {
        fileprivate func inverted(_ isInverted: Bool) -> [Int] { isInverted ? reversed() : self }
    }
#endif
