// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import SwiftProtobuf

    /// The state that a read sees.
    enum Consistency: Sendable {
        case latest
        case readTime(Timestamp)
        case transaction([UInt8])
        case newTransaction(TransactionMode)
    }

    /// How a transaction reads, and whether it may write.
    enum TransactionMode: Sendable {
        case readOnly(at: Timestamp?)
        /// - Parameter retrying: the transaction whose commit was aborted.
        case readWrite(retrying: [UInt8]?)

        init(_ message: ProtoTransactionOptions) throws(RequestError) {
            switch message.mode {
            case .readWrite(let options):
                let former = Array(options.retryTransaction)
                self = .readWrite(retrying: former.isEmpty ? nil : former)
            case .readOnly(let options):
                guard case .readTime(let time)? = options.consistencySelector else {
                    self = .readOnly(at: nil)
                    return
                }
                self = .readOnly(at: try Timestamp(readTime: time))
            case nil: self = .readOnly(at: nil)
            }
        }
    }

    extension Timestamp {
        /// A time at which to read, which has microseconds at most.
        init(readTime message: Google_Protobuf_Timestamp) throws(RequestError) {
            guard message.nanos % 1_000 == 0 else {
                throw .invalid("timestamp cannot have more than microseconds precision")
            }
            self = try Timestamp(message)
        }
    }
#endif
