// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Queries as people write them in code.
///
/// ```
/// db.collection("cities").where("state", "==", "CA").orderBy("population", "desc").limit(3)
/// ```
///
/// A vector search takes a field, a vector and the options of the libraries for Node and the web, of which `limit` and
/// `distanceMeasure` are required; or one object with `vectorField` and `queryVector` beside them:
///
/// ```
/// cities.findNearest("embedding", [1, 2, 3], {limit: 5, distanceMeasure: "COSINE", distanceResultField: "distance"})
/// ```
///
/// Names and operators are those of the JavaScript library, as are its rewritings: `== null` is the test for null,
/// several `where` are ANDed, a plain ID compared with `__name__` is a document of the collection (V-31, Q-26, Q-41).
package enum QueryText {
    package static func parse(_ text: String, database: DatabaseID) throws(QueryTextError) -> QueryRequest {
        var parser = QueryTextParser(try QueryTextLexer.tokens(text), database: database)
        return try parser.parse()
    }
}
