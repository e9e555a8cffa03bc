// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import JSONText
import SyncCore
import TestSupport
import Testing

@Suite struct BloomFilterTests {
    /// The filters that Firestore's backend made, and what its own library says they contain.
    @Test func backendFiltersContainWhatTheBackendSays() throws {
        guard let folder = Locations.sharedData()?.appending(path: "bloom") else { return }
        var compared = 0
        for count in [1, 500, 5_000, 50_000] {
            for rate in ["1", "01", "0001"] {
                let name = "MD5_\(count)_\(rate)"
                let filter = try #require(
                    try BloomFilterTests.filter(folder.appending(path: "\(name)_bloom_filter_proto.json")))
                let text = try #require(
                    try BloomFilterTests.json(folder.appending(path: "\(name)_membership_test_result.json"))[
                        "membershipTestResults"]?.string)
                let answers = Array(text.utf8)
                let wrong = (0..<Rounds.of(answers.count)).filter { index in
                    let member = "projects/project-1/databases/database-1/documents/coll/doc\(index)"
                    return filter.mightContain(member) != (answers[index] == UInt8(ascii: "1"))
                }
                #expect(wrong.isEmpty, "\(name)")
                compared += 1
            }
        }
        #expect(compared == 12)
    }

    private static func json(_ file: URL) throws -> JSONNode { try JSONParser.parse([UInt8](Data(contentsOf: file))) }

    private static func filter(_ file: URL) throws -> BloomFilter? {
        let node = try json(file)
        return BloomFilter(
            bitmap: try #require(Base64.decode(node["bits"]?["bitmap"]?.string ?? "")),
            padding: Int(node["bits"]?["padding"]?.number?.int64 ?? 0),
            hashCount: Int(node["hashCount"]?.number?.int64 ?? 0))
    }

    @Test func impossibleFormsAreRefused() {
        #expect(BloomFilter(bitmap: [1], padding: 8, hashCount: 1) == nil)
        #expect(BloomFilter(bitmap: [1], padding: -1, hashCount: 1) == nil)
        #expect(BloomFilter(bitmap: [1], padding: 0, hashCount: 0) == nil)
        #expect(BloomFilter(bitmap: [1], padding: 0, hashCount: -1) == nil)
        #expect(BloomFilter(bitmap: [], padding: 1, hashCount: 0) == nil)
        #expect(BloomFilter(bitmap: [], padding: 0, hashCount: 0)?.isEmpty == true)
        #expect(BloomFilter(bitmap: [], padding: 0, hashCount: 0)?.mightContain("a") == false)
    }
}
