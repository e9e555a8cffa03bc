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

        /// As in the emulator, all must be well-formed, and the first one, which must compile, decides. There is one at least.
        let files: [File]
        /// What each request is answered if they do not compile, where it was asked for them in spite of that. As in the emulator, the
        /// text has the warnings too.
        let compiled: Result<RuleSet, RequestError>

        package init(name: String, text: String, rules: RuleSet) {
            files = [File(name: name, text: text, issues: rules.issues)]
            compiled = .success(rules)
        }

        /// - Parameter sources: one at least.
        init(compiling sources: [(name: String, text: String)]) {
            let first = RuleSet.compile(sources[0].text)
            var issues = sources.map { RuleSet.structuralErrors(of: $0.text) }
            let areRead = issues.allSatisfy(\.isEmpty)
            if areRead { issues[0] = first.issues }
            files = zip(sources, issues).map { File(name: $0.name, text: $0.text, issues: $1) }
            if areRead, let rules = first.rules {
                compiled = .success(rules)
            } else {
                let lines = issues.joined().map(\.line).joined(separator: "\n")
                compiled = .failure(.invalid("Error compiling rules:\n\(lines)"))
            }
        }

        /// Of the file that decides.
        package var name: String { files[0].name }
        package var text: String { files[0].text }

        /// About how many bytes the sources and what is said of them take.
        fileprivate var byteCount: Int {
            files.reduce(1_000) { $0 + $1.name.utf8.count + $1.text.utf8.count + 200 * $1.issues.count }
        }
    }

    /// The rules of databases: those of files, for all or for each database ID, and those that a request has set for one
    /// database. A database without any allows everything.
    package final class RulesSource: Sendable {
        private struct State {
            var common: ServedRules?
            var byDatabase: [Text: ServedRules] = [:]
            var set: [DatabaseID: ServedRules] = [:]
            /// What those that were set take.
            var setBytes = 0
        }

        private let state = Mutex(State())
        private let limit: Int
        /// They hear of each change.
        let observers = Observers()

        /// - Parameter limit: how many bytes the sources may take that requests set, which may name any number of databases.
        package init(limit: Int = 64_000_000) { self.limit = limit }

        /// Nil if everything is allowed.
        func rules(of database: DatabaseID) -> ServedRules? {
            state.withLock { $0.set[database] ?? $0.byDatabase[database.database] ?? $0.common }
        }

        /// Replaces all rules, also those that requests have set.
        package func replace(_ common: ServedRules?, byDatabase: [Text: ServedRules] = [:]) {
            state.withLock { state in
                state.common = common
                state.byDatabase = byDatabase
                state.set = [:]
                state.setBytes = 0
            }
            observers.notify()
        }

        /// Sets the rules of one database.
        func set(_ rules: ServedRules, of database: DatabaseID) throws(RequestError) {
            let hasRoom = state.withLock { state in
                let bytes = state.setBytes - (state.set[database]?.byteCount ?? 0) + rules.byteCount
                guard bytes <= limit else { return false }
                state.set[database] = rules
                state.setBytes = bytes
                return true
            }
            guard hasRoom else { throw RulesSource.full }
            observers.notify()
        }

        private static let full = RequestError(
            .resourceExhausted,
            "The server keeps no further rules: those that were set for databases take too much memory. Use fewer projects, set shorter "
                + "rules, or start the server again.")
    }
#endif
