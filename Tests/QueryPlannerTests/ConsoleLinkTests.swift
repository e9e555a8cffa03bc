// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner
internal import TestSupport
internal import Testing

/// E-9 to E-13.
@Suite struct ConsoleLinkTests {
    /// E-11, real payloads.
    static let examples: [(payload: String, project: String, group: String, properties: String, isExemption: Bool)] = [
        (
            "ClBwcm9qZWN0cy9maXJlZW11LW9yYWNsZS1xdWVyeS9kYXRhYmFzZXMvKGRlZmF1bHQpL2NvbGxlY3Rpb25Hcm91cHMvZmx0L2luZGV4ZXMvXxABGgUKAXEQARoFCgF6EAEaDAoIX19uYW1lX18QAQ",
            "fireemu-oracle-query", "flt", "(q ASC, z ASC, __name__ ASC)", false
        ),
        (
            "Clhwcm9qZWN0cy9waXBlbGluZWRhc2hib2FyZC1raHVzaC9kYXRhYmFzZXMvKGRlZmF1bHQpL2NvbGxlY3Rpb25Hcm91cHMvcHJvamVjdHMvaW5kZXhlcy9fEAEaEAoMYWNjZXNzLmFkbWluGAEaDQoJdXBkYXRlZE9uEAIaDAoIX19uYW1lX18QAg",
            "pipelinedashboard-khush", "projects", "(access.admin ARRAY_CONTAINS, updatedOn DESC, __name__ DESC)", false
        ),
        (
            "Cktwcm9qZWN0cy93ZWJzaXRlLTJlNTAxL2RhdGFiYXNlcy8oZGVmYXVsdCkvY29sbGVjdGlvbkdyb3Vwcy9wb3N0cy9pbmRleGVzL18QARoICgR0YWdzGAEaDQoJcHVibGlzaGVkEAEaDQoJY3JlYXRlZEF0EAIaDAoIX19uYW1lX18QAg",
            "website-2e501", "posts", "(tags ARRAY_CONTAINS, published ASC, createdAt DESC, __name__ DESC)", false
        ),
        (
            "ClZwcm9qZWN0cy9wb2tlcnNjYW5uZXItOTZlMWMvZGF0YWJhc2VzLyhkZWZhdWx0KS9jb2xsZWN0aW9uR3JvdXBzL2ludml0YXRpb25zL2luZGV4ZXMvXxABGgoKBnN0YXR1cxABGgwKCHRvVXNlcklkEAEaDQoJY3JlYXRlZEF0EAIaDAoIX19uYW1lX18QAg",
            "pokerscanner-96e1c", "invitations", "(status ASC, toUserId ASC, createdAt DESC, __name__ DESC)", false
        ),
        (
            "Cl1wcm9qZWN0cy9zdHVkaW8tOTQ1MjMyNjE0NC1mNWVkZi9kYXRhYmFzZXMvKGRlZmF1bHQpL2NvbGxlY3Rpb25Hcm91cHMvb3JkZXJzL2ZpZWxkcy9vcmRlckRhdGUQAhoNCglvcmRlckRhdGUQAg",
            "studio-9452326144-f5edf", "orders", "(orderDate DESC, __name__ DESC)", true
        ),
        (
            "ClJwcm9qZWN0cy9uYXNjYXItcGljay1lbS9kYXRhYmFzZXMvKGRlZmF1bHQpL2NvbGxlY3Rpb25Hcm91cHMvbWVtYmVycy9maWVsZHMvdXNlcklkEAIaCgoGdXNlcklkEAE",
            "nascar-pick-em", "members", "(userId ASC, __name__ ASC)", true
        ),
    ]

    @Test(arguments: examples) func E_11_decodesAndEncodes(
        _ example: (payload: String, project: String, group: String, properties: String, isExemption: Bool)
    ) throws {
        let link = try ConsoleLink(decoding: example.payload)
        #expect(link.database == DatabaseID(project: Text(example.project)))
        #expect(link.definition.collectionGroup == Text(example.group))
        #expect(link.definition.properties == example.properties)
        #expect((link.singleField != nil) == example.isExemption)
        #expect(link.payload == example.payload)
        #expect(try ConsoleLink(decoding: link.url) == link)
    }

    @Test func definitionsSurviveTheLink() throws {
        try check(count: 300) { generator in
            var modes: [IndexFieldMode] = (0..<generator.int(1..<6)).map { _ in
                generator.pick([.order(.ascending), .order(.descending)])
            }
            if generator.chance(0.3) { modes[0] = .contains }
            if generator.chance(0.2) { modes.append(.vector(dimension: generator.int(1..<2_049))) }
            let names: [Text] = ["a", "a.b", "`", "\\", "é", "a b", "x1", "_"]
            let fields = modes.enumerated().map { IndexField(FieldPath([names[$0], generator.pick(names)]), $1) }
            return ConsoleLink(
                database: DatabaseID(project: "p", database: generator.pick(["(default)", "other"])),
                definition: IndexDefinition(
                    collectionGroup: generator.pick(names), scope: generator.pick([.collection, .collectionGroup]),
                    fields: fields, nameDirection: generator.pick([.ascending, .descending])))
        } failure: { link in
            try ConsoleLink(decoding: link.url) == link ? nil : "\(try ConsoleLink(decoding: link.payload))"
        }
    }

    @Test(arguments: [
        "", "https://example.com/", "create_composite=", "create_composite=%%%", "AAAA", "CgA", "GgA",
        "https://console.firebase.google.com/v1/r/project/p/firestore/indexes?create_composite=Cg",
    ])
    func rubbishIsAnError(_ text: String) {
        #expect(throws: ConsoleLinkError.self) { try ConsoleLink(decoding: text) }
    }

    /// Whatever the address, too.
    @Test func damagedAddressesNeverTrap() {
        var fuzz = JSONFuzz(seed: SeededGenerator.printingSeed().seed)
        var read = 0
        for _ in 0..<Rounds.of(3_000) {
            let payload = fuzz.pick(ConsoleLinkTests.examples).payload
            let address = Array("https://console.firebase.google.com/x?create_composite=\(payload)&y=1".utf8)
            if (try? ConsoleLink(decoding: String(decoding: fuzz.damage(address), as: UTF8.self))) != nil { read += 1 }
        }
        #expect(read > 0)
    }

    /// Whatever the bytes, decoding ends with a link or an error.
    @Test func damagedPayloadsNeverTrap() throws {
        try check(count: Rounds.of(3_000)) { generator in
            var bytes = Base64.decode(generator.pick(ConsoleLinkTests.examples).payload) ?? []
            for _ in 0...generator.int(0..<4) {
                let place = generator.int(0..<bytes.count)
                if generator.chance(0.3) {
                    bytes.removeSubrange(place...)
                    bytes.append(0xFF)
                } else {
                    bytes[place] = UInt8(truncatingIfNeeded: generator.next())
                }
            }
            return bytes
        } failure: { bytes in
            do {
                let link = try ConsoleLink(decoding: Base64.encode(bytes))
                return link.definition.fieldsWithName.isEmpty ? "an index without fields" : nil
            } catch is ConsoleLinkError {
                return nil
            }
        }
    }
}
