// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreServer
    import Foundation
    import IndexCatalog
    import SecurityRules
    import Synchronization
    import TestSupport

    /// A server in this process, on a free port, whose databases are in memory. It stops with the last reference.
    final class TestServer: Sendable {
        let server: HearthServer
        let port: Int
        private let failures: FailureLog

        /// - Parameters:
        ///   - indexes: the text of a `firestore.indexes.json` for all databases.
        ///   - rules: the rules of all databases.
        init(
            indexes: String? = nil, rules: String? = nil, _ change: (inout ServerOptions) -> Void = { _ in }
        ) throws {
            var options = ServerOptions()
            options.port = 0
            let failures = FailureLog()
            options.log = { failures.add($0) }
            change(&options)
            self.failures = failures
            let configuration = indexes.map { ConfigurationReader.read(Array($0.utf8)).configuration }
            let source = RulesSource()
            if let rules { source.replace(ServedRules(rules)) }
            server = try HearthServer(options, IndexSource(configuration), source)
            port = try server.start()
        }

        deinit { server.stop() }

        /// What the server logged as nobody's fault.
        var loggedFailures: [String] { failures.texts }
    }

    extension ServedRules {
        /// Rules without errors.
        convenience init(_ text: String) {
            let (rules, issues) = RuleSet.compile(text)
            guard let rules else { fatalError("\(issues.map(\.line))") }
            self.init(name: "test.rules", text: text, rules: rules)
        }

        /// Rules of documents.
        convenience init(documents: String) { self.init(ServedRules.frame("    \(documents)")) }

        /// A source whose fourth line begins the rules of documents.
        static func frame(_ documents: String) -> String {
            """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
            \(documents)
              }
            }

            """
        }
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
        /// The database of recorded cases of rules.
        static let demo = "projects/demo/databases/(default)"
        static let root = "projects/p/databases/(default)/documents"

        /// The full name of a document.
        static func document(_ path: String) -> String { "\(root)/\(path)" }
    }
#endif
