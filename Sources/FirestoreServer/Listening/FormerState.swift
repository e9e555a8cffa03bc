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
        init(
            _ resumption: ListenRequest.Resumption, _ present: ResumeToken, in database: ServedDatabase
        ) throws(RequestError) {
            let time: Timestamp
            switch resumption {
            case .none:
                self = .none
                return
            case .token(let bytes):
                guard let token = ResumeToken(bytes) else { throw FormerState.badToken }
                guard token.incarnation == present.incarnation else {
                    self = .unknown
                    return
                }
                // A state of the same incarnation before the creation is that of a file that was removed because it was empty.
                time = max(token.time, try database.creationTime() ?? .minimum)
            case .readTime(let result): time = try result.get()
            }
            let isKept = try time >= database.earliestReadTime() && time <= present.time
            self = isKept ? .known(time) : .unknown
        }
    }
#endif
