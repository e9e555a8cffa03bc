// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DocumentEngine

struct AdaptiveBatchSizeTests {
    @Test func itGrowsWhileTheChangesAreShort() {
        var size = AdaptiveBatchSize()
        let first = size.entries
        size.adapt(to: .milliseconds(1), isWhole: true)
        #expect(size.entries == 2 * first)
        size.adapt(to: .milliseconds(3), isWhole: true)
        #expect(size.entries == 2 * first + first / 2)
        size.adapt(to: .milliseconds(6), isWhole: true)
        #expect(size.entries == 2 * first + first / 2)
    }

    @Test func itShrinksAfterALongChange() {
        var size = AdaptiveBatchSize()
        let first = size.entries
        size.adapt(to: .milliseconds(20), isWhole: true)
        #expect(size.entries == first / 2)
    }

    /// Ten small ranges in a row say nothing about a large one.
    @Test func itDoesNotGrowWithChangesThatCameToTheirEnd() {
        var size = AdaptiveBatchSize()
        let first = size.entries
        size.adapt(to: .zero, isWhole: false)
        #expect(size.entries == first)
        size.adapt(to: .seconds(1), isWhole: false)
        #expect(size.entries == first / 2)
    }

    @Test func itStaysWithinBounds() {
        var (least, most) = (AdaptiveBatchSize(), AdaptiveBatchSize())
        for _ in 0..<40 {
            least.adapt(to: .seconds(1), isWhole: true)
            most.adapt(to: .zero, isWhole: true)
        }
        #expect(least.entries == 500)
        #expect(most.entries == 1 << 20)
    }
}
