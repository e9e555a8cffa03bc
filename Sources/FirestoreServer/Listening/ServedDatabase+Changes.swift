// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol

    extension ServedDatabase {
        /// The present state.
        func presentToken() throws(RequestError) -> ResumeToken {
            do throws(EngineError) {
                // In this order: a time read later belongs to this incarnation or is told apart from it at the next look.
                let incarnation = try engine.incarnation()
                return ResumeToken(incarnation: incarnation, time: try engine.readTime())
            } catch {
                throw RequestError(error)
            }
        }

        func changes(since: Timestamp, upTo: Timestamp) throws(RequestError) -> [VersionChange] {
            do throws(EngineError) {
                return try engine.changes(since: since, upTo: upTo)
            } catch {
                throw RequestError(error)
            }
        }
    }
#endif
