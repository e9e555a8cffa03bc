// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol

    /// A state of a database, as clients keep it for weeks: its incarnation and a time. It outlives the server, and is of no use
    /// once the database was cleared or restored.
    struct ResumeToken: Sendable, Equatable {
        let incarnation: UInt64
        let time: Timestamp

        /// So that other bytes are known to be no token.
        private static let version: UInt8 = 1

        init(incarnation: UInt64, time: Timestamp) {
            self.incarnation = incarnation
            self.time = time
        }

        /// Nil if the bytes are no token.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == 17, bytes[0] == ResumeToken.version else { return nil }
            let numbers = [bytes[1..<9], bytes[9...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
            guard let time = Timestamp(microseconds: Int64(bitPattern: numbers[1])) else { return nil }
            self.init(incarnation: numbers[0], time: time)
        }

        var bytes: [UInt8] {
            let numbers = [incarnation, UInt64(bitPattern: time.microseconds)]
            return [ResumeToken.version]
                + numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
        }
    }
#endif
