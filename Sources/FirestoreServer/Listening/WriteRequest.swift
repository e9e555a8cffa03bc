// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol

    /// A request of a Write stream, whether it came as a message or as JSON.
    struct WriteRequest: Sendable {
        var database: String
        /// Whether it has what the first request of a stream cannot have: writes, or the ID or a token of the stream.
        var continues: Bool
        /// Reads the writes, when the stream's database is known.
        var writes: @Sendable (DatabaseID) throws(RequestError) -> [Write]
    }

    /// An answer of a Write stream.
    struct WriteResponse: Sendable {
        /// The stream's ID, in its first answer.
        var streamID: String?
        /// The number of the answer.
        var token: [UInt8]
        /// What was committed; nil in the first answer, and if there was nothing to commit.
        var result: CommitResult?
    }

    extension WriteRequest {
        init(_ message: ProtoWriteRequest) {
            database = message.database
            continues = !message.writes.isEmpty || !message.streamToken.isEmpty || !message.streamID.isEmpty
            let messages = message.writes
            writes = { (database) throws(RequestError) in try [Write](messages, in: database) }
        }
    }
#endif
