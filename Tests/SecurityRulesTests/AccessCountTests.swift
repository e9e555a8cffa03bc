// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// What calls of `get()` and the like count of the ten, or twenty, that a request may make. All was measured on the official emulator
/// 1.19.9, by how many calls for other documents still fit.
@Suite struct AccessCountTests {
    private static let time = RecordedRulesTests.time
    private static let stored: Set<String> = ["b/1", "b/2", "b/3", "n/yes", "a/old"]

    private static func document(_ path: String) -> String { "/databases/$(database)/documents/\(path)" }

    private static func fields(_ path: ResourcePath) -> Fields? {
        stored.contains(path.description) || path.segments[0] == "e" ? ["v": .integer(1)] : nil
    }

    /// Calls such as `get yes`, none of which comes to true.
    private static func calls(_ text: String) -> String {
        text.split(separator: ",").map { call(String($0)) }.joined(separator: " || ")
    }

    private static func call(_ text: String) -> String {
        let words = text.split(separator: " ").map { String($0) }
        let path = words[1].contains("/") ? words[1] : "n/\(words[1])"
        let result = "\(words[0])(\(document(path)))"
        return words[0].hasPrefix("exists") ? "(\(result) && false)" : "\(result).data.v == 9"
    }

    /// Calls that count, for so many documents that exist, the last of which decides.
    private static func others(_ count: Int, from first: Int = 0) -> String {
        (1...max(count, 1)).map { "exists(\(document("e/\(first + $0)")))" + ($0 < count ? " == false" : "") }
            .joined(separator: " || ")
    }

    private static func gate(_ body: String) throws -> AccessGate {
        let source = SecurityLintRule.source(body)
        return AccessGate(try #require(RuleSet.compile(source).rules), auth: .null, database: "(default)")
    }

    private static func allows(commit writes: [Write], _ condition: String) throws -> Bool {
        let body = "match /b/{x} { allow read, write: if \(condition); } match /a/{x} { allow read, write; }"
        return try gate(body).decide(commit: writes, at: time) { (path) throws(Never) -> Fields? in fields(path) }
            .isAllowed
    }

    private static func allows(get paths: [String], _ condition: String) throws -> Bool {
        let paths = try paths.map { try ResourcePath(parsing: $0) }
        return try gate("match /b/{x} { allow read, write: if \(condition); }").decide(get: paths, at: time) {
            (path) throws(Never) -> Fields? in fields(path)
        }.isAllowed
    }

    private static func set(_ path: String) throws -> Write {
        .set(try DocumentPath(parsing: path), ["v": .integer(2)])
    }

    /// Of one document's ten.
    @Test(arguments: [
        ("get no", 1), ("get no,get no", 2), ("get no,get no,get no", 3), ("get no,getAfter no", 2),
        ("exists no,exists no", 1), ("exists no,existsAfter no", 1), ("get no,exists no", 2), ("exists no,get no", 2),
        ("get no,exists no,get no", 3), ("value no,value no", 2),
        ("get yes,get yes", 1), ("get yes,getAfter yes", 1), ("exists yes,existsAfter yes", 1),
        ("get yes,value yes", 1),
        ("get yes,exists yes", 1), ("exists yes,get yes", 2), ("getAfter yes,exists yes", 1), ("get b/1", 0),
    ])
    func oneDocument(_ calls: String, _ count: Int) throws {
        for (others, isAllowed) in [(10 - count, true), (11 - count, false)] {
            let condition = "\(Self.calls(calls)) || \(Self.others(others))"
            #expect(try Self.allows(get: ["b/1"], condition) == isAllowed)
            #expect(try Self.allows(commit: [Self.set("b/1")], condition) == isAllowed)
        }
    }

    /// What a commit makes of another of its documents is known.
    @Test(arguments: [
        ("get a/old", 1), ("getAfter a/old", 0), ("getAfter a/old,getAfter a/old", 0), ("get a/old,getAfter a/old", 1),
        ("getAfter a/old,get a/old", 1), ("existsAfter a/old", 0), ("exists a/old,existsAfter a/old", 1),
        ("exists a/old,get a/old", 2), ("get a/new,get a/new", 2), ("getAfter a/new,getAfter a/new", 0),
    ])
    func documentOfTheCommit(_ calls: String, _ count: Int) throws {
        let path = try DocumentPath(parsing: calls.contains("new") ? "a/new" : "a/old")
        let time = FieldTransform(FieldPath(name: "t"), .serverTimestamp)
        for other in [
            Write.set(path, ["v": .integer(2)]), Write(path, .delete),
            Write(path, .verify, precondition: .exists(true)),
            Write(path, .update(["v": .integer(2)], mask: [FieldPath(name: "v")], transforms: [])),
            Write(path, .update(.empty, mask: [], transforms: [time])),
        ] {
            for (others, isAllowed) in [(10 - count, true), (11 - count, false)] {
                let condition = "\(Self.calls(calls)) || \(Self.others(others))"
                #expect(try Self.allows(commit: [Self.set("b/1"), other], condition) == isAllowed)
            }
        }
    }

    /// What was asked for one document of a request counts no more for the next one.
    @Test(arguments: [
        ("get yes", "get yes,getAfter yes,exists yes", 0), ("exists yes", "exists yes,existsAfter yes", 0),
        ("exists yes", "get yes,get yes", 1), ("get no", "get no,get no", 2), ("get no", "exists no,exists no", 1),
        ("exists no", "exists no", 0), ("exists no", "get no,get no", 2),
    ])
    func nextDocument(_ first: String, _ second: String, _ count: Int) throws {
        for (others, isAllowed) in [(10 - count, true), (11 - count, false)] {
            let condition = """
                (x == '1' && (\(Self.calls(first)) || resource != null)) \
                || (x == '2' && (\(Self.calls(second)) || \(Self.others(others))))
                """
            #expect(try Self.allows(get: ["b/1", "b/2"], condition) == isAllowed)
            #expect(try Self.allows(commit: [Self.set("b/1"), Self.set("b/2")], condition) == isAllowed)
        }
    }

    /// Of a request's twenty.
    @Test func wholeRequest() throws {
        let missing = Self.calls(Array(repeating: "get no", count: 10).joined(separator: ","))
        for (first, left) in [(missing, 0), (Self.calls("get no,get no,exists yes"), 7)] {
            for others in left...left + 1 where others > 0 {
                let condition = """
                    (x == '1' && (\(first) || resource != null)) \
                    || (x == '2' && (\(Self.others(10)))) || (x == '3' && (\(Self.others(others, from: 20))))
                    """
                let isAllowed = others <= left
                #expect(try Self.allows(get: ["b/1", "b/2", "b/3"], condition) == isAllowed)
            }
        }
    }

    @Test(arguments: [(19, true), (20, false)]) func query(_ count: Int, isAllowed: Bool) throws {
        let missing = Self.calls(Array(repeating: "get no", count: count).joined(separator: ","))
        let gate = try Self.gate("match /b/{x} { allow list: if \(missing) || \(Self.others(1)); }")
        let query = Query(parent: nil, from: CollectionSelector(collectionID: "b"))
        let decision = gate.decide(list: query, at: Self.time) { (path) throws(Never) -> Fields? in Self.fields(path) }
        #expect(decision.isAllowed == isAllowed)
    }
}
