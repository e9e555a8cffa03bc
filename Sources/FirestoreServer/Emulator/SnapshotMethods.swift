// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import Synchronization

    extension EmulatorMethods {
        /// Answers with the present, a time to which ``restore(_:_:_:)`` goes back.
        func takeSnapshot(_ id: DatabaseID, _ responder: HTTPResponder) async throws(RequestError) {
            let database = try await service.databases.database(id)
            database.notes.hasSnapshot.store(true, ordering: .relaxed)
            let time = try database.readTime()
            try responder.sendObject { (writer) throws(RequestError) in writer.write("snapshot", time.description) }
        }

        /// Undoes all changes since a snapshot.
        func restore(
            _ id: DatabaseID, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws(RequestError) {
            let object = try request.object(keys: ["snapshot"])
            guard let text = try object.text("snapshot"), let time = Timestamp(rfc3339: text) else {
                throw .invalid("The body names the time that :snapshot gave: {\"snapshot\":\"2026-01-01T00:00:00Z\"}.")
            }
            let database = try await service.databases.database(id)
            do throws(RequestError) { try await onThread { try database.engine.restore(to: time) } } catch {
                throw EmulatorMethods.refusal(error, of: time)
            }
            database.forgetTransactions()
            responder.sendEmptyObject()
        }

        /// What is refused is a snapshot's time, and not one of a read.
        private static func refusal(_ error: RequestError, of time: Timestamp) -> RequestError {
            if error.isTooOldReadTime {
                return RequestError(
                    .failedPrecondition,
                    "The snapshot of \(time) is gone: it is older than an hour, or all documents were cleared since.")
            }
            if error == RequestError(EngineError.beforeCreation) {
                return RequestError(error.status, "There is no snapshot of \(time): the database is younger.")
            }
            if error == RequestError(EngineError.readTimeInFuture) {
                return RequestError(error.status, "There is no snapshot of \(time): it is in the future.")
            }
            return error
        }
    }
#endif
