// SPDX-License-Identifier: Apache-2.0

internal import LMDB
internal import TestSupport

/// Numbered commits with placed pages. Each sets some of a few hundred keys to its number, so the number of commits
/// determines every value.
package struct PlacedCommits {
    /// The number of commits in a round: the reserve was put, freed and put again.
    package static let round = 16
    private static let keys = 400

    private let environment: Environment
    private let store: Store

    package init(_ path: String) throws {
        environment = try Environment.open(path, .init(mapSize: 1 << 20))
        store = try environment.openStores(["s"], create: true)[0]
    }

    /// - Parameter number: counted from 1.
    package func commit(_ number: Int) throws {
        try environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            var cursors = transaction.makeCursors()
            try cursors.placePages()
            let cursor = try cursors.open(store)
            let filler = [UInt8](repeating: 7, count: 200)
            for key in PlacedCommits.keys(number) {
                try cursors.put(cursor, key: bytes(key).span.bytes, value: (bytes(number) + filler).span.bytes)
            }
            try cursors.put(cursor, key: bytes(PlacedCommits.keys).span.bytes, value: bytes(number).span.bytes)
        }
    }

    /// Problems if the last commit is one of `promised`; empty if there are none.
    package func findings(promised: ClosedRange<Int>) throws -> [String] {
        var findings = try environment.auditPages().map(\.text)
        let last = try value(PlacedCommits.keys)
        if !promised.contains(last) { findings.append("commit \(last) is the last, promised is one of \(promised)") }
        var expected = [Int](repeating: 0, count: PlacedCommits.keys)
        for number in stride(from: 1, through: last, by: 1) {
            for key in PlacedCommits.keys(number) { expected[key] = number }
        }
        for (key, number) in expected.enumerated() where try value(key) != number {
            findings.append("key \(key) has the value of commit \(try value(key)), not \(number)")
        }
        return findings
    }

    /// Whether the reserve exists.
    package func hasReserve() -> Bool {
        guard let store = try? environment.openStores(["reserve"], create: false)[0] else { return false }
        return (try? environment.statistics(of: store).entries) == 1
    }

    /// The value of a key, 0 if there is none.
    private func value(_ key: Int) throws -> Int {
        try environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) -> Int in
            try transaction.get(store, bytes(key).span.bytes)?.unsafeLoad(as: Int.self) ?? 0
        }
    }

    private func bytes(_ number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func keys(_ number: Int) -> [Int] {
        var random = SeededGenerator(seed: UInt64(number))
        return (0..<30).map { _ in random.int(0..<keys) }
    }
}
