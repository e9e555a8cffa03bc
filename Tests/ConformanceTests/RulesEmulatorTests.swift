// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import JSONText
import SecurityRules
import TestSupport
import Testing

/// Compares what rules decide with the official Firestore emulator, if one is installed.
extension EmulatorTests {
    /// Random conditions for reading a document: allowed or not, and for what reason.
    @Test func conditionsAreDecidedAlike() throws {
        guard let emulator = try Self.process() else { return }
        let judge = RulesJudge(emulator: emulator)
        try judge.prepare()
        var generator = Self.generator()
        let count = Rounds.of(1_500, or: "HEARTH_CONFORMANCE_RULES")
        var (compared, allowed, reworded) = (0, 0, 0)
        while compared < count {
            let expressions = (0..<min(RulesJudge.places, count - compared)).map { _ in
                RandomExpression.condition(&generator)
            }
            let answers = try judge.answers(expressions.map(\.text))
            for (expression, answer) in zip(expressions, answers) where answer.own != answer.emulators {
                if answer.isUnanswered { continue }
                if answer.isDecidedAlike {
                    reworded += 1
                    print("other words: \(expression.text): Hearth \(answer.own), the emulator \(answer.emulators)")
                    continue
                }
                let smallest = try Shrinker.smallest(from: expression, candidates: \.simpler) { smaller in
                    try judge.answers([smaller.text]).contains { !$0.isUnanswered && !$0.isDecidedAlike }
                }
                let found = try judge.answers([smallest.text])[0]
                Issue.record("\(smallest.text): Hearth \(found.own), the emulator \(found.emulators)")
            }
            compared += expressions.count
            allowed += answers.count { $0.own.isEmpty }
        }
        print("\(compared) conditions, \(allowed) of them true, \(reworded) refused in other words")
        #expect(allowed > compared / 50)
        // Of two sides of `&&` that both fail, the emulator names one by rules of its own.
        #expect(reworded <= 3 + compared / 100)
    }
}

/// Asks Hearth and the emulator for documents under given conditions.
struct RulesJudge {
    let emulator: EmulatorProcess
    /// How many conditions fit one set of rules.
    static let places = 50

    /// The messages: empty if the request is allowed.
    struct Answer {
        let own: String
        let emulators: String

        /// Whether both allow or both refuse.
        var isDecidedAlike: Bool { own.isEmpty == emulators.isEmpty }
        /// The emulator itself fails over some constants, such as a float in place of an index.
        var isUnanswered: Bool { emulators.contains("\"code\":500") }
    }

    private static let database = DatabaseID(project: "rules")
    private static let time = Timestamp(microseconds: 1_795_000_000_000_000) ?? .minimum
    private static let claims = #"{"sub":"alice","user_id":"alice"}"#

    private static let fields: Fields = {
        let inner = Fields(sorting: [Field("k", .integer(1))])
        return Fields(sorting: [
            Field("i", .integer(5)), Field("f", .double(2.5)), Field("s", .string("text")), Field("m", .map(inner)),
            Field("l", .array([.integer(1), .string("a"), .double(1)])),
            Field("w", .timestamp(Timestamp(microseconds: 1_600_000_000_123_456) ?? .minimum)),
        ])
    }()

    /// Writes a document for each place.
    func prepare() throws {
        var writer = JSONWriter()
        ValueJSON.writeFields(Self.fields, to: &writer, database: Self.database)
        let body = Data("{\"fields\":\(writer.string)}".utf8)
        for place in 0..<Self.places {
            _ = try emulator.send("PATCH", "v1/\(Self.database.resourceName)/documents/e\(place)/x", body)
        }
    }

    func answers(_ conditions: [String]) throws -> [Answer] {
        let matches = conditions.enumerated().map { "    match /e\($0)/{id} { allow get: if \($1); }" }
        let source = """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
            \(matches.joined(separator: "\n"))
              }
            }
            """
        let content = JSONNode.object(["name": .string("x.rules"), "content": .string(source)])
        let body = JSONNode.object(["rules": .object(["files": .array([content])])])
        let set = try emulator.send(
            "PUT", "emulator/v1/projects/rules:securityRules", Data(body.text().utf8))
        let compiled = RuleSet.compile(source)
        guard set.status == 200, let rules = compiled.rules else {
            return try uncompiled(conditions, compiled.rules == nil, String(decoding: set.body, as: UTF8.self))
        }
        return try conditions.indices.map { place in
            Answer(own: own(rules, place), emulators: try emulators(place))
        }
    }

    /// Where one condition does not compile, each is asked alone.
    private func uncompiled(_ conditions: [String], _ isRefused: Bool, _ message: String) throws -> [Answer] {
        guard conditions.count == 1 else { return try conditions.flatMap { try answers([$0]) } }
        let isRefusedThere = message.contains("Error compiling rules")
        return [Answer(own: isRefused ? "no rules" : "rules", emulators: isRefusedThere ? "no rules" : message)]
    }

    private func own(_ rules: RuleSet, _ place: Int) -> String {
        let path = ResourcePath(segments: [Text("e\(place)"), "x"])
        let claims = try? JSONParser.parse(Self.claims)
        let request = RuleRequest(
            .get([path]), auth: claims.map(Claims.auth) ?? .null, time: RuleTimestamp(Self.time))
        let decision = rules.decide(request) { path in
            path.segments.count == 2 && path.segments[1] == "x" ? Self.fields : nil
        }
        return decision.message
    }

    private func emulators(_ place: Int) throws -> String {
        func part(_ text: String) -> String {
            Base64.encode(Array(text.utf8)).replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        }
        let token = part(#"{"alg":"none","type":"JWT"}"#) + "." + part(Self.claims) + "."
        let response = try emulator.send(
            "GET", "v1/\(Self.database.resourceName)/documents/e\(place)/x", authorization: "Bearer \(token)")
        if response.status == 200 { return "" }
        let error = try JSONParser.parse(Array(response.body))["error"]
        return error?["message"]?.string ?? String(decoding: response.body, as: UTF8.self)
    }
}
