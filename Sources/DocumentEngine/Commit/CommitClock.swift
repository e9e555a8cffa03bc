// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Gives the commits of one write transaction their times: now, or just after the last commit if the clock has not moved on,
/// or was set back.
struct CommitClock {
    private(set) var last: UInt64

    /// - Parameter known: a time that is later than the one in the file if the last commits changed nothing.
    init(_ stores: Stores, after known: UInt64, _ cursors: borrowing CursorSet) throws(EngineError) {
        last = max(try Counter(.commitTime, stores).value(cursors), known)
    }

    /// A time later than every earlier one.
    mutating func next() throws(EngineError) -> Timestamp {
        last = max(System.now(), last + 1)
        guard let time else { throw .damaged("the time of the last commit is beyond the year 9999") }
        return time
    }

    /// The time of the last commit.
    var time: Timestamp? { Timestamp(microseconds: Int64(clamping: last)) }

    /// Makes the last time given that of the last commit.
    func store(_ stores: Stores, _ cursors: inout CursorSet) throws(EngineError) {
        try Counter(.commitTime, stores).set(last, &cursors)
    }
}
