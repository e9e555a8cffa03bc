// SPDX-License-Identifier: Apache-2.0

#if Server
    package import DocumentModel
    package import SecurityRules
    internal import Synchronization

    /// Rules with the text that they were compiled from.
    package final class ServedRules: Sendable {
        /// The name of the file.
        package let name: String
        package let text: String
        package let rules: RuleSet
        /// Further files of the request that has set them, which decide nothing.
        let others: [ServedRules]

        package init(name: String, text: String, rules: RuleSet, others: [ServedRules] = []) {
            self.name = name
            self.text = text
            self.rules = rules
            self.others = others
        }
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
