// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// A database whose callbacks arrive on a queue of the test, so that the test can wait until no more can come.
final class Audience: Sendable {
    let database: Database
    let path: String
    let queue = DispatchQueue(label: "test.callbacks")
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("test.db")
        let settings = Sample.settings
        settings.dispatchQueue = queue
        // A closure cannot capture the object under construction.
        let log = Heard<String>()
        settings.logHandler = { level, message in
            if level == .error { log.add(message) }
        }
        self.log = log
        database = try Database.open(path: path, settings: settings)
    }

    /// Errors that no caller receives.
    let log: Heard<String>

    /// Returns when listeners have been told everything about the commits so far.
    func settle() {
        catchUp()
        queue.sync {}
    }

    /// Returns when the commits so far have reached the listeners, whose callbacks may still be queued.
    func catchUp() {
        // A listener that was requested during maintenance starts after it, on its queue.
        database.queues.maintenance.sync {}
        database.queues.waitForUnawaited(database)
        database.queues.listeners.sync {}
    }

    var cities: CollectionReference { database.collection("cities") }

    /// Listens, and waits for the first snapshot.
    func listen(to query: Query) -> Heard<QuerySnapshot> {
        let heard = Heard<QuerySnapshot>()
        heard.registration.withLock {
            $0 = query.addSnapshotListener { snapshot, error in heard.add(snapshot, error) }
        }
        settle()
        return heard
    }
}

extension QuerySnapshot {
    var ids: [String] { documents.map(\.documentID) }

    /// The changes as `+id@new`, `-id@old`, `id old>new`.
    var changeTexts: [String] {
        documentChanges.map { change in
            let id = change.document.documentID
            return switch change.type {
            case .added: "+\(id)@\(change.newIndex)" + (change.oldIndex == UInt(NSNotFound) ? "" : "!")
            case .removed: "-\(id)@\(change.oldIndex)" + (change.newIndex == UInt(NSNotFound) ? "" : "!")
            case .modified: "\(id) \(change.oldIndex)>\(change.newIndex)"
            }
        }
    }
}
