// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import QueryPlanner
    internal import Synchronization

    extension EmulatorMethods {
        /// The server's time.
        func tellTime(_ responder: HTTPResponder) throws(RequestError) {
            let time = service.databases.clock.now
            try responder.sendObject { (writer) throws(RequestError) in writer.write("time", time.description) }
        }

        /// Sets the server's clock, or advances it, and deletes what has expired by then.
        func setClock(_ request: HTTPRequest, _ responder: HTTPResponder) async throws(RequestError) {
            let object = try request.object(keys: ["time", "advance"])
            let time = try EmulatorMethods.target(object, from: service.databases.clock.now)
            try await service.databases.setClock(to: time)
            try tellTime(responder)
        }

        private static func target(_ object: RequestObject, from now: Timestamp) throws(RequestError) -> Timestamp {
            if let text = try object.text("time"), let time = Timestamp(rfc3339: text) { return time }
            // A duration as protobuf writes it.
            if let text = try object.text("advance"), text.hasSuffix("s"), let seconds = Double(text.dropLast()),
                abs(seconds) < 1e12, let time = Timestamp(microseconds: now.microseconds + Int64(seconds * 1e6))
            {
                return time
            }
            throw .invalid(
                "The body says what the time is, {\"time\":\"2030-01-01T00:00:00Z\"}, or how far to go: {\"advance\":\"3600s\"}."
            )
        }
    }

    extension DatabaseRegistry {
        /// Sets the clock of all databases, and deletes the documents that have expired.
        ///
        /// - Throws: if a database was used at a later time.
        func setClock(to time: Timestamp) async throws(RequestError) {
            let (id, last) = state.withLock { $0.lastUsed }
            guard last <= time else {
                throw RequestError(
                    .failedPrecondition,
                    "The clock cannot go back to \(time): \(id?.resourceName ?? "a database") was used at \(last).")
            }
            clock.set(time)
            for id in usedNames {
                guard let database = try await databaseToExpire(id) else { continue }
                try await onThread { _ = try database.engine.deleteExpired(now: time) }
            }
        }

        /// A database that is open, which is no use of it, or whose documents may expire. The others stay closed.
        private func databaseToExpire(_ id: DatabaseID) async throws(RequestError) -> ServedDatabase? {
            let (known, left) = state.withLock { ($0.openDatabase(id), $0.leftFile(of: id)) }
            if let known { return known }
            // The index file may have changed since the closing.
            let getsTimeToLive = indexes.configuration(of: id)?.fieldOverrides.haveTimeToLive ?? false
            if let left, !getsTimeToLive, !left.mayExpire(at: try folder.file(of: id)) { return nil }
            return try await opened(id)
        }
    }
#endif
