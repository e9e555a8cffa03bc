// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText

    extension EmulatorMethods {
        /// What the requests so far would cost, by the counts that production bills.
        func usage(_ id: DatabaseID, _ responder: HTTPResponder) async throws(RequestError) {
            let counts = try await service.databases.database(id).traffic.counts
            try responder.sendObject { (writer) throws(RequestError) in
                for (name, count) in [
                    ("documentsRead", counts.documentsRead), ("documentsWritten", counts.documentsWritten),
                    ("documentsDeleted", counts.documentsDeleted), ("queries", counts.queries),
                    ("queriesRefused", counts.queriesRefused), ("entriesScanned", counts.entriesScanned),
                ] {
                    writer.key(name)
                    writer.integer(Int64(count))
                }
            }
        }
    }
#endif
