// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentModel
import Foundation
import Hearth
import SyncCore
import Synchronization
import TestSupport
import Testing

/// A client of a ``FakeServer`` with its offline data, whose callbacks arrive on a queue of the test.
final class Device: Sendable {
    let server: FakeServer
    let database: Database
    let path: String
    let queue = DispatchQueue(label: "test.callbacks")
    /// Errors that no caller receives.
    let log = Heard<String>()
    private let directory: TemporaryDirectory

    init(_ server: FakeServer, cache: any LocalCacheSettings = PersistentCacheSettings()) throws {
        self.server = server
        directory = try TemporaryDirectory()
        path = directory.path("replica.db")
        database = try Database.open(path: path, settings: Device.settings(queue, log, cache), remote: server.remote)
    }

    static func settings(
        _ queue: DispatchQueue, _ log: Heard<String> = Heard(),
        _ cache: any LocalCacheSettings = PersistentCacheSettings()
    ) -> FirestoreSettings {
        let settings = Sample.settings
        settings.dispatchQueue = queue
        settings.cacheSettings = cache
        settings.logHandler = { level, message in
            if level == .error { log.add(message) }
        }
        return settings
    }

    /// A database object on the same file, after this one was terminated.
    func reopened() throws -> Database {
        try Database.open(path: path, settings: Device.settings(queue, log), remote: server.remote)
    }

    var cities: CollectionReference { database.collection("cities") }

    func listen(
        to query: Query, includeMetadataChanges: Bool = false, source: ListenSource = .default
    ) -> Heard<QuerySnapshot> {
        let options = SnapshotListenOptions().withIncludeMetadataChanges(includeMetadataChanges).withSource(source)
        let heard = Heard<QuerySnapshot>()
        heard.registration.withLock {
            $0 = query.addSnapshotListener(options: options) { heard.add($0, $1) }
        }
        return heard
    }

    func listen(to document: DocumentReference, includeMetadataChanges: Bool = false) -> Heard<DocumentSnapshot> {
        let heard = Heard<DocumentSnapshot>()
        heard.registration.withLock {
            $0 = document.addSnapshotListener(includeMetadataChanges: includeMetadataChanges) { heard.add($0, $1) }
        }
        return heard
    }

    /// Verifies the file: documents, index entries, and what the client keeps beside them.
    func verify() async throws {
        let result = try await database.verify()
        #expect(result.problems == [])
    }
}

extension Fields {
    static func n(_ number: Int64) -> Fields {
        var fields = Fields.empty
        fields["n" as Text] = .integer(number)
        return fields
    }
}
