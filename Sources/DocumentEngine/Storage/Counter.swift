// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// A counter in the catalog store. Its value never decreases.
struct Counter: Sendable {
    private let key: [UInt8]

    enum Kind: UInt8, CaseIterable {
        /// Increases with every change of index definitions, and whenever IDs of collections or indexes go.
        case catalogVersion = 0
        case collections = 1
        case fieldIndexes = 2
        case composites = 3
        case chains = 4
        /// The time of the last commit, in microseconds since 1970.
        case commitTime = 5
        /// The version of the program's own data.
        case dataVersion = 6
        /// Not a counter: the database's incarnation, a random number; 0 if it never had one.
        case incarnation = 7
    }

    /// The first byte of every counter's key in the catalog store.
    static let keyTag: UInt8 = 0x01

    /// Of all kinds. Each commit uses several.
    private static let keys = Kind.allCases.map { [Counter.keyTag, $0.rawValue] }

    init(_ kind: Kind) {
        key = Counter.keys[Int(kind.rawValue)]
    }

    func value(_ transaction: borrowing Transaction) throws(EngineError) -> UInt64 {
        guard let stored = try transaction.get(key.span.bytes, from: transaction.stores.catalog) else { return 0 }
        return try OrderedInteger.read(stored)
    }

    /// Whether reading it does not wait for the disk.
    func isInMemory(_ transaction: borrowing Transaction) throws(EngineError) -> Bool {
        try transaction.isInMemory(key.span.bytes, in: .catalog)
    }

    /// Nil if the record is damaged.
    func readable(_ transaction: borrowing Transaction) throws(EngineError) -> UInt64? {
        do throws(EngineError) { return try value(transaction) } catch .damaged { return nil }
    }

    func set(_ number: UInt64, _ transaction: inout Transaction) throws(EngineError) {
        let cursor = try transaction.open(transaction.stores.catalog)
        let value = OrderedInteger.bytes(number)
        try transaction.put(cursor, key.span.bytes, value.span.bytes)
        transaction.close(cursor)
    }

    /// Increments the counter and returns its new value. The first value is 1.
    func next(_ transaction: inout Transaction) throws(EngineError) -> UInt64 {
        let (number, isOver) = try value(transaction).addingReportingOverflow(1)
        guard !isOver else { throw .damaged("a counter is at its end") }
        try set(number, &transaction)
        return number
    }
}
