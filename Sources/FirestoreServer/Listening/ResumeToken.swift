// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
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

        /// The present state.
        init(presentOf engine: Engine) throws(EngineError) {
            // In this order: a time read later belongs to this incarnation or is told apart from it at the next look.
            incarnation = try engine.incarnation()
            time = try engine.readTime()
        }

        /// Nil if the bytes are no token.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == 17, bytes[0] == ResumeToken.version else { return nil }
            let span = bytes.span.bytes
            let microseconds = Int64(bitPattern: UInt64(bigEndianAt: 9, in: span))
            guard let time = Timestamp(microseconds: microseconds) else { return nil }
            self.init(incarnation: UInt64(bigEndianAt: 1, in: span), time: time)
        }

        var bytes: [UInt8] {
            [ResumeToken.version] + incarnation.bigEndianBytes + UInt64(bitPattern: time.microseconds).bigEndianBytes
        }
    }
#endif
