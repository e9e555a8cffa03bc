// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import TestSupport
import Testing

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

    /// The background deletes what expires while the database is open, and ends with it.
    @Test func inTheBackground() async throws {
        let sample = try Sample()
        let settings = Sample.settings
        settings.expiryInterval = 0.01
        let database = try await Database.open(path: sample.path, settings: settings)
        try fill(database)
        while try ids(database) != ["lasting", "new"] { try await Task.sleep(for: .milliseconds(5)) }
        try await database.terminate()
        try await sample.database.document("sessions/late").setData(["expires": Date(timeIntervalSinceNow: -60)])
        try await Task.sleep(for: .milliseconds(50))
        #expect(try ids(sample.database) == ["lasting", "late", "new"])
    }
}
