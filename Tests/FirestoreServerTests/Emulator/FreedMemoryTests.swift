// SPDX-License-Identifier: Apache-2.0

#if Server
    import Testing

    @testable import FirestoreServer

    @Suite struct FreedMemoryTests {
        private static let size = 4 << 10
        private static let count = 128 << 20 / size

        /// Every 16th block stays in use, so that no heap gets smaller. Other tests have far less memory meanwhile.
        @Test func blocksBetweenThoseInUse() {
            let blocks = (0..<Self.count).map { _ in
                let block = UnsafeMutableRawPointer.allocate(byteCount: Self.size, alignment: 16)
                block.initializeMemory(as: UInt8.self, repeating: 1, count: Self.size)
                return block
            }
            for (index, block) in blocks.enumerated() where index % 16 != 0 { block.deallocate() }
            defer {
                for index in stride(from: 0, to: blocks.count, by: 16) { blocks[index].deallocate() }
            }
            let before = Processes.anonymousMemory
            var memory = FreedMemory()
            let isGivenBack = memory.giveBack()
            #expect(isGivenBack)
            #expect(Processes.anonymousMemory < before - 64 << 20)
            // Nothing was freed since.
            let isMore = memory.giveBack()
            #expect(!isMore)
        }
    }
#endif
