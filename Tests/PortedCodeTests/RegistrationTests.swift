// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

// Registrations of a program's own, as in applications: classes that may change and are not `Sendable`.

class Registrations: ListenerRegistration {
    private var all: [ListenerRegistration] = []

    func add(_ registration: ListenerRegistration) { all.append(registration) }

    func remove() {
        all.forEach { $0.remove() }
        all = []
    }
}

class ClosureRegistration: ListenerRegistration {
    var onRemoval: (() -> Void)?

    func remove() {
        onRemoval?()
        onRemoval = nil
    }
}

class CityWatcher {
    var registration: (any ListenerRegistration)?
    let others = Registrations()

    func start(_ query: Query) {
        let first: ListenerRegistration = query.addSnapshotListener { _, _ in }
        others.add(first)
        others.add(query.firestore.addSnapshotsInSyncListener {})
        registration = query.addSnapshotListener(includeMetadataChanges: true) { _, _ in }
    }

    deinit {
        registration?.remove()
        others.remove()
    }
}

/// What Hearth returns may be used in another task.
func counts(of query: Query) -> AsyncStream<Int> {
    AsyncStream { continuation in
        let registration = query.addSnapshotListener { snapshot, _ in continuation.yield(snapshot?.count ?? -1) }
        continuation.onTermination = { _ in registration.remove() }
    }
}

@Suite struct RegistrationTests {
    @Test func registrationsOfTheProgram() async throws {
        let settings = FirestoreSettings()
        settings.cacheSettings = MemoryCacheSettings()
        settings.dispatchQueue = DispatchQueue(label: "callbacks")
        let cities = try await Database.open(path: "", settings: settings).collection("cities")
        for await count in counts(of: cities) {
            #expect(count == 0)
            break
        }
        CityWatcher().start(cities)
        let own = ClosureRegistration()
        var isRemoved = false
        own.onRemoval = { isRemoved = true }
        let all = Registrations()
        all.add(own)
        all.remove()
        #expect(isRemoved)
    }
}
