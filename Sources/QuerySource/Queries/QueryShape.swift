// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Why something is not known.
struct Unknown: Sendable {
    /// What it is, such as `the parameter 'ref'`.
    let what: String
    /// Its name in the source, which `.hearth.json` may map to a collection.
    var name: String?
    /// Whether it is a parameter of a function that only its own file calls.
    var isLocalParameter = false
    /// Whether it is a variable that was declared without a value.
    var isUnset = false
    /// What it is called in other files, if these may say what it is.
    var shared: SharedName?
}

/// A query as far as it was followed.
struct QueryShape: Sendable {
    enum Source: Sendable {
        case collection(ID: String, path: String)
        case group(ID: String)
        case unknown(Unknown)

        var collectionGroup: String? {
            switch self {
            case .collection(let id, _), .group(let id): id
            case .unknown: nil
            }
        }
    }

    struct Step: Sendable {
        let offset: Int
        /// The function in which it was written.
        let function: Int
    }

    var source: Source
    /// Whether it may be no query: only orders and limits of something unknown say that it is one, or it is what a function
    /// gives that gets a query.
    var isTentative = false
    /// Whether its collection's path is known from the root on. Below a document that is not known it is not.
    var isRooted = true
    /// Whether a function of the modular library for the web makes it.
    var isModular = false
    /// The first part that could not be resolved.
    private(set) var problem: String?
    private(set) var filters: [SourceFilter] = []
    private(set) var orders: [(field: FieldReference, isDescending: Bool)] = []
    private(set) var hasLimitToLast = false
    /// Nil if there is none or if the source does not say it. Security rules may ask for both.
    private(set) var limit: Int?
    private(set) var offset: Int?
    private(set) var nearest: (field: FieldReference, dimension: Int)?
    private(set) var aggregations: [QueryPart] = []
    /// All that was added, in order.
    private(set) var parts: [QueryPart] = []
    /// The expressions that added to it.
    private(set) var steps: [Step] = []

    init(_ source: Source) {
        self.source = source
    }

    /// Whether it is more than a collection.
    var isConstrained: Bool { !parts.isEmpty || problem != nil }

    /// The collection as query text begins.
    var head: String {
        switch source {
        case .collection(let id, let path):
            path == id && QueryShape.isPlainName(id) ? id : "collection(\(JSONText.quoted(path)))"
        case .group(let id): "collectionGroup(\(JSONText.quoted(id)))"
        case .unknown: "?"
        }
    }

    /// Whether the text of a query may begin with it.
    private static func isPlainName(_ id: String) -> Bool {
        guard let first = id.utf8.first, Lexer.isLetter(first), id != "db", id != "firestore" else { return false }
        return id.utf8.allSatisfy { Lexer.isLetter($0) || Lexer.isDigit($0) } && Text(id).utf8Count < 100
            && !VariableName.isLikely(id)
    }

    /// Firestore runs no query with more filters and orders.
    private static let maximumCount = 100

    mutating func add(_ part: QueryPart, at step: Step) {
        guard parts.count < QueryShape.maximumCount else {
            problem = problem ?? "it has more than \(QueryShape.maximumCount) parts"
            return
        }
        // An expression that adds to what it gave before, as to a field, adds the same only once.
        if steps.contains(where: { $0.offset == step.offset }), has(part) { return }
        if steps.last?.offset != step.offset { steps.append(step) }
        add(part)
    }

    mutating func fail(_ reason: String, at step: Step) { add(.problem(reason), at: step) }

    private mutating func add(_ part: QueryPart) {
        switch part {
        case .filter(let filter): filters.append(filter)
        case .order(let field, let isDescending): orders.append((field, isDescending))
        case .limitToLast(let count): (limit, hasLimitToLast) = (count.integer, true)
        case .limit(let count): limit = count.integer
        case .offset(let count): offset = count.integer
        case .nearest(let field, let dimension, _): nearest = (field, dimension)
        case .count, .sum, .average: aggregations.append(part)
        case .cursor, .select: break
        case .nothing: return
        case .several(let parts):
            for part in parts { add(part) }
            return
        case .problem(let reason):
            if problem == nil { problem = reason }
            return
        }
        parts.append(part)
    }
}
