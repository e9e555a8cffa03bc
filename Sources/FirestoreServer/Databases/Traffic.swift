// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import IndexCatalog
    internal import QueryPlanner
    internal import Synchronization

    /// The queries that a database was asked, without their values, and the indexes that they need.
    final class Traffic: Sendable {
        private struct State {
            var shapes: KeptShapes
            /// Those with a shape that was not kept.
            var leftOut = LeftOutQueries()
            var served: [IndexDefinition: Int] = [:]
            var counts = TrafficCounts()
        }

        private let database: DatabaseID
        private let room: ShapeRoom
        private let state: Mutex<State>

        /// - Parameters:
        ///   - limit: how many shapes are kept. Programs that put IDs into field paths make a shape for each, and the time that advice
        ///     takes grows with their number.
        ///   - room: what is left for the shapes of all databases.
        init(_ database: DatabaseID, limit: Int = 10_000, room: ShapeRoom = ShapeRoom()) {
            self.database = database
            self.room = room
            state = Mutex(State(shapes: KeptShapes(limit: limit, room: room)))
        }

        deinit { room.giveBack(state.withLock { $0.shapes.count }) }

        /// - Parameter isServed: whether there are indexes for it.
        func record(_ request: QueryRequest, isServed: Bool = true) {
            // An invalid query was refused before.
            guard let shapes = try? Planner.shapes(of: request, database: database) else { return }
            state.withLock { state in
                let kept = shapes.filter { state.shapes.keep($0, isServed: isServed) }
                guard kept.count < shapes.count else { return }
                state.leftOut.count += 1
                if !isServed { state.leftOut.lacking += 1 }
            }
        }

        /// Counts a query for the composites that it used.
        func record(_ plan: QueryPlan) {
            let composites = plan.compositesUsed
            guard !composites.isEmpty else { return }
            state.withLock { state in
                for definition in composites { state.served[definition, default: 0] += 1 }
            }
        }

        /// Whether an index file may lack something for the queries, or `indexUsage` has something to report.
        var concernsIndexes: Bool { state.withLock { $0.shapes.concernIndexes || !$0.served.isEmpty } }

        /// Whether no request has been counted.
        var isEmpty: Bool {
            state.withLock { $0.shapes.count == 0 && $0.leftOut.count == 0 && $0.counts == TrafficCounts() }
        }

        /// How many queries each composite has served.
        var served: [IndexDefinition: Int] { state.withLock { $0.served } }

        var leftOut: LeftOutQueries {
            state.withLock { state in
                // All that has given way was served.
                state.leftOut + LeftOutQueries(count: state.shapes.givenUp)
            }
        }

        func count(_ change: (inout TrafficCounts) -> Void) { state.withLock { change(&$0.counts) } }

        var counts: TrafficCounts { state.withLock { $0.counts } }

        /// It knows the queries so far.
        var advisor: IndexAdvisor {
            var advisor = IndexAdvisor()
            advisor.add(state.withLock { $0.shapes }.inOrder)
            return advisor
        }

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
            for (shape, count) in state.withLock({ $0.shapes }).concerning {
                if let definition = shape.suggestedComposite { uses[definition, default: 0] += count }
            }
            return IndexConfiguration(indexes: Array(uses.keys)).inCanonicalOrder.indexes.map { ($0, uses[$0] ?? 0) }
        }
    }

    /// Queries that index advice leaves out, as there were too many different ones.
    package struct LeftOutQueries: Sendable, Equatable {
        package var count = 0
        /// How many of them lacked an index.
        package var lacking = 0

        static func + (one: LeftOutQueries, other: LeftOutQueries) -> LeftOutQueries {
            LeftOutQueries(count: one.count + other.count, lacking: one.lacking + other.lacking)
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
