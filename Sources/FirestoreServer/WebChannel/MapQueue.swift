// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol

    /// The client's messages of a session, called maps. Each has a number. A request that is repeated brings its maps again, and a later
    /// request may come first: they are taken once, in order.
    struct MapQueue {
        /// Nil for a map without a message, which only counts.
        typealias Map = [UInt8]?

        private var order = Order()
        /// Messages in order, for the service to take.
        private var ready: [[UInt8]] = []
        /// How many of them were taken and are still there, without their bytes.
        private var taken = 0
        private var readyBytes = 0

        /// What a map costs besides its bytes.
        static let overhead = 64
        /// Maps that may come before others, and their bytes.
        private static let earlyCount = 1_000
        private static let earlySize = 1 << 20
        /// Bytes in order that may wait before a request has to.
        private static let size = 1 << 20
        /// As many messages are removed at once, because that moves all behind them.
        private static let part = 1_000

        /// Whether the next request's maps may be added.
        var hasRoom: Bool { readyBytes < MapQueue.size }
        /// Bytes that wait, each map with what it costs besides.
        var bytes: Int { readyBytes + order.earlyBytes }

        /// - Throws: `resourceExhausted` if too many maps wait for one before them, and takes none then.
        mutating func receive(_ maps: [(number: Int, map: Map)]) throws(RequestError) {
            // What is ready stays out of it: a second reference would copy it.
            var order = order
            var messages: [[UInt8]] = []
            for (number, map) in maps where number >= order.next { order.add(number, map, &messages) }
            guard order.early.count <= MapQueue.earlyCount, order.earlyBytes <= MapQueue.earlySize else {
                throw RequestError(
                    .resourceExhausted,
                    "Too many messages wait for message \(order.next), which did not come; send messages in order.")
            }
            self.order = order
            ready += messages
            for message in messages { readyBytes += MapQueue.size(of: message) }
        }

        private static func size(of map: Map) -> Int { overhead + (map?.count ?? 0) }

        /// The next message in order.
        mutating func take() -> [UInt8]? {
            guard taken < ready.count else { return nil }
            let message = ready[taken]
            ready[taken] = []
            taken += 1
            if taken == ready.count || taken == MapQueue.part {
                ready.removeFirst(taken)
                taken = 0
            }
            readyBytes -= MapQueue.size(of: message)
            return message
        }

        /// Which map comes next, and those that came before it.
        private struct Order {
            private(set) var next = 0
            private(set) var early: [Int: Map] = [:]
            private(set) var earlyBytes = 0

            /// Adds a map, and appends the messages that are in order now.
            mutating func add(_ number: Int, _ map: Map, _ messages: inout [[UInt8]]) {
                guard number == next else {
                    guard early[number] == nil else { return }
                    early.updateValue(map, forKey: number)
                    earlyBytes += MapQueue.size(of: map)
                    return
                }
                pass(map, &messages)
                while let map = early.removeValue(forKey: next) {
                    earlyBytes -= MapQueue.size(of: map)
                    pass(map, &messages)
                }
            }

            private mutating func pass(_ map: Map, _ messages: inout [[UInt8]]) {
                next += 1
                if let map { messages.append(map) }
            }
        }

        mutating func removeAll() { self = MapQueue() }
    }
#endif
