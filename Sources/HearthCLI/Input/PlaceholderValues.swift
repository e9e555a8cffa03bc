// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import QueryPlanner
internal import QuerySource

/// The value of a variable in a query that was copied from a program: `state=CA`.
struct PlaceholderValue {
    let name: String
    let text: String

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        name = String(argument[..<equals])
        text = String(argument[argument.index(after: equals)...])
    }

    /// - Throws: wrong usage, with what is wrong.
    static func parsed(_ argument: String) throws -> PlaceholderValue {
        if let value = PlaceholderValue(argument: argument) { return value }
        let name = argument.isEmpty || argument.hasPrefix("=") ? "NAME" : argument
        throw ValidationError("write \(name)=VALUE")
    }

    /// - Throws: wrong usage if options give one variable two values.
    static func expectDistinct(_ values: [PlaceholderValue]) throws(ValidationError) {
        var names: Set<String> = []
        for value in values where !names.insert(value.name).inserted {
            throw ValidationError("--values gives \(value.name) two values")
        }
    }
}

/// The values of variables in queries.
struct PlaceholderValues {
    private let literals: [String: String]
    /// Whether a query without a value for each variable is no query: it is to run.
    private let areRequired: Bool
    private let used = UsedNames()

    private final class UsedNames {
        var names: Set<String> = []
    }

    /// A value is a literal of query text; any other text is a string.
    init(_ values: [PlaceholderValue] = [], areRequired: Bool = false) {
        self.areRequired = areRequired
        var literals: [String: String] = [:]
        for value in values {
            let isLiteral =
                (try? QueryText.parse("c.select().startAt(\(value.text))", database: .init(project: "p"))) != nil
            literals[value.name] =
                isLiteral && !value.text.isEmpty ? value.text : QueryText.text(of: .string(Text(value.text)))
        }
        self.literals = literals
    }

    /// Reads a query that is text, or an expression from a program in any language.
    ///
    /// - Throws: what is wrong with it, in words for the command line.
    func read(_ text: String, _ database: DatabaseID) throws(InvalidQueryError) -> [QueryRequest] {
        do throws(PastedText.Failure) {
            return try PastedText.read(text, database, literals: literals, areRequired: areRequired) {
                used.names.insert($0)
            }
        } catch {
            throw InvalidQueryError(PlaceholderValues.message(error))
        }
    }

    /// - Throws: wrong usage if there is a value that no query has taken, as of a mistyped name.
    func expectUse() throws(ValidationError) {
        let names = literals.keys.filter { !used.names.contains($0) }.sorted()
        guard !names.isEmpty else { return }
        throw ValidationError(
            "--values: no query that could be read has a variable of the name \(names.joined(separator: ", "))")
    }

    private static func message(_ failure: PastedText.Failure) -> String {
        switch failure {
        case .unreadable(let reason): return reason
        case .unknownValues(let query, let names):
            guard let first = names.first else {
                return "\(query) has values that are not known; write them in place of ?"
            }
            let others = names.count > 1 ? ", and the same for \(names.dropFirst().joined(separator: ", "))" : ""
            return "\(query) has values that are not known; give them with --values \(first)=VALUE\(others)"
        }
    }
}
