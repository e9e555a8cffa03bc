// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

/// A query as it was copied from a program in any of the languages.
package struct PastedQuery: Sendable {
    /// The queries that it can be: several if it leaves a direction or a choice open.
    package let queries: [SourceQuery]

    /// Why a text is no query.
    package struct Failure: Error {
        /// A sentence without a full stop.
        package let reason: String
        /// Whether all that there is of the query is known, and its end is missing.
        package var isCut = false

        /// Whether it says only that the text is in no language that is known.
        package var isAboutLanguage: Bool {
            reason == PastedQuery.isNone || reason.contains("is no call of a library")
        }
    }

    /// Reads an expression or some statements. The first language wins in which all of it is known.
    package init(_ text: String) throws(Failure) {
        var failure: Failure?
        let head = PastedQuery.head(of: text)
        let collections = head.map { [$0: $0] } ?? [:]
        for language in Language.all {
            let report = QuerySource.read(Array(text.utf8), language, "", collections)
            guard let site = report.sites.last else { continue }
            guard let reason = site.unresolved.first else {
                if let bracket = PastedQuery.openBracket(in: text, language) {
                    throw Failure(reason: "it is cut off: nothing closes the last '\(bracket)'", isCut: true)
                }
                queries = site.queries
                return
            }
            // Another language's words are the least telling reason.
            if failure?.isAboutLanguage ?? true {
                failure = Failure(reason: reason)
            }
        }
        throw failure ?? Failure(reason: PastedQuery.isNone)
    }

    private static let isNone = "it is no query in any of the languages that are read"

    /// The last bracket that nothing closes. More calls may have followed where the text was cut off.
    private static func openBracket(in text: String, _ language: Language) -> String? {
        var lexer = Lexer(Array(text.utf8), language)
        var open: [String] = []
        for token in lexer.tokens() where token.kind == .mark {
            switch token.text {
            case "(", "[", "{": open.append(token.text)
            case ")", "]", "}": if !open.isEmpty { open.removeLast() }
            default: break
            }
        }
        return open.last
    }

    /// A collection's ID with which the text begins, as in query text.
    private static func head(of text: String) -> String? {
        let head = String(text.drop { $0.isWhitespace }.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        return head.isEmpty || VariableName.isLikely(head) ? nil : head
    }
}

extension SourceQuery {
    /// The names of the values that are not known; empty texts for values without a name.
    package var unknownNames: [String] {
        var names: [String] = []
        _ = fill { name in
            if !names.contains(name ?? "") { names.append(name ?? "") }
            return "?"
        }
        return names
    }

    /// The query as text with values, which are literals of query text, by their names.
    package func text(filling values: [String: String]) -> String {
        fill { name in name.flatMap { values[$0] } ?? "?" }
    }
}
