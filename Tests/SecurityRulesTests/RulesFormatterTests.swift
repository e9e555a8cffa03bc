// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import JSONText
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// The canonical form of a source.
@Suite struct RulesFormatterTests {
    @Test func styleOfTheDocumentation() throws {
        let source = """
            rules_version='2'
            // Top.
            service cloud.firestore{match /databases/{ database }/documents {

            function signedIn( ){return request.auth!=null} // after


              match /notes/{note=**}{
                allow read,write:if signedIn()&&!(note in[1,2 ,-3])  ; // one
                /* two */ allow create: if
                  signedIn() &&
                    resource.data[ 'a' ][0:2].size()==exists(/databases/$(database)/documents/a/$( note )) ? -1 : - 2 // three
                allow delete }
            }}
            // End.

            """
        let formatted = """
            rules_version = '2';
            // Top.
            service cloud.firestore {
              match /databases/{database}/documents {
                function signedIn() {
                  return request.auth != null;
                } // after

                match /notes/{note=**} {
                  allow read, write: if signedIn() && !(note in [1, 2, -3]); // one
                  /* two */
                  allow create: if
                    signedIn()
                    && resource.data['a'][0:2].size() == exists(/databases/$(database)/documents/a/$(note)) ? -1 : -2; // three
                  allow delete;
                }
              }
            }
            // End.

            """
        #expect(RulesFormatter.formatted(source) == formatted)
    }

    @Test func longConditionsAreBroken() {
        let names = (1...8).map { "resource.data.field\($0) == '\($0)'" }
        let source = SecurityLintRule.source(
            "match /a/{b} {\n  allow get: if \(names.joined(separator: " && "));\n}")
        let lines = names.enumerated().map { $0.offset == 0 ? $0.element : "    && \($0.element)" }
        let expected = SecurityLintRule.source(
            "match /a/{b} {\n  allow get: if \(lines.joined(separator: "\n"));\n}")
        #expect(RulesFormatter.formatted(source) == expected)
    }

    @Test func whatDoesNotCompileHasNoForm() { #expect(RulesFormatter.formatted("service {") == nil) }

    /// What rules mean: all of a tree but places.
    private static func meaning(_ tree: SyntaxTree) -> [String] {
        var lines = ["version \(tree.version)"]
        func note(_ function: SyntaxTree.Function) {
            let names = function.parameters.map(\.text) + function.bindings.map { "\($0.name.text)=\($0.value)" }
            lines.append("function \(function.name.text) \(names) \(function.result)")
        }
        func note(_ match: SyntaxTree.Match) {
            lines.append("match \(match.path.text)")
            match.functions.forEach(note)
            for member in match.members {
                switch member {
                case .match(let inner): note(inner)
                case .allow(let allow): lines.append("allow \(allow.methods.map(\.text)) \(allow.condition ?? -1)")
                }
            }
            lines.append("end")
        }
        tree.functions.forEach(note)
        for service in tree.services {
            lines.append("service \(service.name.text)")
            service.functions.forEach(note)
            service.matches.forEach(note)
        }
        return lines + tree.expressions.map { "\($0.kind)" }
    }

    private static func comments(_ source: String) -> [String] {
        SourceToken.all(source).flatMap(\.comments).map {
            $0.text.split(whereSeparator: \.isNewline).joined(separator: "\n")
        }
    }

    private static func check(_ source: String) throws {
        guard let tree = Parser.parse(source).tree else { return }
        let formatted = try #require(RulesFormatter.formatted(source))
        guard let other = Parser.parse(formatted).tree else {
            Issue.record("no longer compiles:\n\(source)\n---\n\(formatted)")
            return
        }
        #expect(meaning(tree) == meaning(other), "\(source)\n---\n\(formatted)")
        #expect(RulesFormatter.formatted(formatted) == formatted, "\(source)")
        #expect(comments(source) == comments(formatted), "\(source)\n---\n\(formatted)")
    }

    private static func recordedSources() throws -> [String] {
        guard let folder = Locations.sharedData("RulesFormatterTests") else { return [] }
        let lines = try Data(contentsOf: folder.appending(path: "rules/cases.ndjson")).split(separator: 0x0A)
        // Reading all of them takes longer than formatting some.
        return try lines.enumerated().compactMap { number, line in
            guard number % (Rounds.share * 3) == 0 else { return nil }
            let test = try JSONParser.parse(Array(line))
            let expression = test["expr"]?.string.map {
                SecurityLintRule.source("match /c/{id} {\n  allow get: if \($0);\n}")
            }
            return test["rules"]?.string ?? expression
        }
    }

    /// Formatting keeps meaning and comments, and is done once.
    @Test func recordedSourcesKeepTheirMeaning() throws {
        for source in try Self.recordedSources() { try Self.check(source) }
    }

    /// The same with comments, blanks and line ends anywhere between tokens.
    @Test func mutatedSourcesKeepTheirMeaning() throws {
        var generator = SeededGenerator.printingSeed()
        let sources = try Self.recordedSources().filter { Parser.parse($0).tree != nil }
        guard !sources.isEmpty else { return }
        let gaps = [
            "", " ", "\n", "\n\n\n", "// c\n", " // d\n", "/* e */", "\n/* f\n   g */\n", "\n  // h\n\n", "\t", "\r\n",
        ]
        var compiled = 0
        let rounds = Rounds.of(4_000)
        for _ in 0..<rounds {
            var mutated = ""
            var isAfterSlash = false
            for token in SourceToken.all(generator.pick(sources)) where token.kind != .end {
                mutated += token.comments.map { $0.text + "\n" }.joined()
                if !isAfterSlash, generator.chance(0.15) { mutated += " " + generator.pick(gaps) }
                mutated += token.text
                isAfterSlash = token.is("/")
                // A slash and what follows it are one.
                if !isAfterSlash, generator.chance(0.9) { mutated += " " }
            }
            if Parser.parse(mutated).tree != nil { compiled += 1 }
            try Self.check(mutated)
        }
        #expect(compiled > rounds / 3)
    }
}
