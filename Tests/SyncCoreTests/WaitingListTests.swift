// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport
import Testing

@testable import SyncCore

@Suite struct WaitingListTests {
    /// A value that counts how often it is compared.
    private struct Counted: Hashable {
        let number: Int
        let comparisons: Comparisons

        final class Comparisons {
            var count = 0
        }

        static func == (lhs: Counted, rhs: Counted) -> Bool {
            lhs.comparisons.count += 1
            return lhs.number == rhs.number
        }

        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    /// A query that loses 20,000 documents at once must not keep the client busy for minutes.
    @Test func manyElementsAreComparedAFewTimesEach() {
        let comparisons = Counted.Comparisons()
        let count = 20_000
        var list = WaitingList<Counted>()
        for number in 0..<count { list.append(Counted(number: number, comparisons: comparisons)) }
        for number in 0..<count { list.append(Counted(number: number, comparisons: comparisons)) }
        for number in 0..<count where number % 2 == 0 {
            list.remove(Counted(number: number, comparisons: comparisons))
        }
        var taken: [Int] = []
        while let element = list.takeFirst() { taken.append(element.number) }
        #expect(taken == (0..<count).filter { $0 % 2 == 1 })
        #expect(comparisons.count < 20 * count)
    }

    @Test func isAListWithoutRepetitions() {
        var random = SeededGenerator.printingSeed()
        var list = WaitingList<Int>()
        var plain: [Int] = []
        for _ in 0..<2_000 {
            let element = random.int(0..<20)
            switch random.int(0..<4) {
            case 0, 1:
                list.append(element)
                if !plain.contains(element) { plain.append(element) }
            case 2:
                list.remove(element)
                plain.removeAll { $0 == element }
            default: #expect(list.takeFirst() == (plain.isEmpty ? nil : plain.removeFirst()))
            }
            #expect(list.inOrder == plain && list.isEmpty == plain.isEmpty)
        }
    }
}
