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
            var observers: [UInt64: @Sendable () -> Void] = [:]
            var count: UInt64 = 0
        }

        private let state = Mutex(State())

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

        /// Calls `observer` after each change, on any thread, until ``remove(_:)``. It must not wait.
        func add(_ observer: @escaping @Sendable () -> Void) -> UInt64 {
            state.withLock { state in
                state.count += 1
                state.observers[state.count] = observer
                return state.count
            }
        }

        func remove(_ id: UInt64) { state.withLock { _ = $0.observers.removeValue(forKey: id) } }

        private func change(_ body: (inout State) -> Void) {
            let observers = state.withLock { state in
                body(&state)
                return state.observers.values.map(\.self)
            }
            for observer in observers { observer() }
        }
    }
#endif
