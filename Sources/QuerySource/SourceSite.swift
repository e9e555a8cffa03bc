// SPDX-License-Identifier: Apache-2.0

package import QueryPlanner

/// A place in a source where a query is made.
package struct SourceSite: Sendable {
    /// The offset of its first byte.
    package let offset: Int
    package let queries: [SourceQuery]
    /// Why some or all of its queries are not known: sentences without a full stop.
    package let unresolved: [String]
    /// The collection groups that those may ask which are not known; nil if these may be any.
    package let openGroups: Set<String>?
    /// Whether a comment `hearth: ignore` silences it.
    package let isSilenced: Bool
}

/// One of the queries of a site.
package struct SourceQuery: Sendable {
    /// As query text, with `?` for values that only the running program knows.
    package let text: String
    /// The query with stand-ins for these values, in each form that could need another index.
    package let requests: [QueryRequest]
    /// Whether all collections of its path are known.
    let isPlaceKnown: Bool
    /// Whether a function of the modular library for the web makes it.
    let isModular: Bool
    /// Its text with a text for each value that is not known, by its name.
    let fill: @Sendable ((String?) -> String) -> String
}

/// What a file says about queries.
package struct SourceReport: Sendable {
    package let language: String
    package let sites: [SourceSite]
    let caller: SourceCaller

    /// Whether security rules can be asked about a query. They do not concern programs on servers, and match whole paths.
    package func isSubjectToRules(_ query: SourceQuery) -> Bool {
        switch caller {
        case .user: query.isPlaceKnown
        case .either: query.isPlaceKnown && query.isModular
        case .server: false
        }
    }
}
