// SPDX-License-Identifier: Apache-2.0

#if Server
    package import DocumentModel
    internal import FirestoreProtocol
    package import SecurityRules
    internal import Synchronization

    /// Rules with the files that they were compiled from.
    package final class ServedRules: Sendable {
        struct File: Sendable {
            let name: String
            let text: String
            /// What the compiler says.
            let issues: [RuleIssue]
        }

        /// As in the emulator, all must compile, and the first one decides. There is one at least.
        let files: [File]
        /// What each request is answered if one of the files does not compile, where it was asked for them in spite of that.
        let compiled: Result<RuleSet, RequestError>

        package init(name: String, text: String, rules: RuleSet) {
            files = [File(name: name, text: text, issues: rules.issues)]
            compiled = .success(rules)
        }

        init(compiling sources: [(name: String, text: String)]) {
            let results = sources.map { RuleSet.compile($0.text) }
            files = zip(sources, results).map { File(name: $0.name, text: $0.text, issues: $1.issues) }
            if let first = results.first?.rules, results.allSatisfy({ $0.rules != nil }) {
                compiled = .success(first)
            } else {
                let errors = results.flatMap { $0.issues }.filter { $0.severity == .error }
                compiled = .failure(
                    .invalid("Error compiling rules:\n\(errors.map(\.line).joined(separator: "\n"))"))
            }
        }

        /// Of the file that decides.
        package var name: String { files[0].name }
        package var text: String { files[0].text }
    }

    /// The rules of databases: those of files, for all or for each database ID, and those that a request has set for one
    /// database. A database without any allows everything.
    package final class RulesSource: Sendable {
        private struct State {
            var common: ServedRules?
            var byDatabase: [Text: ServedRules] = [:]
            var set: [DatabaseID: ServedRules] = [:]
        }

        private let state = Mutex(State())
        /// They hear of each change.
        let observers = Observers()

        package init() {}

        /// Nil if everything is allowed.
        func rules(of database: DatabaseID) -> ServedRules? {
            state.withLock { $0.set[database] ?? $0.byDatabase[database.database] ?? $0.common }
        }

        /// Replaces all rules, also those that requests have set.
        package func replace(_ common: ServedRules?, byDatabase: [Text: ServedRules] = [:]) {
            change { state in
                state.common = common
                state.byDatabase = byDatabase
                state.set = [:]
            }
        }

        /// Sets the rules of one database.
        func set(_ rules: ServedRules, of database: DatabaseID) { change { $0.set[database] = rules } }

        private func change(_ body: (inout State) -> Void) {
            state.withLock { body(&$0) }
            observers.notify()
        }
    }
#endif
