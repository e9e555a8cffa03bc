// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// All Swift code in the articles and in the README occurs, line by line, in an example or in a file for articles.
/// That code is compiled and, if it needs no file, run.
@Suite struct SnippetTests {
    private static func articles() throws -> [String] {
        let folder = "Sources/Hearth/Hearth.docc"
        let names = try FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: folder).path)
        return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The lines of each block of Swift code.
    private static func snippets(in text: String) -> [[String]] {
        text.components(separatedBy: "```swift\n").dropFirst().map { rest in
            lines(rest.components(separatedBy: "\n```")[0])
        }
    }

    @Test(arguments: try articles()) func everySnippetIsCompiled(article: String) throws {
        let folders = ["Tests/GuideTests/Articles", "Tests/HearthConnectedTests/Articles", "Examples"]
        let files = try folders.flatMap(Repository.swiftFiles).filter { !$0.hasSuffix("Tests.swift") }
        let code = try files.map { SnippetTests.lines(try Repository.text($0)) }
        for snippet in SnippetTests.snippets(in: try Repository.text(article)) {
            let stands = code.contains { $0.contains(snippet) }
            #expect(stands, "\(article): no compiled file has\n\(snippet.joined(separator: "\n"))")
        }
    }

    @Test func thereAreSnippets() throws {
        let count = try SnippetTests.articles().reduce(0) {
            $0 + SnippetTests.snippets(in: try Repository.text($1)).count
        }
        #expect(count >= 15)
    }
}
