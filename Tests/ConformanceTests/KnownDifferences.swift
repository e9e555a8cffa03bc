// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport

/// A difference of the emulator from production, and its evidence.
struct KnownDifference: Sendable, CustomStringConvertible {
    /// The rules (docs/rules.md) or the recorded cases that decide for Hearth.
    let rule: String
    /// What the emulator does.
    let reason: String
    /// Whether this explains why two answers to a query differ.
    let explains: @Sendable (_ scenario: Scenario, _ hearth: Answer, _ emulator: Answer) -> Bool

    var description: String { "\(rule): \(reason)" }

    static func explaining(_ scenario: Scenario, _ hearth: Answer, _ emulator: Answer) -> KnownDifference? {
        all.first { $0.explains(scenario, hearth, emulator) }
    }

    static let all: [KnownDifference] = [
        KnownDifference(
            rule: "I-45",
            reason: "refuses a descending order by name alone; production runs it by an index of its own"
        ) { _, hearth, emulator in
            runsUnlessOrderedAfterName(hearth)
                && emulator.isRefusal("Firestore does not support descending key scans")
        },
        KnownDifference(
            rule: "Q-58, Q-59",
            reason: "refuses to aggregate a field beside a filter on __name__, and takes a group's parent for one"
        ) { scenario, hearth, emulator in
            hearth.isResult && emulator.isRefusal("This query requires an index that has fields [")
                && (scenario.filtersName || scenario.isGroupUnderParent)
                && !scenario.request.query.orders.contains { $0.path.isDocumentName }
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
            rule: "Q-4, Q-8, Q-32, Q-42, Q-46",
            reason: "takes an inequality with null or NaN, which is true of nothing, for none: it implies no order"
        ) { scenario, hearth, emulator in
            var simplified = scenario
            simplified.request = scenario.request.with { $0.filter = $0.filter?.withoutImpossibleInequalities }
            return
                (hearth.isRefusal("order by clause cannot contain more fields after the key")
                || hearth.isRefusal("Equality on key is not allowed if there are other inequality fields")
                || hearth.isRefusal("Only a single 'NOT_EQUAL'")
                || scenario.naiveAnswer.map { scenario.difference(hearth, $0) == nil } ?? false)
                && simplified.naiveAnswer.map { answer in
                    simplified.difference(answer, emulator) == nil || simplified.differsInTies(answer, emulator)
                } ?? false
        },
        KnownDifference(
            rule: "Q-49",
            reason: "runs a group query under a parent in ascending name order only, which it looks at first"
        ) { scenario, hearth, emulator in
            runsUnlessOrderedAfterName(hearth)
                && emulator.isRefusal("collection group queries are only allowed if they're at the root")
                && scenario.isGroupUnderParent
        },
        KnownDifference(
            rule: "Q-62", reason: "orders equal distances by the fields of the pre-filter's inequalities"
        ) { scenario, hearth, emulator in
            scenario.differsInTies(hearth, emulator)
        },
        KnownDifference(
            rule: "Q-27, Q-33", reason: "refuses not-in beside an OR of one filter, which is that filter"
        ) { scenario, hearth, emulator in
            hearth.isResult && emulator.isRefusal("'NOT_IN' cannot be used in the same query with")
                && scenario.request.query.filter?.hasSingleAlternative ?? false
        },
        KnownDifference(
            rule: "Q-35, query-limits/components/or-components-101",
            reason: "does not sum the filters of all alternatives"
        ) { _, hearth, emulator in
            hearth.isRefusal("The query may not have more than 100 filters") && emulator.isResult
        },
        KnownDifference(
            rule: "Q-28", reason: "counts an alternative that occurs twice once"
        ) { _, hearth, emulator in
            hearth.isRefusal("Too many disjunctions after normalization.") && emulator.isResult
        },
        KnownDifference(
            rule: "V-22", reason: "sorts by about the first 1,500 bytes of a value; Hearth sorts by all of it"
        ) { scenario, hearth, emulator in
            guard let exact = scenario.naiveAnswer, let cut = scenario.cut.naiveAnswer else { return false }
            guard let names = emulator.names else {
                return scenario.difference(hearth, exact) == nil && scenario.cut.difference(cut, emulator) == nil
            }
            return exact.names == hearth.names && cut.names == names
        },
        KnownDifference(
            rule: "V-22", reason: "takes no operand longer than 1,500 bytes; Hearth compares it exactly"
        ) { _, hearth, emulator in
            hearth.isResult
                && (emulator.isRefusal("the cursor value is too large")
                    || emulator.message.hasSuffix(" is too large to be used in a query"))
        },
        KnownDifference(
            rule: "Q-62", reason: "takes the cosine distance to a vector of zeros as NaN or skips it"
        ) { _, hearth, emulator in
            hearth.isRefusal("Cannot compute cosine distance against a vector with a magnitude of zero.")
                && emulator.isResult
        },
        KnownDifference(
            rule: "D-3", reason: "refuses the numeric ID 0"
        ) { _, hearth, emulator in
            hearth.isResult && emulator.isRefusal("Resource id \"__id0__\" is invalid because it is reserved.")
        },
        KnownDifference(
            rule: "V-20", reason: "takes no vector with NaN and none in an array, also as an operand"
        ) { _, hearth, emulator in
            hearth.isResult && vectorRefusals.contains { emulator.isRefusal($0) }
        },
        KnownDifference(
            rule: "V-10, V-20", reason: "takes NaN in a vector to compare with for greater than every number"
        ) { scenario, hearth, emulator in
            guard let exact = scenario.naiveAnswer, scenario.difference(hearth, exact) == nil,
                let answer = scenario.withGreatestNaNInVectors.naiveAnswer
            else { return false }
            return emulator.names == nil
                ? scenario.difference(answer, emulator) == nil : emulator.names == answer.names
        },
    ]

    /// What the emulator checks first in queries that it does not run. Production refuses an order after the name as an
    /// invalid argument (orderBy_redundant), like other things that it does not run under a parent
    /// (allDescendants_withAncestor), and asks for indexes last.
    private static func runsUnlessOrderedAfterName(_ hearth: Answer) -> Bool {
        hearth.isResult || hearth.isRefusal("order by clause cannot contain more fields after the key")
    }

    private static let vectorRefusals = [
        "Vector cannot contain NaN values.", "Cannot convert a vector value in an array value.",
    ]

    /// Whether Hearth stores a document that the emulator refuses with this message: a vector is a map of any doubles
    /// (V-20), is allowed in an array like other maps (V-21), and every number is a numeric ID (D-3).
    static func isKnownRefusal(ofDocument message: String) -> Bool {
        vectorRefusals.contains(message)
            // The emulator's message about a vector with NaN inside a map.
            || message.hasSuffix("contains an invalid nested entity.")
            || message == "Resource id \"__id0__\" is invalid because it is reserved."
    }
}
