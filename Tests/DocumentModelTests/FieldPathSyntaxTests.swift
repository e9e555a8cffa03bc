// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct FieldPathSyntaxTests {
    @Test(
        arguments: [
            ("a", ["a"], "a"), ("_x9", ["_x9"], "_x9"), ("a.b.c", ["a", "b", "c"], "a.b.c"), ("`a`", ["a"], "a"),
            ("`a.b`", ["a.b"], "`a.b`"), ("`a.b`.c.`d e`", ["a.b", "c", "d e"], "`a.b`.c.`d e`"), ("`*`", ["*"], "`*`"),
            ("`5`", ["5"], "`5`"), ("`a\\`b`", ["a`b"], "`a\\`b`"), ("`a\\\\b`", ["a\\b"], "`a\\\\b`"),
            ("`\\a`", ["a"], "a"), ("__name__", ["__name__"], "__name__"), ("`__name__`", ["__name__"], "__name__"),
            ("`é`", ["é"], "`é`"), ("`e\u{301}`", ["e\u{301}"], "`e\u{301}`"), ("___", ["___"], "___"),
            ("__", ["__"], "__"),
            ("__a", ["__a"], "__a"), ("`\n`", ["\n"], "`\n`"),
        ] as [(String, [Text], String)])
    func readsAndPrintsWireSyntax(_ wire: String, _ segments: [Text], _ canonical: String) throws {
        let path = try FieldPath(wire: wire)
        #expect(path.segments == segments)
        #expect(path.wire == canonical)
        #expect(path.description == canonical)
    }

    /// D-9, D-12: everything else is refused, with production's text about the whole path.
    @Test(arguments: [
        "a..b", "a.", ".a", ".", "a-b", "a b", "a~b", "a*b", "*", "9a", "`a", "``", "a.``", "`a`b", "a`b`", "`a\\`",
        "`a`.", "é", " a", "a ", "`a` ", "\\a", "a/b",
    ])
    func refusesOtherWireSyntax(_ wire: String) {
        #expect(throws: invalid(wire)) { try FieldPath(wire: wire) }
    }

    @Test(arguments: [
        ("", "Invalid empty property path string."), ("a[0]", "Invalid property path"),
        ("[a]", "Invalid property path"),
        ("__x__", "Invalid reserved name in field path __x__"),
        ("a.__x__", "Invalid reserved name in field path __x__"),
        ("`__ x __`.b", "Invalid reserved name in field path __ x __"),
        ("____", "Invalid reserved name in field path ____"),
        ("a.__name__", "the name __key__ is reserved"), ("__name__.a", "the name __key__ is reserved"),
    ])
    func refusesEmptyBracketsAndReserved(_ wire: String, _ message: String) {
        #expect(throws: FieldPathError(message)) { try FieldPath(wire: wire) }
    }

    /// Every recorded refusal of a path, with production's text.
    @Test func agreesWithProductionRecordings() throws {
        guard let lines = sharedLines("production-2026/queries.ndjson") else { return }
        var compared = 0
        for line in lines {
            let node = try JSONParser.parse(line)
            guard let message = node["expect"]?["message"]?.string,
                let query = node["structuredQuery"],
                message.contains("property path") || message.contains("reserved name in field path")
            else { continue }
            let refusals = fieldPaths(in: query).compactMap { path -> String? in
                do throws(FieldPathError) { _ = try FieldPath(wire: path) } catch { return error.message }
                return nil
            }
            guard !fieldPaths(in: query).isEmpty, node["id"]?.string?.contains("vector-field-missing") == false else {
                continue
            }
            #expect(refusals.first == message, "\(node["id"]?.string ?? "")")
            compared += 1
        }
        #expect(compared >= 12)
    }

    @Test(
        arguments: [
            ("a", ["a"]), ("a.b", ["a", "b"]), ("a-b.c d", ["a-b", "c d"]), ("`a`", ["`a`"]), ("é.日", ["é", "日"]),
            ("__name__", ["__name__"]), ("e\u{301}.\u{301}", ["e\u{301}", "\u{301}"]),
        ] as [(String, [Text])])
    func readsDottedSyntax(_ dotted: String, _ segments: [Text]) throws {
        #expect(try FieldPath(dotted: dotted).segments == segments)
    }

    @Test(arguments: ["a~b", "*", "a/b", "a[0]", "]"])
    func refusesCharactersInDottedSyntax(_ dotted: String) {
        let message = "Invalid field path (\(dotted)). Paths must not contain '~', '*', '/', '[', or ']'"
        #expect(throws: FieldPathError(message)) { try FieldPath(dotted: dotted) }
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b"])
    func refusesEmptyNamesInDottedSyntax(_ dotted: String) {
        let message =
            "Invalid field path (\(dotted)). Paths must not be empty, begin with '.', end with '.', or contain '..'"
        #expect(throws: FieldPathError(message)) { try FieldPath(dotted: dotted) }
    }

    @Test func checksLimits() throws {
        let long = Text(String(repeating: "é", count: 750))
        try FieldPath(name: long).checkLimits()
        try FieldPath([Text(String(repeating: "a", count: 749)), Text(String(repeating: "b", count: 750))])
            .checkLimits()
        let tooLong = FieldPathError("The property.name is longer than 1500 bytes.")
        #expect(throws: tooLong) { try FieldPath(name: Text(long.string + "a")).checkLimits() }
        #expect(throws: tooLong) { try FieldPath([long, "a"]).checkLimits() }
        #expect(throws: FieldPathError("The property.name is the empty string.")) {
            try FieldPath(["a", ""]).checkLimits()
        }
    }

    @Test func anyNamesReadBackFromTheirWireSyntax() throws {
        var fuzz = JSONFuzz(seed: 5)
        print("seed \(fuzz.seed)")
        for _ in 0..<Rounds.of(5_000) {
            let names = (0...fuzz.number(below: 3)).map { _ in Text(fuzz.text()) }
            guard names.allSatisfy({ $0.utf8Count > 0 && !FieldPath.isReserved($0) }) else { continue }
            let path = FieldPath(names)
            #expect(try FieldPath(wire: path.wire) == path, "\(path.wire)")
        }
    }

    private func invalid(_ wire: String) -> FieldPathError {
        FieldPathError(
            "Invalid property path \"\(wire)\". Unquoted property paths must match regex ([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex (`(?:[^`\\\\]|(?:\\\\.))+`)"
        )
    }

    private func fieldPaths(in node: JSONNode) -> [String] {
        if let elements = node.elements { return elements.flatMap(fieldPaths) }
        return (node.members ?? []).flatMap { member in
            member.key == "fieldPath" ? [member.node.string ?? ""] : fieldPaths(in: member.node)
        }
    }

    private func sharedLines(_ name: String) -> [String]? {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/data/\(name)")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            print("skipped: shared/data is absent")
            return nil
        }
        return text.split(separator: "\n").map(String.init)
    }
}
