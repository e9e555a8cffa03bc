// SPDX-License-Identifier: Apache-2.0

#if Server
    package import DocumentModel
    package import IndexCatalog
    internal import Synchronization

    /// The index configurations that databases get: one for all, or one for each database ID.
    package final class IndexSource: Sendable {
        private struct State {
            var common: IndexConfiguration?
            var byDatabase: [Text: IndexConfiguration]
        }

        private let state: Mutex<State>

        package init(_ common: IndexConfiguration? = nil, byDatabase: [Text: IndexConfiguration] = [:]) {
            state = Mutex(State(common: common, byDatabase: byDatabase))
        }

        /// Nil if no file says anything about the database.
        package func configuration(of database: DatabaseID) -> IndexConfiguration? {
            state.withLock { $0.byDatabase[database.database] ?? $0.common }
        }

        /// Replaces all configurations.
        package func replace(_ common: IndexConfiguration?, byDatabase: [Text: IndexConfiguration] = [:]) {
            state.withLock { $0 = State(common: common, byDatabase: byDatabase) }
        }
    }
#endif
