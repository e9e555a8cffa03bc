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
            var uses: [QueryShape: Int] = [:]
            /// How many queries had a shape that is not kept.
            var leftOut = 0
            var served: [IndexDefinition: Int] = [:]
            /// Whether a query needs more than automatic indexes, or lacked an index and was not left out.
            var concernsIndexes = false
            var counts = TrafficCounts()
        }

        private let database: DatabaseID
        private let limit: Int
        private let room: ShapeRoom
        private let state = Mutex(State())

        /// - Parameters:
        ///   - limit: how many shapes are kept. Programs that put IDs into field paths make a shape for each.
        ///   - room: what is left for the shapes of all databases.
        init(_ database: DatabaseID, limit: Int = 10_000, room: ShapeRoom = ShapeRoom()) {
            self.database = database
            self.limit = limit
            self.room = room
        }

        deinit { room.giveBack(state.withLock { $0.uses.count }) }

        /// - Parameter isServed: whether there are indexes for it.
        func record(_ request: QueryRequest, isServed: Bool = true) {
            // An invalid query was refused before.
            guard let shapes = try? Planner.shapes(of: request, database: database) else { return }
            state.withLock { state in
                let kept = shapes.filter { keep($0, &state) }
                if kept.count < shapes.count { state.leftOut += 1 }
                // A file may lack automatic indexes, too. Of what is left out there is nothing to say.
                if !isServed, !kept.isEmpty { state.concernsIndexes = true }
                state.advisor.add(kept)
            }
        }

        /// Counts a shape, and returns whether it is kept.
        private func keep(_ shape: QueryShape, _ state: inout State) -> Bool {
            if let count = state.uses[shape] {
                state.uses[shape] = count + 1
                return true
            }
            guard state.uses.count < limit, room.take() else { return false }
            state.uses[shape] = 1
            if shape.suggestedComposite != nil { state.concernsIndexes = true }
            return true
        }

        /// Counts a query for the composites that it used.
        func record(_ plan: QueryPlan) {
            let composites = plan.compositesUsed
            guard !composites.isEmpty else { return }
            state.withLock { state in
                state.concernsIndexes = true
                for definition in composites { state.served[definition, default: 0] += 1 }
            }
        }

        /// Whether an index file may lack something for the queries, or `indexUsage` has something to report.
        var concernsIndexes: Bool { state.withLock { $0.concernsIndexes } }

        /// Whether no request has been counted.
        var isEmpty: Bool {
            state.withLock { $0.uses.isEmpty && $0.leftOut == 0 && $0.counts == TrafficCounts() }
        }

        /// How many queries each composite has served.
        var served: [IndexDefinition: Int] { state.withLock { $0.served } }

        /// How many queries the advice leaves out, as too many shapes came before them.
        var leftOut: Int { state.withLock { $0.leftOut } }

        func count(_ change: (inout TrafficCounts) -> Void) { state.withLock { change(&$0.counts) } }

        var counts: TrafficCounts { state.withLock { $0.counts } }

        /// It knows the queries so far.
        var advisor: IndexAdvisor { state.withLock { $0.advisor } }

        /// The smallest configuration that serves the queries so far, made from a file.
        func advice(replacing file: IndexConfiguration) -> IndexAdvisor.Advice {
            advisor.smallestConfiguration(replacing: file)
        }

        /// What has to be added to a file for the queries so far.
        func additions(to file: IndexConfiguration) -> IndexConfiguration { advisor.additions(to: file).configuration }

        /// The composites that serve queries alone, with the number of those queries, in canonical order. The emulator's `indexUsage`
        /// counts each disjunct of a query.
        var uses: [(definition: IndexDefinition, count: Int)] {
            var uses: [IndexDefinition: Int] = [:]
            for (shape, count) in state.withLock({ $0.uses }) {
                if let definition = shape.suggestedComposite { uses[definition, default: 0] += count }
            }
            return IndexConfiguration(indexes: Array(uses.keys)).inCanonicalOrder.indexes.map { ($0, uses[$0] ?? 0) }
        }
    }

    /// What requests cost, as production bills reads and writes.
    struct TrafficCounts: Sendable, Equatable {
        var documentsRead = 0
        var documentsWritten = 0
        var documentsDeleted = 0
        var queries = 0
        var queriesRefused = 0
        var entriesScanned = 0
    }
#endif
