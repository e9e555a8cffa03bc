// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// The record of the history as a whole: since when it is complete, and up to which commit.
struct HistoryHead: Equatable {
    /// Every change after this time is in the history. In microseconds since 1970, as all times here.
    var floor: UInt64
    /// When the database was created; 0 if it had commits before it had a history.
    var created: UInt64
    /// Bytes of all entries.
    var byteCount: UInt64
    /// LMDB's number and the time of the last transaction that the history has. If the database has had another since, its program
    /// kept no history.
    var transactionID: UInt64
    var commitTime: UInt64

    static let key: [UInt8] = [0x00]

    init(floor: UInt64, created: UInt64) {
        self.floor = floor
        self.created = created
        byteCount = 0
        transactionID = 0
        commitTime = 0
    }

    /// Nil if there is none yet.
    static func read(
        from store: Store, _ transaction: borrowing Transaction
    ) throws(EngineError) -> HistoryHead? {
        guard let record = try transaction.get(key.span.bytes, from: store) else { return nil }
        guard record.byteCount == 48 else { throw .damaged("the history's head has a wrong length") }
        let numbers = (0..<6).map { UInt64(littleEndianAt: 8 * $0, in: record) }
        guard Checksum.of(record.extracting(0..<40), key: key.span.bytes) == numbers[5] else {
            throw .damaged("the history's head is not as it was written")
        }
        var head = HistoryHead(floor: numbers[0], created: numbers[1])
        head.byteCount = numbers[2]
        head.transactionID = numbers[3]
        head.commitTime = numbers[4]
        return head
    }

    func write(to store: Store, _ transaction: inout Transaction) throws(EngineError) {
        var record: [UInt8] = []
        for number in [floor, created, byteCount, transactionID, commitTime] {
            record += CheckedRecord.bytes(number)
        }
        record += CheckedRecord.bytes(Checksum.of(record.span.bytes, key: HistoryHead.key.span.bytes))
        let cursor = try transaction.open(store)
        try transaction.put(cursor, HistoryHead.key.span.bytes, record.span.bytes)
        transaction.close(cursor)
    }

    /// Whether the history has every commit that the transaction sees, apart from its own.
    func isComplete(_ transaction: borrowing Transaction) throws(EngineError) -> Bool {
        let last = transaction.isReading ? transaction.id : transaction.id - 1
        let lastTime = try Counter(.commitTime).value(transaction)
        return transactionID == UInt64(last) && commitTime == lastTime
    }
}

extension UInt64 {
    init(littleEndianAt offset: Int, in bytes: RawSpan) {
        self = (0..<8).reduce(0) { $0 | UInt64(bytes.byte(at: offset + $1)) << UInt64(8 * $1) }
    }
}
