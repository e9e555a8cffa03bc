// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreServer
    import Foundation
    import IndexCatalog
    import Synchronization
    import TestSupport

    /// A server in this process, on a free port, whose databases are in memory. It stops with the last reference.
    final class TestServer: Sendable {
        let server: HearthServer
        let port: Int
        private let failures: FailureLog

        /// - Parameter indexes: the text of a `firestore.indexes.json` for all databases.
        init(indexes: String? = nil, _ change: (inout ServerOptions) -> Void = { _ in }) throws {
            var options = ServerOptions()
            options.port = 0
            let failures = FailureLog()
            options.log = { failures.add($0) }
            change(&options)
            self.failures = failures
            let configuration = indexes.map { ConfigurationReader.read(Array($0.utf8)).configuration }
            server = try HearthServer(options, IndexSource(configuration))
            port = try server.start()
        }

        deinit { server.stop() }

        /// What the server logged as nobody's fault.
        var loggedFailures: [String] { failures.texts }
    }

    /// Texts that other threads add.
    private final class FailureLog: Sendable {
        private let state = Mutex<[String]>([])

        var texts: [String] { state.withLock { $0 } }

        func add(_ text: String) { state.withLock { $0.append(text) } }
    }

    /// Names that the tests use.
    enum Names {
        static let database = "projects/p/databases/(default)"
        static let root = "projects/p/databases/(default)/documents"

        /// The full name of a document.
        static func document(_ path: String) -> String { "\(root)/\(path)" }
    }
#endif
