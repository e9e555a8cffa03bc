// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Synchronization
import TestSupport
import Testing

/// Listeners while indexes are built and documents expire.
struct MaintenanceListenerTests {
    private let audience: Audience
    private var tasks: CollectionReference { audience.database.collection("tasks") }
    private var composite: Query {
        tasks.whereField("user", isEqualTo: "u1").order(by: "n", descending: true).limit(to: 5)
    }

    init() throws {
        audience = try Audience()
    }

    private static let indexes = """
        {"indexes": [{"collectionGroup": "tasks", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "user", "order": "ASCENDING"}, {"fieldPath": "n", "order": "DESCENDING"}]}]}
        """

    private func fill(_ count: Int) throws {
        for start in stride(from: 0, to: count, by: 500) {
            let batch = audience.database.batch()
            for number in start..<min(start + 500, count) {
                batch.setData(["user": "u\(number % 3)", "n": number], forDocument: tasks.document("\(number)"))
            }
            try batch.sync.commit()
        }
    }

    private func ids(_ query: Query) throws -> [String] { try query.sync.getDocuments().documents.map(\.documentID) }

    /// A listener that uses other indexes sees every commit during the build. A listener that needs the new index is
    /// refused, with an error that names it, until it is ready, and then works at once.
    @Test func whileAnIndexIsBuilt() async throws {
        try fill(4_000)
        let other = audience.listen(to: tasks.order(by: "n").limit(toLast: 3))
        let waiting = audience.listen(to: composite)
        #expect(waiting.take().isEmpty && waiting.errors.withLock { $0.first?.missingIndex?.isBuilding } == false)
        let database = audience.database
        async let isReady: Void = database.setIndexConfiguration(Self.indexes)
        var heard = audience.listen(to: composite)
        var next = 4_000
        while heard.errors.withLock({ !$0.isEmpty }) {
            #expect(
                heard.errors.withLock {
                    $0.count == 1 && $0[0].missingIndex?.fields.map(\.fieldPath) == ["user", "n", "__name__"]
                })
            #expect(heard.take().isEmpty)
            try await tasks.document("\(next)").setData(["user": "u1", "n": next])
            next += 1
            heard = audience.listen(to: composite)
        }
        #expect(heard.take().last?.ids == (try ids(composite)))
        try await isReady
        for number in next..<next + 20 { try await tasks.document("\(number)").setData(["user": "u1", "n": number]) }
        audience.settle()
        #expect(heard.take().last?.ids == (0..<5).map { "\(next + 19 - $0)" })
        #expect(other.take().last?.ids == (0..<3).map { "\(next + 17 + $0)" })
        #expect(other.errors.withLock { $0.isEmpty } && heard.errors.withLock { $0.isEmpty })
    }

    /// An index change requested with a callback precedes a listener requested after it.
    @Test func afterAChangeOfIndexesThatNobodyWaitedFor() throws {
        try fill(500)
        for round in 0..<20 {
            let configuration = round % 2 == 0 ? Self.indexes : #"{"indexes": []}"#
            audience.database.setIndexConfiguration(configuration) { error in #expect(error == nil) }
            let heard = audience.listen(to: composite)
            #expect(heard.take().map(\.count) == (round % 2 == 0 ? [5] : []))
            #expect(heard.errors.withLock(\.count) == round % 2)
            heard.remove()
        }
    }

    private static let expiry = """
        {"indexes": [], "fieldOverrides": [{"collectionGroup": "sessions", "fieldPath": "expires", "ttl": true, "indexes": [
            {"order": "ASCENDING", "queryScope": "COLLECTION"}]}]}
        """

    private func addSessions(to database: Database) throws {
        for (id, seconds) in [("a", -20.0), ("b", -10), ("c", 86_400), ("d", 90_000)] {
            try database.document("sessions/\(id)").sync.setData(["expires": Date(timeIntervalSinceNow: seconds)])
        }
    }

    /// Expired documents leave like deleted ones, and limits are refilled.
    @Test func expiredDocumentsLeave() throws {
        try audience.database.sync.setIndexConfiguration(Self.expiry)
        try addSessions(to: audience.database)
        let sessions = audience.database.collection("sessions")
        let all = audience.listen(to: sessions)
        let first = audience.listen(to: sessions.order(by: "expires").limit(to: 2))
        let document = Heard<DocumentSnapshot>()
        sessions.document("a").addSnapshotListener { document.add($0, $1) }
        audience.settle()
        #expect(first.take().map(\.ids) == [["a", "b"]] && document.take().map(\.exists) == [true])
        _ = all.take()
        #expect(try audience.database.sync.deleteExpiredDocuments() == 2)
        audience.settle()
        let snapshots = all.take()
        #expect(
            snapshots.last?.ids == ["c", "d"]
                && snapshots.allSatisfy { $0.documentChanges.allSatisfy { $0.type == .removed } })
        #expect(first.take().last?.ids == ["c", "d"] && document.take().map(\.exists) == [false])
    }

    /// Documents that expire in the background leave too.
    @Test func expiryInTheBackgroundIsTold() async throws {
        let settings = Sample.settings
        settings.timeToLiveSweepInterval = 0.01
        let database = try await Database.open(path: audience.path + "-expiry", settings: settings)
        try await database.setIndexConfiguration(Self.expiry)
        try addSessions(to: database)
        for try await snapshot in database.collection("sessions").snapshots where snapshot.ids == ["c", "d"] { break }
    }
}
