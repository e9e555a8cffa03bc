// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreProtocol
    import Testing

    @testable import FirestoreServer

    /// What waiting messages of a page cost.
    @Suite struct MapQueueTests {
        /// A message has its own memory, however short it is.
        @Test(arguments: [0, 1, 10]) func shortMessages(_ length: Int) throws {
            var queue = MapQueue()
            var count = 0
            while queue.hasRoom, count < 1_000_000 {
                try queue.receive((count..<count + 1_000).map { ($0, [UInt8](repeating: 65, count: length)) })
                count += 1_000
            }
            #expect(count < 20_000)
            #expect(queue.bytes == count * (MapQueue.overhead + length))
            var taken = 0
            while let message = queue.take() {
                taken += message.count == length ? 1 : 0
                // More may come meanwhile.
                guard taken == 1_500 else { continue }
                try queue.receive([(count, [UInt8](repeating: 65, count: length))])
            }
            #expect(taken == count + 1)
            #expect(queue.bytes == 0)
        }

        /// Also one without a message, until those before it come.
        @Test func earlyMaps() throws {
            var queue = MapQueue()
            try queue.receive([(1, nil), (2, []), (2, [])])
            #expect(queue.bytes == 2 * MapQueue.overhead)
            try queue.receive([(0, nil)])
            #expect(queue.bytes == MapQueue.overhead)
            #expect(queue.take() == [])
            #expect(queue.take() == nil)
            #expect(queue.bytes == 0)
        }

        /// A request that is refused is refused as a whole.
        @Test func refusedRequests() throws {
            var queue = MapQueue()
            try queue.receive([(0, [65])])
            #expect(throws: RequestError.self) {
                try queue.receive(([1] + Array(3...1_003)).map { ($0, [67]) })
            }
            #expect(queue.bytes == MapQueue.overhead + 1)
            try queue.receive([(1, [68])])
            #expect(queue.take() == [65])
            #expect(queue.take() == [68])
            #expect(queue.take() == nil)
        }
    }
#endif
