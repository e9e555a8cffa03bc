// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner

    extension ServedDatabase {
        /// The present state.
        func presentToken() throws(RequestError) -> ResumeToken {
            do throws(EngineError) { return try ResumeToken(presentOf: engine) } catch { throw RequestError(error) }
        }

        func incarnation() throws(RequestError) -> UInt64 {
            do throws(EngineError) { return try engine.incarnation() } catch { throw RequestError(error) }
        }

        func creationTime() throws(RequestError) -> Timestamp? {
            do throws(EngineError) { return try engine.creationTime() } catch { throw RequestError(error) }
        }

        /// The earliest time that can be read.
        func earliestReadTime() throws(RequestError) -> Timestamp {
            do throws(EngineError) { return try engine.earliestReadTime() } catch { throw RequestError(error) }
        }

        /// See ``Engine/changedDocuments(since:upTo:in:limit:isFormer:)``.
        func changedDocuments(
            since: Timestamp, upTo: Timestamp, in scope: DocumentScope, limit: Int,
            isFormer: @escaping (Document) -> Bool
        ) throws(RequestError) -> (all: [DocumentPath], former: Set<DocumentPath>)? {
            do throws(EngineError) {
                return try engine.changedDocuments(
                    since: since, upTo: upTo, in: scope, limit: limit, isFormer: isFormer)
            } catch {
                throw RequestError(error)
            }
        }

        /// See ``Engine/firstChanges(since:upTo:_:byteGoal:where:)``.
        func firstChanges(
            since: Timestamp, upTo: Timestamp, _ limit: Int, byteGoal: Int
        ) throws(RequestError) -> (changes: [VersionChange], end: Timestamp) {
            do throws(EngineError) {
                return try engine.firstChanges(since: since, upTo: upTo, limit, byteGoal: byteGoal)
            } catch {
                throw RequestError(error)
            }
        }
    }
#endif
