// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import JSONText
import TestSupport
import Testing

/// The recorded write cases of production, by name.
@Suite struct RecordedWritesTests {
    private static let database = DatabaseID(project: "demo-firestore-probe")

    /// A case, identified by its name.
    struct Case: Sendable, CustomTestStringConvertible {
        let line: String

        var id: String { (try? JSONParser.parse(line))?["id"]?.string ?? "?" }
        var testDescription: String { id }
    }

    static let cases: [Case] = {
        guard let data = Locations.sharedData() else { return [] }
        let url = data.appending(path: "production-2026/writes.ndjson")
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { Case(line: String($0)) }
    }()

    @Test func allAreThere() {
        guard Locations.sharedData() != nil else { return }
        print("production-2026: \(Self.cases.count) write cases run, none skipped")
        #expect(Set(Self.cases.map(\.id)).count == 51)
    }

    @Test(arguments: cases) func write(recorded: Case) throws {
        var node = try JSONParser.parse(recorded.line)
        Self.expandRepeats(&node)
        let database = try TemporaryDatabase(project: Self.database.project)
        let engine = database.engine
        for member in node["before"]?.members ?? [] {
            // A time from the recording's server. Its value does not matter.
            let text = member.node.text(.compact)
                .replacingOccurrences(of: "<request time>", with: "2026-09-06T00:00:00Z")
            let fields = try ValueJSON.readFields(try JSONParser.parse(text), database: Self.database)
            _ = try engine.commit([.set(try DocumentPath(parsing: member.key), fields)])
        }
        let id = recorded.id
        let outcome = try Self.outcome(node, engine)
        let expect = try #require(node["expect"])
        if let error = expect["error"]?.string {
            #expect(outcome.error?.status.name == error, "\(id): \(outcome.error?.message ?? "succeeded")")
            if let message = expect["message"]?.string, !Self.isOfTransport(message) {
                #expect(outcome.error.map { Self.withoutPlace($0.message) } == Self.withoutPlace(message), "\(id)")
            }
        } else {
            #expect(outcome.error == nil, "\(id): \(outcome.error?.message ?? "")")
            for member in expect["after"]?.members ?? [] {
                try Self.compare(member, engine, outcome.result?.commitTime, id)
            }
        }
        try Self.compareResults(expect, outcome.result, id)
    }

    /// Offsets count characters of the sent name, whose project name differs from the recording's.
    private static func withoutPlace(_ message: String) -> String {
        message.replacing(/at index \d+/, with: "at its index")
    }

    /// Messages of the JSON transport, which Hearth does not have.
    private static func isOfTransport(_ message: String) -> Bool {
        message.hasPrefix("Invalid value at") || message.hasPrefix("Invalid JSON payload")
    }

    private struct Outcome {
        let result: CommitResult?
        let error: EngineError?
    }

    private static func outcome(_ node: JSONNode, _ engine: Engine) throws -> Outcome {
        do throws(EngineError) {
            var writes: [Write]
            do throws(DocumentFormError) {
                writes = try WriteJSON.read(withUpdateTime(node, engine)["writes"]!, .fullOrRelative(in: database))
            } catch {
                throw EngineError(error)
            }
            return Outcome(result: try engine.commit(writes), error: nil)
        } catch {
            return Outcome(result: nil, error: error)
        }
    }

    /// Inserts the document's update time where a case has a placeholder.
    private static func withUpdateTime(_ node: JSONNode, _ engine: Engine) -> JSONNode {
        let text = node.text(.compact)
        guard text.contains("<its current update time>") else { return node }
        let time = (try? engine.document("wr/existing"))?.updateTime.description ?? ""
        return (try? JSONParser.parse(text.replacingOccurrences(of: "<its current update time>", with: time))) ?? node
    }

    private static func compare(_ member: JSONMember, _ engine: Engine, _ time: Timestamp?, _ id: String) throws {
        let document = try engine.document(try DocumentPath(parsing: member.key))
        if member.node.isNull {
            #expect(document == nil, "\(id): \(member.key) is there")
            return
        }
        let milliseconds = time.flatMap { Timestamp(microseconds: $0.microseconds / 1_000 * 1_000) }
        let text = member.node.text(.compact).replacingOccurrences(
            of: "<request time>", with: milliseconds?.description ?? "")
        let expected = try ValueJSON.readFields(try JSONParser.parse(text), database: database)
        let found = try #require(document, "\(id): \(member.key) is missing")
        let agree = expected.isIdentical(to: found.fields) || differsInTimesOnly(expected, found.fields)
        #expect(agree, "\(id): \(found.fields)")
    }

    /// Times that an earlier commit of the recording wrote match any times here.
    private static func differsInTimesOnly(_ expected: Fields, _ found: Fields) -> Bool {
        expected.count == found.count
            && zip(expected, found).allSatisfy { left, right in
                if case (.timestamp, .timestamp) = (left.value, right.value) { return left.name == right.name }
                return left.name == right.name && left.value.isIdentical(to: right.value)
            }
    }

    private static func compareResults(_ expect: JSONNode, _ result: CommitResult?, _ id: String) throws {
        guard let results = expect["transformResults"]?.elements, let found = result?.results.first else { return }
        for (expected, value) in zip(results, found.transformResults) where expected.string != "<request time>" {
            let wanted = try ValueJSON.read(expected, database: database)
            if case .timestamp = wanted { continue }
            #expect(wanted.isIdentical(to: value), "\(id): \(found.transformResults)")
        }
    }

    /// `{"$repeat":["x",1048600]}` means a long text.
    private static func expandRepeats(_ node: inout JSONNode) {
        switch node.value {
        case .array(var elements):
            for index in elements.indices { expandRepeats(&elements[index]) }
            node.value = .array(elements)
        case .object(var members):
            if members.count == 1, members[0].key == "$repeat", let parts = members[0].node.elements {
                node.value = .string(String(repeating: parts[0].string ?? "", count: Int(parts[1].number?.int64 ?? 0)))
                return
            }
            for index in members.indices { expandRepeats(&members[index].node) }
            node.value = .object(members)
        default: break
        }
    }
}
