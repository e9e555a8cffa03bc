// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import JSONText

/// Queries as written in JavaScript code.
///
/// ```
/// db.collection("cities").where("state", "==", "CA").orderBy("population", "desc").limit(3)
/// ```
///
/// A vector search takes a field, a vector and the options of the libraries for Node and the web; `limit` and
/// `distanceMeasure` are required. It may also take one object with `vectorField`, `queryVector` and the options:
///
/// ```
/// cities.findNearest("embedding", [1, 2, 3], {limit: 5, distanceMeasure: "COSINE", distanceResultField: "distance"})
/// ```
///
/// Names, operators and conversions are those of the JavaScript library: `== null` tests for null, several `where`
/// are ANDed, and a plain ID compared with `__name__` is a document of the collection (V-31, Q-26, Q-41).
package enum QueryText {
    package static func parse(_ text: String, database: DatabaseID) throws(QueryTextError) -> QueryRequest {
        var parser = QueryTextParser(try QueryTextLexer.tokens(text), database: database)
        return try parser.parse()
    }
}

/// A syntax error in the text of a query.
package struct QueryTextError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    /// The byte offset of the error in the text.
    package let offset: Int

    init(_ message: String, at offset: Int) {
        self.message = message.boundedMessage
        self.offset = offset
    }

    package var description: String { "\(message) (at character \(offset + 1))" }
}
