// SPDX-License-Identifier: Apache-2.0

#if Server
    package import DocumentModel
    package import SecurityRules
    internal import Synchronization

    /// Rules with the text that they were compiled from.
    package struct ServedRules: Sendable {
        /// The name of the file.
        package let name: String
        package let text: String
        package let rules: RuleSet

        package init(name: String, text: String, rules: RuleSet) {
            self.name = name
            self.text = text
            self.rules = rules
        }
    }

    /// The rules of databases: those of files, for all or for each database ID, and those that a request has set for one
    /// database. A database without any allows everything.
    package final class RulesSource: Sendable {
        private struct State {
            var common: ServedRules?
            var byDatabase: [Text: ServedRules] = [:]
            var set: [DatabaseID: ServedRules] = [:]
            /// Since the rules last changed.
            var coverage: [DatabaseID: CoverageCounter] = [:]

            func rules(of database: DatabaseID) -> ServedRules? {
                set[database] ?? byDatabase[database.database] ?? common
            }
        }

        private let state = Mutex(State())
        /// They hear of each change.
        let observers = Observers()

        package init() {}

        /// Nil if everything is allowed.
        func rules(of database: DatabaseID) -> ServedRules? {
            state.withLock { $0.rules(of: database) }
        }

        /// What the rules of a database have come to since they were set; nil without rules.
        func coverage(of database: DatabaseID) -> CoverageCounter? {
            state.withLock { state in
                if let known = state.coverage[database] { return known }
                guard let served = state.rules(of: database) else { return nil }
                let counter = CoverageCounter(served)
                state.coverage[database] = counter
                return counter
            }
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
            state.withLock {
                body(&$0)
                $0.coverage = [:]
            }
            observers.notify()
        }
    }
#endif
