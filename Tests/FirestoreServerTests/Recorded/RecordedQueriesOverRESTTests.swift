// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreServer
    import Foundation
    import IndexCatalog
    import TestSupport
    import Testing

    /// The queries recorded from production, sent to the REST interface word for word. Document sets that a query cannot tell
    /// apart from others have a database each.
    @Suite struct RecordedQueriesOverRESTTests {
        @Test func production2026() async throws {
            guard let data = Locations.sharedData() else { return }
            let indexes = try String(
                contentsOf: data.appending(path: "production-2026/configurations.ndjson"), encoding: .utf8)
            try await run(try TestServer(indexes: indexes), data, "production-2026/queries", atLeast: 380)
        }

        @Test func production2020() async throws {
            guard let data = Locations.sharedData() else { return }
            try await run(
                try TestServer { $0.mode = .permissive }, data, "production-queries/cases", atLeast: Rounds.of(2_900))
        }

        private func run(_ server: TestServer, _ data: URL, _ file: String, atLeast minimum: Int) async throws {
            let recorded = data.appending(path: file + ".ndjson")
            let sets = try documentSets(recorded.deletingLastPathComponent().appending(path: "docsets.ndjson"))
            var filled: Set<String> = []
            var count = 0
            var skipped: [String: Int] = [:]
            let isLarge = minimum > 1_000 || Rounds.share > 1 && file.hasPrefix("production-queries")
            for (index, line) in try lines(recorded).enumerated() where !isLarge || index % Rounds.share == 0 {
                let object = try Self.object(line)
                if let reason = Self.reasonToSkip(object, sets) {
                    skipped[reason, default: 0] += 1
                    continue
                }
                let set = try #require(object["docset"] as? String)
                let database = "projects/hearth/databases/\(set)"
                if filled.insert(set).inserted { try await fill(server, database, sets[set] ?? [:]) }
                try await compare(server, object, database)
                count += 1
            }
            print("\(file): \(count) cases answered over REST, skipped \(skipped)")
            #expect(count >= minimum)
        }

        private func fill(_ server: TestServer, _ database: String, _ documents: [String: Any]) async throws {
            let all = documents.map { path, fields in
                ["update": ["name": "\(database)/documents/\(path)", "fields": fields]]
            }
            for start in stride(from: 0, to: all.count, by: 500) {
                let body = try Self.text(["writes": Array(all[start..<min(start + 500, all.count)])])
                let reply = try await server.http(
                    "POST", "/v1/\(database)/documents:commit", Self.moved(body, to: database))
                try #require(reply.status == 200, "\(database): \(reply.text.prefix(500))")
            }
        }

        private func compare(_ server: TestServer, _ object: [String: Any], _ database: String) async throws {
            let id = object["id"] as? String ?? "?"
            let isAggregation = object["structuredAggregationQuery"] != nil
            let key = isAggregation ? "structuredAggregationQuery" : "structuredQuery"
            let body = Self.moved(try Self.text([key: object[key] ?? [:]]), to: database)
            let parent = (object["parent"] as? String).flatMap { $0.isEmpty ? nil : "/\($0)" } ?? ""
            let escaped = try #require(parent.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed))
            let verb = isAggregation ? "runAggregationQuery" : "runQuery"
            let reply = try await server.http("POST", "/v1/\(database)/documents\(escaped):\(verb)", body)
            let expect = try #require(object["expect"] as? [String: Any])
            if let status = expect["error"] as? String {
                #expect(reply.error?.status == status, "\(id): \(reply.text.prefix(300))")
                let message = expect["message"] as? String ?? ""
                if status == "INVALID_ARGUMENT", !isOfItsProject(message),
                    object["configuration"] != nil
                {
                    #expect(reply.error?.message == message, "\(id)")
                }
                return
            }
            try #require(reply.status == 200, "\(id): \(reply.text.prefix(300))")
            if let names = expect["names"] as? [String] {
                let prefix = "\(database)/documents/"
                let found = reply.array.compactMap { ($0["document"] as? [String: Any])?["name"] as? String }
                #expect(found.map { String($0.dropFirst(prefix.count)) } == names, "\(id)")
            } else if let aggregates = expect["aggregates"] as? [String: Any] {
                let result = reply.array.first?["result"] as? [String: Any]
                let values = try #require(result?["aggregateFields"] as? [String: Any], "\(id)")
                #expect(values.keys.sorted() == aggregates.keys.sorted(), "\(id)")
                for (alias, wanted) in aggregates {
                    let agree = Self.isNear(
                        try RecordedJSON.value(wanted), try RecordedJSON.value(try #require(values[alias])))
                    #expect(agree, "\(id): \(values)")
                }
            }
        }

        private static func reasonToSkip(_ object: [String: Any], _ sets: [String: [String: Any]]) -> String? {
            let tags = Set(object["tags"] as? [String] ?? [])
            for tag in [
                "restriction-lifted-since", "exact-order-differs", "datastore-namespace", "read-time", "disputed",
            ] where tags.contains(tag) { return tag }
            let expect = object["expect"] as? [String: Any] ?? [:]
            guard let set = object["docset"] as? String, let documents = sets[set] else { return "own documents" }
            if let names = expect["names"] as? [String], !Set(documents.keys).isSuperset(of: names) {
                return "expects a document that is not there"
            }
            if expect["missingIndex"] != nil, (object["configuration"] as? String) == nil { return "missing index" }
            return nil
        }

        /// References of the recording are paths.
        private static func moved(_ body: String, to database: String) -> String {
            body.replacing(/"referenceValue":"(?!projects\/)/, with: #""referenceValue":"\#(database)/documents/"#)
        }

        /// Messages that name the recording's project, or count its characters.
        private func isOfItsProject(_ message: String) -> Bool {
            message.contains("attempting to access database") || message.contains("lacks \"/\" at index")
        }

        /// The rounding of sums of doubles depends on the order of addition.
        private static func isNear(_ expected: Value, _ found: Value) -> Bool {
            guard case .double(let left) = expected, case .double(let right) = found, left.isFinite, right.isFinite
            else { return expected.isIdentical(to: found) }
            return abs(left - right) <= 1e-9 * max(1, abs(left))
        }

        private static func text(_ object: [String: Any]) throws -> String {
            String(
                decoding: try JSONSerialization.data(withJSONObject: object, options: .withoutEscapingSlashes),
                as: UTF8.self)
        }

        private static func object(_ line: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }

        private func documentSets(_ file: URL) throws -> [String: [String: Any]] {
            var sets: [String: [String: Any]] = [:]
            for line in try lines(file) {
                let object = try Self.object(line)
                sets[object["docset"] as? String ?? ""] = object["docs"] as? [String: Any]
            }
            return sets
        }

        private func lines(_ file: URL) throws -> [String] {
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        }
    }
#endif
