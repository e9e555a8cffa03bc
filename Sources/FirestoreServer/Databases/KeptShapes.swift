// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import QueryPlanner

    /// The shapes of a database's queries that index advice looks at, with the number of queries of each.
    ///
    /// A program may make any number of shapes that automatic indexes serve. They give way to those that say something about an index
    /// file.
    struct KeptShapes: Sendable {
        private struct Use {
            var count = 1
            /// By the order in which they came.
            let number: Int

            mutating func add() { count += 1 }
        }

        /// Those that need a composite, and those of queries that lacked an index.
        private var concerns: [QueryShape: Use] = [:]
        private var others: [QueryShape: Use] = [:]
        private var numbers = 0
        private let limit: Int
        private let room: ShapeRoom
        /// How many queries had a shape that has given way.
        private(set) var givenUp = 0

        /// - Parameter room: what is left for the shapes of all databases. Who releases the shapes gives it back.
        init(limit: Int, room: ShapeRoom) {
            self.limit = limit
            self.room = room
        }

        var count: Int { concerns.count + others.count }

        var concernIndexes: Bool { !concerns.isEmpty }

        /// Those that need a composite, and those of queries that lacked an index.
        var concerning: [(shape: QueryShape, count: Int)] { concerns.map { (shape: $0.key, count: $0.value.count) } }

        var inOrder: [QueryShape] {
            (Array(concerns) + Array(others)).sorted { $0.value.number < $1.value.number }.map(\.key)
        }

        /// Counts a query's shape, and returns whether it is kept.
        ///
        /// - Parameter isServed: whether the query had its indexes. A file may lack automatic ones, too.
        mutating func keep(_ shape: QueryShape, isServed: Bool) -> Bool {
            if concerns[shape]?.add() != nil { return true }
            if var use = others[shape] {
                use.add()
                others[shape] = isServed ? use : nil
                if !isServed { concerns[shape] = use }
                return true
            }
            let concernsIndexes = !isServed || shape.suggestedComposite != nil
            guard takeRoom(fromOthers: concernsIndexes) else { return false }
            numbers += 1
            if concernsIndexes { concerns[shape] = Use(number: numbers) } else { others[shape] = Use(number: numbers) }
            return true
        }

        private mutating func takeRoom(fromOthers: Bool) -> Bool {
            if count < limit, room.take() { return true }
            guard fromOthers, let other = others.popFirst() else { return false }
            givenUp += other.value.count
            return true
        }
    }
#endif
