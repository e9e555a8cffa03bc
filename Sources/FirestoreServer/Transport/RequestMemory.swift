// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import Synchronization

    /// The bytes of all requests that are arriving or being answered. The limit of each would allow all together any number.
    final class RequestMemory: Sendable {
        private let total = Atomic<Int>(0)
        private let limit: Int

        init(limit: Int) {
            self.limit = limit
        }

        var bytes: Int { total.load(ordering: .relaxed) }

        /// Takes bytes, if there are as many.
        fileprivate func take(_ bytes: Int) -> Bool {
            guard total.add(bytes, ordering: .relaxed).newValue > limit else { return true }
            give(bytes)
            return false
        }

        fileprivate func give(_ bytes: Int) { total.add(-bytes, ordering: .relaxed) }
    }

    /// What one request holds of it.
    struct HeldBytes {
        private let memory: RequestMemory
        private var counted = 0

        /// Smaller requests are not counted.
        static let uncounted = 16 << 10

        init(_ memory: RequestMemory) {
            self.memory = memory
        }

        /// Notes how many bytes the request has.
        ///
        /// - Throws: `resourceExhausted` if there is no room for them.
        mutating func hold(_ bytes: Int) throws(RequestError) {
            release(to: bytes)
            let more = max(0, bytes - HeldBytes.uncounted) - counted
            guard more > 0 else { return }
            guard memory.take(more) else { throw HeldBytes.noRoom }
            counted += more
        }

        /// The request is over, or has only so many bytes left.
        mutating func release(to bytes: Int = 0) {
            let fewer = counted - max(0, bytes - HeldBytes.uncounted)
            guard fewer > 0 else { return }
            memory.give(fewer)
            counted -= fewer
        }

        static let noRoom = RequestError(
            .resourceExhausted,
            "The requests that the server is reading and answering are too many bytes; repeat this one later.")
    }
#endif
