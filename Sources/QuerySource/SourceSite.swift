// SPDX-License-Identifier: Apache-2.0

package import QueryPlanner

/// A place in a source where a query is made.
package struct SourceSite: Sendable {
    /// The offset of its first byte.
    package let offset: Int
    package let queries: [SourceQuery]
    /// Why some or all of its queries are not known: sentences without a full stop.
    package let unresolved: [String]
    /// Whether a comment `hearth: ignore` silences it.
    package let isSilenced: Bool
}

/// One of the queries of a site.
package struct SourceQuery: Sendable {
    /// As query text, with `?` for values that only the running program knows.
    package let text: String
    /// The query with stand-ins for these values, in each form that could need another index.
    package let requests: [QueryRequest]
    /// Its text with a text for each value that is not known, by its name.
    let fill: @Sendable ((String?) -> String) -> String
}

/// What a file says about queries.
package struct SourceReport: Sendable {
    package let language: String
    package let sites: [SourceSite]
}
