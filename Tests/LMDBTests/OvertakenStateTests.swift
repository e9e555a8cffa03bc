// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LMDB

/// Every order of a reader's steps and of commits that write meta pages beside it.
@Suite struct OvertakenStateTests {
    /// What the reader believes of state 10 is state 10, or it knows that it was overtaken.
    @Test func noHalfOfAnotherStateIsBelieved() {
        var (torn, believed) = (0, 0)
        for order in orders {
            let result = read(order) { isOvertaken($0, isInFile: $1) }
            guard let result else { continue }
            believed += 1
            if result != [10, 10] { torn += 1 }
        }
        #expect(torn == 0)
        // Where no commit comes, and where the first one comes late.
        #expect(believed > 1)
    }

    /// Each of the two looks is needed: without either one, a state is believed that never was.
    @Test func eachLookIsNeeded() {
        let isTorn = { (result: [Int]?) in result.map { $0 != [10, 10] } ?? false }
        #expect(orders.contains { isTorn(read($0) { state, isInFile in isInFile(state + 1) }) })
        #expect(orders.contains { isTorn(read($0) { state, isInFile in !isInFile(state) }) })
    }

    private let readerSteps = 5
    private let commits = 4

    /// For each step of the reader, how many writes of a half come before it.
    private var orders: [[Int]] {
        (0..<readerSteps).reduce([[]]) { orders, _ in
            orders.flatMap { order in ((order.last ?? 0)...(2 * commits)).map { order + [$0] } }
        }
    }

    /// Reads state 10 while four commits write theirs, each to the page of the state before the last, first what it holds and then its
    /// number.
    ///
    /// - Returns: the state of each half; nil if the state was gone or overtaken.
    private func read(_ order: [Int], _ rule: (_ state: Int, _ isInFile: (Int) -> Bool) -> Bool) -> [Int]? {
        var pages = [[10, 10], [9, 9]]
        var (step, writes) = (0, 0)
        // One half of a page, after the commits have got as far as the order says.
        func half(_ state: Int, _ index: Int) -> Int {
            let goal = step < order.count ? order[step] : writes
            step += 1
            while writes < goal {
                let state = 11 + writes / 2
                pages[state & 1][writes % 2] = state
                writes += 1
            }
            return pages[state & 1][index]
        }
        // LMDB's number is behind what the page holds. Readers take both as they come.
        let number = half(10, 1)
        guard number == 10 else { return nil }
        let content = half(10, 0)
        return rule(10) { half($0, 1) == $0 } ? nil : [content, number]
    }
}
