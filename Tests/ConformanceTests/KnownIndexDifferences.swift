// SPDX-License-Identifier: Apache-2.0

/// A difference of the emulator's index reports from production's requests, and its evidence.
struct KnownIndexDifference: Sendable, CustomStringConvertible {
    /// The rules (docs/rules.md) or the recorded cases that decide for Hearth.
    let rule: String
    /// What the emulator does.
    let reason: String
    /// Whether this explains the difference.
    let explains: @Sendable (IndexUsage) -> Bool

    var description: String { "\(rule): \(reason)" }

    static func explaining(_ usage: IndexUsage) -> KnownIndexDifference? {
        all.first { $0.explains(usage) }
    }

    static let all: [KnownIndexDifference] = [
        KnownIndexDifference(
            rule: "I-49", reason: "puts the array-contains field after the equalities"
        ) { usage in
            usage.reported.map(\.containsFirst).contains(usage.suggested)
        },
        KnownIndexDifference(
            rule: "I-49", reason: "writes an order by a field that has an equality again"
        ) { usage in
            usage.reported.map(\.containsFirst.withoutRepeatedFields).contains(usage.suggested)
        },
        KnownIndexDifference(
            rule: "I-25, I-35",
            reason: "leaves alternatives out that their operands make impossible; the rules look at fields only"
        ) { usage in
            usage.hasImpossibleAlternative
        },
        KnownIndexDifference(
            rule: "I-25, I-49", reason: "takes a field with an equality and an inequality for one of the order only"
        ) { usage in
            usage.comparesFieldBothWays
                && usage.reported.contains { Set($0.fields.map(\.path)) == Set(usage.suggested.fields.map(\.path)) }
        },
        KnownIndexDifference(
            rule: "I-45", reason: "fails to report where an alternative is a descending scan of names alone"
        ) { usage in
            !usage.isReported && usage.scansNamesDescending
        },
    ]
}

extension WantedIndex {
    fileprivate var containsFirst: WantedIndex {
        var copy = self
        copy.fields = fields.filter { $0.mode == "CONTAINS" } + fields.filter { $0.mode != "CONTAINS" }
        return copy
    }

    fileprivate var withoutRepeatedFields: WantedIndex {
        var copy = self
        let ordered = Set(["ASCENDING", "DESCENDING"])
        copy.fields = fields.indices.map { (fields[$0], fields[..<$0]) }.filter { field, earlier in
            !earlier.contains { $0.path == field.path && ordered.contains($0.mode) && ordered.contains(field.mode) }
        }.map(\.0)
        return copy
    }
}
