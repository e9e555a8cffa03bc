// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol

    /// The state that a client already has of the target that it adds.
    enum FormerState {
        case none
        /// The history does not reach back to it.
        case unknown
        case known(Timestamp)

        static let badToken = RequestError.invalid("bad resume token")

        /// - Parameter present: the state that the stream shows.
        init(_ message: ProtoTarget, _ present: ResumeToken, in database: ServedDatabase) throws(RequestError) {
            let time: Timestamp
            switch message.resumeType {
            case nil:
                self = .none
                return
            case .resumeToken(let bytes) where bytes.isEmpty:
                self = .none
                return
            case .resumeToken(let bytes):
                guard let token = ResumeToken(Array(bytes)) else { throw FormerState.badToken }
                guard token.incarnation == present.incarnation else {
                    self = .unknown
                    return
                }
                time = token.time
            case .readTime(let message): time = try Timestamp(readTime: message)
            }
            let isKept = try time >= database.earliestReadTime() && time <= present.time
            self = isKept ? .known(time) : .unknown
        }
    }
#endif
