// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Gives the commits of one write transaction their times: the current time, or, if that is not later, one microsecond
/// after the previous commit.
struct CommitClock {
    private(set) var last: UInt64
    private let now: @Sendable () -> UInt64

    /// - Parameter known: the time of this process's last commit, which is not in the file if that commit changed
    ///   nothing.
    init(
        after known: UInt64, now: @escaping @Sendable () -> UInt64, _ transaction: borrowing Transaction
    ) throws(EngineError) {
        self.now = now
        last = max(try Counter(.commitTime).value(transaction), known)
    }

    /// Returns a time later than all earlier ones.
    mutating func next() throws(EngineError) -> Timestamp {
        last = max(now(), last + 1)
        guard let time else { throw .damaged("the time of the last commit is beyond the year 9999") }
        return time
    }

    /// The time of the last commit.
    var time: Timestamp? { Timestamp(microseconds: Int64(clamping: last)) }

    /// Stores the last returned time as the time of the last commit.
    func store(_ transaction: inout Transaction) throws(EngineError) {
        try Counter(.commitTime).set(last, &transaction)
    }
}
