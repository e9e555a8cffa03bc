// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite struct ExpiryTests {
    private static let configuration = """
        {"indexes":[],"fieldOverrides":[
          {"collectionGroup":"sessions","fieldPath":"expires","ttl":true,"indexes":[]}]}
        """

    private func fill(_ database: Database) throws {
        try database.sync.setIndexConfiguration(Self.configuration)
        try database.document("sessions/old").sync.setData(["expires": Date(timeIntervalSinceNow: -60)])
        try database.document("sessions/new").sync.setData(["expires": Date(timeIntervalSinceNow: 86_400)])
        try database.document("sessions/lasting").sync.setData(["n": 1])
    }

    private func ids(_ database: Database) throws -> [String] {
        try database.collection("sessions").sync.getDocuments().documents.map(\.documentID)
    }

    @Test func onDemand() async throws {
        let sample = try Sample()
        try fill(sample.database)
        #expect(try await sample.database.deleteExpiredDocuments() == 1)
        #expect(try ids(sample.database) == ["lasting", "new"])
        #expect(try await sample.database.deleteExpiredDocuments() == 0)
    }

    /// Expired documents are deleted in the background while the database is open, and no longer.
    @Test func inTheBackground() async throws {
        let sample = try Sample()
        let settings = Sample.settings
        settings.timeToLiveSweepInterval = 0.01
        let database = try await Database.open(path: sample.path, settings: settings)
        try fill(database)
        try await wait(for: "a sweep") { try ids(database) == ["lasting", "new"] }
        weak var engine: Engine?
        engine = try database.engineAndHub().engine
        #expect(engine != nil)
        try await database.terminate()
        // A sweep retains the engine, and none starts without it.
        try await wait(for: "the end of the last sweep") { engine == nil }
    }

    /// A sweep that is running then ends, although much is left to delete.
    @Test func notOnceItIsTerminated() async throws {
        let sample = try Sample()
        try await sample.database.setIndexConfiguration(Self.configuration)
        let sessions = sample.database.collection("sessions")
        for start in stride(from: 0, to: 10_000, by: 500) {
            let batch = sample.database.batch()
            for number in start..<start + 500 {
                batch.setData(["expires": Date(timeIntervalSinceNow: -60)], forDocument: sessions.document("\(number)"))
            }
            try await batch.commit()
        }
        let settings = Sample.settings
        settings.timeToLiveSweepInterval = 3_600
        let database = try await Database.open(path: sample.path, settings: settings)
        try await wait(for: "a sweep") { try await !sessions.document("0").getDocument().exists }
        try await database.terminate()
        let left = try await sessions.getDocuments().count
        try await Task.sleep(for: .milliseconds(100))
        #expect(try await sessions.getDocuments().count == left)
    }
}
