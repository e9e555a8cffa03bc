// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel

    /// What a transaction sees and may do.
    enum TransactionKind: Sendable {
        case readOnly(Timestamp)
        /// With what it has read so far.
        case readWrite(ReadSet)

        var time: Timestamp {
            switch self {
            case .readOnly(let time): time
            case .readWrite(let reads): reads.time
            }
        }

        static let readOnlyMark = UInt8(ascii: "r")

        /// The end of the transaction's ID.
        var mark: UInt8 {
            switch self {
            case .readOnly: TransactionKind.readOnlyMark
            case .readWrite: UInt8(ascii: "w")
            }
        }
    }

    /// One attempt of a transaction that a client may repeat.
    struct Attempt: Sendable {
        let number: UInt64
        /// The number of the first attempt.
        let first: UInt64
    }
#endif
