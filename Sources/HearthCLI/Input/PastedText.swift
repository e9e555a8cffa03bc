// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import QueryPlanner
internal import QuerySource

/// The value of a variable in a query that was copied from a program: `state=CA`.
struct PlaceholderValue: ExpressibleByArgument {
    let name: String
    let text: String

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        name = String(argument[..<equals])
        text = String(argument[argument.index(after: equals)...])
    }
}

/// The values of variables in queries.
struct PlaceholderValues {
    fileprivate let literals: [String: String]
    /// Whether a query without a value for each variable is no query: it is to run.
    fileprivate let areRequired: Bool

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
}

/// Reads a query that is text, as ``QueryText`` reads it, or an expression from a program in any language.
enum PastedText {
    struct Failure: Error {
        let message: String
    }

    static func read(
        _ text: String, _ database: DatabaseID, _ values: PlaceholderValues
    ) throws(Failure) -> [QueryRequest] {
        let textError: QueryTextError
        do throws(QueryTextError) {
            return [try QueryText.parse(text, database: database)]
        } catch {
            textError = error
        }
        let pasted: PastedQuery
        do throws(PastedQuery.Failure) {
            pasted = try PastedQuery(text)
        } catch {
            if error.isCut { throw Failure(message: error.reason) }
            let isTelling =
                !error.isAboutLanguage && !VariableName.isLikely(head(text)) && textError.offset < text.utf8.count
            throw Failure(
                message: isTelling ? "\(textError); as a part of a program: \(error.reason)" : textError.description)
        }
        var requests: [QueryRequest] = []
        for query in pasted.queries { requests += try self.requests(query, database, values) }
        return requests
    }

    private static func head(_ text: String) -> String {
        String(text.drop { $0.isWhitespace }.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" })
    }

    private static func requests(
        _ query: SourceQuery, _ database: DatabaseID, _ values: PlaceholderValues
    ) throws(Failure) -> [QueryRequest] {
        let missing = query.unknownNames.filter { values.literals[$0] == nil }
        guard missing.isEmpty || values.areRequired else { return query.requests }
        guard missing.isEmpty else {
            let names = missing.filter { !$0.isEmpty }
            throw Failure(
                message: names.isEmpty
                    ? "\(query.text) has values that are not known; write them in place of ?"
                    : "\(query.text) has values that are not known; give them with --values \(names[0])=VALUE"
                        + (names.count > 1 ? ", and the same for \(names.dropFirst().joined(separator: ", "))" : ""))
        }
        do throws(QueryTextError) {
            return [try QueryText.parse(query.text(filling: values.literals), database: database)]
        } catch {
            throw Failure(message: error.description)
        }
    }
}
