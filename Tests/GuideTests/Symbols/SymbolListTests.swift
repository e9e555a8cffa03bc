// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Compares docs/firestore-symbols.tsv with the code in this folder, which uses each symbol as ported code does.
///
/// A comment `// Type.member(labels:)` names the symbol that the next statement uses. The test checks this by base name
/// and labels. The compiler checks that the statement compiles, and running it as a test checks that it works.
@Suite struct SymbolListTests {
    private struct Symbol {
        let name: String
        let state: String
        let note: String

        var isAsync: Bool { name.hasSuffix(" async") }
        /// What the code must contain: the name before the parenthesis; for an initializer, the name of its type.
        var baseName: String {
            let parts = name.prefix { $0 != "(" && $0 != " " }.split(separator: ".").map(String.init)
            return switch parts.last {
            case "init": parts[parts.count - 2]
            case "subscript": "["
            default: parts.last ?? ""
            }
        }
        var labels: [String] {
            guard let open = name.firstIndex(of: "("), let close = name.lastIndex(of: ")") else { return [] }
            return name[name.index(after: open)..<close].split(separator: ":").map(String.init).filter { $0 != "_" }
        }
        /// Arguments that a trailing closure may replace.
        static let closures: Set = ["completion", "listener", "block"]
        /// Arguments with defaults, which ported code often omits.
        static let defaulted: Set = ["encoder", "decoder", "with"]
    }

    private static func symbols() throws -> [Symbol] {
        let lines = try Repository.text("docs/firestore-symbols.tsv").split(separator: "\n").dropFirst()
        return try lines.map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(columns.count == 3, "\(line)")
            return Symbol(name: columns[0], state: columns[1], note: columns[2])
        }
    }

    /// The code after each comment that names a symbol, up to the next such comment or an empty line.
    private static func uses() throws -> [(name: String, code: String)] {
        var uses: [(name: String, code: String)] = []
        for file in try Repository.swiftFiles(under: "Tests/GuideTests/Symbols")
        where !file.hasSuffix("ListTests.swift") {
            // The symbols of the code to come. Comments without code between them share it.
            var open: Range<Int> = 0..<0
            var isInComments = false
            for line in try Repository.text(file).split(separator: "\n", omittingEmptySubsequences: false) {
                let text = line.trimmingCharacters(in: .whitespaces)
                let isComment = text.hasPrefix("//")
                if text.hasPrefix("// "), !text.hasPrefix("// SPDX") {
                    uses.append((String(text.dropFirst(3)), ""))
                    open = (isInComments ? open.lowerBound : uses.count - 1)..<uses.count
                } else if text.isEmpty {
                    open = 0..<0
                } else if !isComment {
                    for use in open { uses[use].code += text + "\n" }
                }
                isInComments = isComment
            }
        }
        return uses
    }

    @Test func everySymbolHasAStateAndAReason() throws {
        let symbols = try SymbolListTests.symbols()
        #expect(symbols.count > 300)
        #expect(Set(symbols.map(\.name)).count == symbols.count)
        for symbol in symbols {
            #expect(["same", "local", "absent"].contains(symbol.state), "\(symbol.name)")
            if symbol.state != "same" { #expect(!symbol.note.isEmpty, "\(symbol.name) needs a reason") }
        }
    }

    @Test func everyPresentSymbolIsUsed() throws {
        let uses = try SymbolListTests.uses()
        let names = uses.map(\.name)
        #expect(Set(names).count == names.count)
        let present = try SymbolListTests.symbols().filter { $0.state != "absent" }
        #expect(Set(present.map(\.name)).symmetricDifference(names).sorted() == [])
        let code = Dictionary(uses.map { ($0.name, $0.code) }) { first, _ in first }
        for symbol in present {
            let code = code[symbol.name] ?? ""
            #expect(!code.isEmpty && code.contains(symbol.baseName), "\(symbol.name) is not used after its comment")
            let labels = symbol.labels.filter { !Symbol.defaulted.contains($0) }
            for label in labels where !code.contains("\(label):") {
                #expect(Symbol.closures.contains(label) && code.contains("{"), "\(symbol.name): no \(label)")
            }
            #expect(!symbol.isAsync || code.contains("await"), "\(symbol.name)")
        }
    }

    /// The compiler shows the list's reason where code uses an unavailable symbol.
    @Test func everyAbsentSymbolIsDeclaredWithItsReason() throws {
        let code = try Repository.swiftFiles(under: "Sources/Hearth/Absent").map { try Repository.text($0) }
        let declarations = code.joined(separator: "\n").components(separatedBy: "@available(").dropFirst()
        for symbol in try SymbolListTests.symbols() where symbol.state == "absent" {
            let isDeclared = declarations.contains { declaration in
                declaration.contains("message: \"\(symbol.note)\"") && declaration.contains(symbol.baseName)
                    && symbol.labels.allSatisfy { label in
                        let name = label.split(separator: " ").last ?? ""
                        return declaration.contains("\(name): ") || declaration.contains("\(name) ")
                    }
                    && declaration.contains(" async ") == symbol.isAsync
            }
            #expect(isDeclared, "\(symbol.name)")
        }
    }

    /// The documentation page generated from the list. `UPDATE_GOLDENS=1` writes it.
    @Test func page() throws {
        let path = "Sources/Hearth/Hearth.docc/FirestoreSymbols.md"
        let text = SymbolListTests.page(of: try SymbolListTests.symbols())
        if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
            try Data(text.utf8).write(to: Repository.root.appending(path: path))
        }
        #expect(try Repository.text(path) == text, "\(path) is out of date")
    }

    private static func page(of symbols: [Symbol]) -> String {
        let counts = Dictionary(grouping: symbols, by: \.state).mapValues(\.count)
        func rows(_ state: String) -> String {
            var text = "| Symbol | Note |\n| --- | --- |\n"
            for symbol in symbols where symbol.state == state { text += "| `\(symbol.name)` | \(symbol.note) |\n" }
            return text
        }
        return """
            # FirebaseFirestore's symbols

            Each public symbol of FirebaseFirestore's Swift interface, and whether Hearth has it.

            ## Overview

            Of \(symbols.count) symbols, \(counts["same", default: 0]) are the same here, \(counts["local", default: 0]) \
            exist with a meaning of their own on one machine, and \(counts["absent", default: 0]) do not exist: code that \
            uses one is refused by the compiler with the reason given here. A test compiles and runs code that uses each one of the first two kinds. ` async` marks a form that is awaited.

            ## Symbols with a local meaning

            \(rows("local"))
            ## Absent symbols

            \(rows("absent"))
            ## Symbols that are the same

            \(rows("same"))
            """
    }
}
