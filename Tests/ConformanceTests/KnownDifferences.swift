// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import QueryPlanner

/// A way in which the emulator differs from production, and what says so.
struct KnownDifference: Sendable {
    /// The rules of the reference, or the recorded cases, that decide for Hearth.
    let rule: String
    /// What the emulator does.
    let reason: String
    /// Whether this explains why two answers to a query differ.
    let explains: @Sendable (_ scenario: Scenario, _ hearth: Answer, _ emulator: Answer) -> Bool

    static func explaining(_ scenario: Scenario, _ hearth: Answer, _ emulator: Answer) -> KnownDifference? {
        all.first { $0.explains(scenario, hearth, emulator) }
    }

    static let all: [KnownDifference] = [
        KnownDifference(
            rule: "I-45, B-17",
            reason: "refuses a descending order by name alone; production runs it by an index of its own"
        ) { _, hearth, emulator in
            hearth.isResult && emulator.isRefusal("Firestore does not support descending key scans")
        },
        KnownDifference(
            rule: "Q-58, Q-59",
            reason: "refuses to aggregate a field beside any filter on __name__; the rule speaks of explicit orders only"
        ) { scenario, hearth, emulator in
            hearth.isResult && emulator.isRefusal("This query requires an index that has fields [")
                && scenario.filtersName && !scenario.request.query.orders.contains { $0.path.isDocumentName }
        },
        KnownDifference(
            rule: "Q-44, Q-58", reason: "aggregates a field, which is an order, without a collection ID"
        ) { _, hearth, emulator in
            hearth.isRefusal("kind is required for all orders except __key__ ascending") && emulator.isResult
        },
        KnownDifference(
            rule: "Q-31", reason: "counts a membership filter that is written twice once"
        ) { scenario, hearth, emulator in
            hearth.isRefusal("A maximum of 1 'ARRAY_CONTAINS' filter is allowed") && emulator.isResult
                && scenario.hasRepeatedMembership
        },
        KnownDifference(
            rule: "V-22, O-5", reason: "takes no operand longer than 1,500 bytes; Hearth compares it exactly"
        ) { _, hearth, emulator in
            hearth.isResult && emulator.isRefusal("value for ")
                && emulator.message.hasSuffix(" is too large to be used in a query")
        },
        KnownDifference(
            rule: "production-2026 A7", reason: "takes the cosine distance to a vector of zeros as NaN or skips it"
        ) { _, hearth, emulator in
            hearth.isRefusal("Cannot compute cosine distance against a vector with a magnitude of zero.")
                && emulator.isResult
        },
        KnownDifference(
            rule: "D-3", reason: "refuses the numeric ID 0"
        ) { _, hearth, emulator in
            hearth.isResult && emulator.isRefusal("Resource id \"__id0__\" is invalid because it is reserved.")
        },
    ]
}

extension Answer {
    fileprivate var isResult: Bool { if case .refused = self { false } else { true } }

    fileprivate var message: String { if case .refused(_, let message) = self { message } else { "" } }

    fileprivate func isRefusal(_ prefix: String) -> Bool {
        if case .refused(_, let message) = self { message.hasPrefix(prefix) } else { false }
    }
}

extension Scenario {
    fileprivate var filtersName: Bool { leaves.contains { $0.path.isDocumentName } }

    fileprivate struct Leaf {
        let path: FieldPath
        var fieldOperator: FieldOperator?
        var operand = Value.null

        var elements: [Value] {
            if fieldOperator == .arrayContainsAny, case .array(let elements) = operand { elements } else { [operand] }
        }
    }

    fileprivate var leaves: [Leaf] { request.query.filter.map(Scenario.leaves) ?? [] }

    fileprivate var hasRepeatedMembership: Bool {
        let memberships = leaves.filter { $0.fieldOperator == .arrayContains || $0.fieldOperator == .arrayContainsAny }
        return memberships.indices.contains { index in
            memberships[..<index].contains { other in
                other.path == memberships[index].path
                    && other.elements.contains { element in
                        memberships[index].elements.contains { $0 == element }
                    }
            }
        }
    }

    private static func leaves(_ filter: Filter) -> [Leaf] {
        switch filter {
        case .and(let parts), .or(let parts): parts.flatMap(leaves)
        case .field(let path, let fieldOperator, let operand):
            [Leaf(path: path, fieldOperator: fieldOperator, operand: operand)]
        case .unary(let path, _): [Leaf(path: path)]
        }
    }
}
