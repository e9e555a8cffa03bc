// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport

/// The indexes that Hearth and the emulator request for a query that automatic indexes do not serve.
struct IndexUsage {
    let request: QueryRequest
    let suggested: WantedIndex
    /// One for each alternative of an OR, in any order.
    let reported: [WantedIndex]
    /// False if the emulator's report failed.
    let isReported: Bool

    /// Nil if Hearth has all indexes that it needs, or if the emulator refuses the query.
    init?(_ request: QueryRequest, _ client: EmulatorClient, _ database: DatabaseID) throws {
        do throws(PlanningError) {
            _ = try Planner.plan(request, catalog: IndexCatalog(IndexConfiguration()), database: database)
            return nil
        } catch {
            guard case .missingIndex(let error) = error else { return nil }
            suggested = WantedIndex(error.definition)
        }
        if case .refused = try client.run(request, in: database) { return nil }
        self.request = request
        let alternatives = request.query.filter?.alternatives ?? []
        hasImpossibleAlternative = alternatives.contains { parts in
            // Names contradict only names. Alone, they break no rule about names beside inequalities (Q-42), which
            // considers all alternatives together.
            let halves = [parts.filter(\.path.isDocumentName), parts.filter { !$0.path.isDocumentName }]
            return parts.contains { $0.strict(beside: parts).isBeyondItsType }
                || halves.contains { half in
                    let alternative = Query(from: request.query.from, filter: .and(half))
                    let plan = try? Planner.planByScanning(
                        alternative, catalog: IndexCatalog(IndexConfiguration()), database: database)
                    return plan?.disjuncts.isEmpty ?? false
                }
        }
        comparesFieldBothWays = alternatives.contains { parts in
            let equalities = Set(parts.filter(\.isEquality).map(\.path))
            return parts.contains { !$0.isEquality && equalities.contains($0.path) }
        }
        scansNamesDescending =
            request.query.orders.first.map { $0.path.isDocumentName && $0.direction == .descending } ?? false
            && alternatives.contains { parts in parts.allSatisfy(\.path.isDocumentName) }
        let reports = try client.indexUsage(of: database)
        isReported = reports != nil
        reported = try reports?.map { try WantedIndex(report: $0) } ?? []
    }

    /// Whether the operands of an alternative contradict each other, or are null or NaN.
    let hasImpossibleAlternative: Bool
    /// Whether an alternative has an equality and another filter on one field.
    let comparesFieldBothWays: Bool
    /// Whether an alternative is a scan of names alone, in descending order.
    let scansNamesDescending: Bool

    var difference: String? {
        reported.contains(suggested)
            ? nil
            : "Hearth: \(suggested)\nemulator: "
                + (isReported ? reported.map(\.description).joined(separator: "; ") : "fails to report")
    }
}

/// An index as the emulator reports it and Hearth suggests it.
struct WantedIndex: Hashable, CustomStringConvertible {
    struct Field: Hashable {
        let path: String
        /// `ASCENDING`, `DESCENDING` or `CONTAINS`.
        let mode: String
    }

    let collectionGroup: String
    let scope: String
    var fields: [Field]

    init(_ definition: IndexDefinition) {
        collectionGroup = definition.collectionGroup.string
        scope = definition.scope.wireName
        fields = definition.fieldsWithName.map { field in
            Field(path: field.path.wire, mode: field.mode.direction?.wireName ?? "CONTAINS")
        }
    }

    init(report: [String: Any]) throws {
        guard let name = report["name"] as? String, let scope = report["queryScope"] as? String,
            let fields = report["fields"] as? [[String: Any]]
        else { throw EmulatorFailure("no index: \(report)") }
        self.scope = scope
        let segments = name.split(separator: "/")
        collectionGroup = segments.count > 5 ? String(segments[5]) : ""
        self.fields = fields.map { field in
            let mode = field["order"] ?? field["arrayConfig"]
            return Field(path: field["fieldPath"] as? String ?? "", mode: mode as? String ?? "")
        }
    }

    var description: String {
        "\(scope) \(collectionGroup) (\(fields.map { "\($0.path) \($0.mode)" }.joined(separator: ", ")))"
    }
}

extension Filter {
    /// The conjunctions of the disjunctive normal form.
    fileprivate var alternatives: [[Filter]] {
        switch self {
        case .or(let parts): parts.flatMap(\.alternatives)
        case .and(let parts):
            parts.reduce([[]]) { combined, part in
                combined.flatMap { left in part.alternatives.map { left + $0 } }
            }
        case .field(let path, .in, .array(let elements)): elements.map { [.field(path, .equal, $0)] }
        case .field(let path, .arrayContainsAny, .array(let elements)):
            elements.map { [.field(path, .arrayContains, $0)] }
        case .field, .unary: [[self]]
        }
    }

    /// - Precondition: not a composite.
    fileprivate var path: FieldPath {
        switch self {
        case .field(let path, _, _), .unary(let path, _): path
        case .and, .or: preconditionFailure("a composite filter has no path")
        }
    }

    fileprivate var isEquality: Bool {
        switch self {
        case .field(_, .equal, _), .unary(_, .isNull), .unary(_, .isNaN): true
        default: false
        }
    }

    /// Without the bound itself if another filter of the conjunction excludes it.
    fileprivate func strict(beside parts: [Filter]) -> Filter {
        switch self {
        case .field(let path, .lessThanOrEqual, let bound) where parts.contains { $0.excludes(bound, at: path) }:
            .field(path, .lessThan, bound)
        case .field(let path, .greaterThanOrEqual, let bound) where parts.contains { $0.excludes(bound, at: path) }:
            .field(path, .greaterThan, bound)
        default: self
        }
    }

    private func excludes(_ value: Value, at path: FieldPath) -> Bool {
        switch self {
        case .field(path, .notEqual, let other): NaiveOrder.compare(other, value) == 0
        case .field(path, .notIn, .array(let others)): others.contains { NaiveOrder.compare($0, value) == 0 }
        default: false
        }
    }

    /// Less than the least value of a type, or greater than the greatest: matches nothing (V-27).
    fileprivate var isBeyondItsType: Bool {
        switch self {
        case .field(_, .lessThan, let operand):
            Filter.least.contains { NaiveOrder.compare($0, operand) == 0 }
        case .field(_, .greaterThan, let operand):
            Filter.greatest.contains { NaiveOrder.compare($0, operand) == 0 }
        default: false
        }
    }

    private static let least: [Value] = [
        .boolean(false), .double(-.infinity), .timestamp(.minimum), .string(""), .bytes([]),
        .geoPoint(GeoPoint(latitude: -90, longitude: -180)!), .array([]), .map(.empty),
    ]
    private static let greatest: [Value] = [
        .boolean(true), .double(.infinity), .timestamp(.maximum), .geoPoint(GeoPoint(latitude: 90, longitude: 180)!),
    ]
}
