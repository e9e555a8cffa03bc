// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import FirestoreServer
    import CloudFirestore
    import IndexCatalog
    import SecurityRules
    import SyncCore
    import Synchronization

    /// `hearth serve` in this process, with databases in memory. It stops with the last reference.
    final class LocalServer: Sendable {
        private let server: HearthServer
        let port: Int

        static let database = DatabaseID(project: "p")

        /// - Parameter port: 0 for a free one.
        init(rules: String? = nil, indexes: IndexConfiguration? = nil, port: Int = 0) throws {
            var options = ServerOptions()
            options.port = port
            options.host = "127.0.0.1"
            let source = RulesSource()
            if let rules, let compiled = RuleSet.compile(rules).0 {
                source.replace(ServedRules(name: "test.rules", text: rules, rules: compiled))
            }
            server = try HearthServer(options, IndexSource(indexes), source)
            self.port = try server.start()
        }

        deinit { server.stop() }

        func stop() { server.stop() }

        var host: String { "127.0.0.1:\(port)" }

        func client() throws -> FirestoreClient {
            try FirestoreClient(project: "p", credentials: .emulator(host: host))
        }
    }

    extension FirestoreClient {
        /// Sets documents that have one field `n`.
        func fill(_ collection: String, _ count: Int) async throws {
            for start in stride(from: 0, to: count, by: 500) {
                _ = try await commit(
                    (start..<min(start + 500, count)).map {
                        Write.set(
                            DocumentPath(collection, "d\(1_000_000 + $0)"), Fields([Field("n", .integer(Int64($0)))])!)
                    })
            }
        }
    }

    extension DocumentPath {
        init(_ collection: String, _ id: String) {
            self.init(ResourcePath(segments: [Text(collection), Text(id)]))
        }
    }
#endif
