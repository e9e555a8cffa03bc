// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol

    /// The client's messages of a session, called maps. Each has a number. A request that is repeated brings its maps again, and a later
    /// request may come first: they are taken once, in order.
    struct MapQueue {
        /// Nil for a map without a message, which only counts.
        typealias Map = [UInt8]?

        private var next = 0
        /// Maps in order, for the service to take.
        private var ready: [Map] = []
        /// Maps that came before others.
        private var early: [Int: Map] = [:]
        private var readyBytes = 0
        private var earlyBytes = 0

        /// Maps that may come before others, and their bytes.
        private static let earlyCount = 1_000
        private static let earlySize = 1 << 20
        /// Bytes in order that may wait before a request has to.
        private static let size = 1 << 20

        /// Whether the next request's maps may be added.
        var hasRoom: Bool { readyBytes < MapQueue.size }
        var bytes: Int { readyBytes + earlyBytes }

        /// - Throws: `resourceExhausted` if too many maps wait for one before them, and takes none then.
        mutating func receive(_ maps: [(number: Int, map: Map)]) throws(RequestError) {
            var queue = self
            for (number, map) in maps where number >= queue.next { queue.hold(number, map) }
            guard queue.early.count <= MapQueue.earlyCount, queue.earlyBytes <= MapQueue.earlySize else {
                throw RequestError(
                    .resourceExhausted,
                    "Too many messages wait for message \(queue.next), which did not come; send messages in order.")
            }
            self = queue
        }

        private mutating func hold(_ number: Int, _ map: Map) {
            guard number == next else {
                guard early[number] == nil else { return }
                early.updateValue(map, forKey: number)
                earlyBytes += map?.count ?? 0
                return
            }
            add(map)
            while let map = early.removeValue(forKey: next) {
                earlyBytes -= map?.count ?? 0
                add(map)
            }
        }

        private mutating func add(_ map: Map) {
            next += 1
            guard let map else { return }
            ready.append(map)
            readyBytes += map.count
        }

        /// The next message in order.
        mutating func take() -> [UInt8]? {
            guard !ready.isEmpty, let map = ready.removeFirst() else { return nil }
            readyBytes -= map.count
            return map
        }

        mutating func removeAll() { self = MapQueue() }
    }
#endif
