// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import JSONText
import TestSupport
import Testing

/// Production's answers to documents and values, where the model alone decides.
@Suite struct RecordedWritesTests {
    private static let database = DatabaseID(project: "demo-firestore-probe")

    /// Messages of this target. The others belong to writes, preconditions and transforms.
    private static let ours = [
        "lacks \"/\"", "property.name", "Nested arrays", "nested entity", "Unknown name \"fooValue\"", "type unset",
        "timestampValue", "Base64", "Geo point", "longer than", "resource id", "is reserved",
    ]

    @Test func formErrorsAreThoseOfProduction() throws {
        guard let folder = Locations.sharedData() else { return }
        let text = try String(contentsOf: folder.appending(path: "production-2026/writes.ndjson"), encoding: .utf8)
        var (refused, accepted) = (0, 0)
        for line in text.split(separator: "\n") {
            let node = try JSONParser.parse(String(line))
            let id = node["id"]?.string ?? ""
            let message = node["expect"]?["message"]?.string ?? ""
            let error = firstError(in: node)
            if Self.ours.contains(where: message.contains) {
                refused += 1
                #expect(
                    error.map { agrees($0.message, message) } ?? false,
                    "\(id): \(error?.message ?? "accepted"), not \(message)")
            } else {
                accepted += 1
                #expect(error == nil, "\(id)")
            }
        }
        #expect(refused >= 11)
        #expect(accepted >= 20)
    }

    private func firstError(in node: JSONNode) -> DocumentFormError? {
        for write in node["writes"]?.elements ?? [] {
            guard let update = write["update"] else { continue }
            do throws(DocumentFormError) {
                let (path, fields) = try DocumentJSON.read(expanded(update), database: Self.database)
                try DocumentLimits.validate(path, fields, database: Self.database)
            } catch {
                return error
            }
        }
        return nil
    }

    /// `{"$repeat":["x",3]}` means `xxx`, and names in requests are full.
    private func expanded(_ node: JSONNode) -> JSONNode {
        if let parts = node["$repeat"]?.elements, let text = parts[0].string, let count = parts[1].number?.int64 {
            return .string(String(repeating: text, count: Int(count)))
        }
        switch node.value {
        case .array(let elements): return .array(elements.map(expanded))
        case .object(let members):
            let changed = members.map { member in
                let isName = member.key == "name" && member.node.string?.hasPrefix("projects/") == false
                let full = "\(Self.database.resourceName)/documents/\(member.node.string ?? "")"
                return JSONMember(key: member.key, node: isName ? .string(full) : expanded(member.node))
            }
            return JSONNode(.object(changed))
        default: return node
        }
    }

    /// Whether the messages agree except for the offset, which counted another project's name, and except for those of
    /// the JSON transport.
    private func agrees(_ message: String, _ production: String) -> Bool {
        let ours = message.replacing(/at index \d+/, with: "at index N")
        let theirs = production.replacing(/at index \d+/, with: "at index N")
        if ours == theirs { return true }
        return [
            ("fooValue", "fooValue"), ("Illegal timestamp format", "timestampValue takes"),
            ("Base64 decoding failed", "base64 text"),
        ]
        .contains { production.contains($0.0) && message.contains($0.1) }
    }
}
