// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

/// Reads a query that is text, as ``QueryText`` reads it, or an expression from a program in any language.
package enum PastedText {
    /// Why a text is no query.
    package enum Failure: Error {
        /// A sentence without a full stop.
        case unreadable(String)
        /// Values that are needed and not known: the query with `?` in their places, and the names of those that have one.
        case unknownValues(query: String, names: [String])
    }

    /// - Parameters:
    ///   - literals: what stands for variables, as literals of query text, by their names.
    ///   - areRequired: whether a query without a value for each variable is no query: it is to run.
    ///   - noteUse: told the name of each variable that has a literal.
    /// - Returns: the query, and the others that it can be.
    package static func read(
        _ text: String, _ database: DatabaseID, literals: [String: String] = [:], areRequired: Bool,
        noteUse: (String) -> Void = { _ in }
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
            if error.isCut { throw .unreadable(error.reason) }
            let isTelling =
                !error.isAboutLanguage && !VariableName.isLikely(head(text)) && textError.offset < text.utf8.count
            throw .unreadable(
                isTelling ? "\(textError); as a part of a program: \(error.reason)" : textError.description)
        }
        var requests: [QueryRequest] = []
        for query in pasted.queries {
            for name in query.unknownNames where literals[name] != nil { noteUse(name) }
            requests += try self.requests(query, database, literals, areRequired)
        }
        return requests
    }

    private static func head(_ text: String) -> String {
        String(text.drop { $0.isWhitespace }.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" })
    }

    private static func requests(
        _ query: SourceQuery, _ database: DatabaseID, _ literals: [String: String], _ areRequired: Bool
    ) throws(Failure) -> [QueryRequest] {
        let missing = query.unknownNames.filter { literals[$0] == nil }
        guard missing.isEmpty || areRequired else { return query.requests }
        guard missing.isEmpty else {
            throw .unknownValues(query: query.text, names: missing.filter { !$0.isEmpty })
        }
        do throws(QueryTextError) {
            return [try QueryText.parse(query.text(filling: literals), database: database)]
        } catch {
            throw .unreadable(error.description)
        }
    }
}
