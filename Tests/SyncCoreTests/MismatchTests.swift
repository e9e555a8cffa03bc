// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import Testing

/// Counts of the server that are not the client's, and filters that say which documents are left.
@Suite struct MismatchTests {
    private let client: ScriptedClient
    private static let ids = ["a", "b", "c"]

    init() throws {
        client = ScriptedClient(in: try FileReplica())
        client.listen(try ScriptedClient.collection())
        client.sync(MismatchTests.ids.map { ScriptedClient.document($0, 1, at: 1) }, at: 1)
    }

    /// A filter of one byte, which contains of the three names only these.
    private static func filter(claiming claimed: [String]) throws -> BloomFilter {
        let filters = (1...UInt8.max).compactMap { BloomFilter(bitmap: [$0], padding: 0, hashCount: 1) }
        return try #require(
            filters.first { filter in
                ids.allSatisfy { id in
                    let name = "\(ScenarioForm.database.resourceName)/documents/\(ScriptedClient.path(id))"
                    return filter.mightContain(name) == claimed.contains(id)
                }
            })
    }

    /// The server has one document left, and a filter that says so of these.
    private func countOne(_ claimed: [String]) throws -> [SyncEffect] {
        let filter = ExistenceFilter(count: 1, unchangedNames: try MismatchTests.filter(claiming: claimed))
        client.say(.existenceFilter(filter, target: client.wireIDs.last!))
        return client.boundary(at: 2)
    }

    private func shown(_ effects: [SyncEffect]) -> [String]? { effects.snapshots.last?.documents.map(\.path.id.string) }

    /// The documents that are in doubt are asked for, each by a listen of its own, and are gone.
    private func expectDoubtOfTheOthers(_ effects: [SyncEffect]) throws {
        #expect(effects.listens.map(\.purpose) == [.limboResolution, .limboResolution])
        #expect(effects.listens.map(\.target.document) == [ScriptedClient.path("b"), ScriptedClient.path("c")])
        for target in client.wireIDs.suffix(2) {
            client.say(.target(.added, targets: [target], resumeToken: [], readTime: nil))
            client.say(.target(.current, targets: [target], resumeToken: [4], readTime: nil))
        }
        #expect(shown(client.boundary(at: 4)) == ["a"])
        #expect(client.effects.snapshots.last?.isFromCache == false)
        #expect(try client.replica.problems() == [])
    }

    @Test func filterThatIsRight() throws {
        try expectDoubtOfTheOthers(countOne(["a"]))
    }

    /// What a filter claims may be gone. The count tells, and all documents are asked for again, without a token.
    @Test(arguments: [["a", "b"], ["a", "b", "c"]]) func filterThatClaimsTooMuch(_ claimed: [String]) throws {
        let effects = try countOne(claimed)
        #expect(effects.listens.map(\.purpose) == [.existenceFilterMismatchBloom])
        #expect(effects.listens.map(\.resumeToken) == [[]])
        #expect(effects.listens.map(\.expectedCount) == [nil])
        #expect(try client.target(of: ScriptedClient.collection())?.resumeToken == [])
        // Until the server has sent them, all are shown, and as cached.
        #expect(shown(effects) == MismatchTests.ids)
        #expect(effects.snapshots.last?.isFromCache == true)
        try expectDoubtOfTheOthers(client.sync([ScriptedClient.document("a", 1, at: 1)], at: 3))
    }
}
