// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import IndexCatalog
    internal import QueryPlanner
    internal import Synchronization

    /// The queries that a database was asked, without their values, and the indexes that they need.
    final class Traffic: Sendable {
        private struct State {
            var advisor = IndexAdvisor()
            /// Queries by the composite that serves them alone, as the emulator's `indexUsage` counts them.
            var uses: [IndexDefinition: Int] = [:]
            var counts = TrafficCounts()
        }

        private let database: DatabaseID
        private let state = Mutex(State())

        init(_ database: DatabaseID) {
            self.database = database
        }

        func record(_ request: QueryRequest) {
            let composites = Planner.suggestedComposites(for: request, database: database)
            state.withLock { state in
                try? state.advisor.add(request, database: database)
                for definition in composites { state.uses[definition, default: 0] += 1 }
            }
        }

        func count(_ change: (inout TrafficCounts) -> Void) { state.withLock { change(&$0.counts) } }

        var counts: TrafficCounts { state.withLock { $0.counts } }

        /// The smallest configuration that serves the queries so far, made from a file.
        func advice(replacing file: IndexConfiguration) -> IndexAdvisor.Advice {
            let advisor = state.withLock { $0.advisor }
            return advisor.smallestConfiguration(replacing: file)
        }

        /// What has to be added to a file for the queries so far.
        func additions(to file: IndexConfiguration) -> IndexConfiguration {
            let advisor = state.withLock { $0.advisor }
            return advisor.additions(to: file).configuration
        }

        /// The composites that serve queries alone, with the number of those queries, in canonical order.
        var uses: [(definition: IndexDefinition, count: Int)] {
            let uses = state.withLock { $0.uses }
            return IndexConfiguration(indexes: Array(uses.keys)).inCanonicalOrder.indexes.map { ($0, uses[$0] ?? 0) }
        }
    }

    /// What requests cost, as production bills reads and writes.
    struct TrafficCounts: Sendable {
        var documentsRead = 0
        var documentsWritten = 0
        var documentsDeleted = 0
        var queries = 0
        var queriesRefused = 0
        var entriesScanned = 0
    }
#endif
