// SPDX-License-Identifier: Apache-2.0

/// How many queries ran, by kind.
final class FuzzTally {
    private var counts: [String: Int] = [:]

    func add(_ kind: String) { counts[kind, default: 0] += 1 }

    /// Counts of kinds that ran a query. Outcomes of runs have a leading `of which`.
    var runs: Int { counts.filter { !$0.key.hasPrefix(FuzzTally.outcome) }.values.reduce(0, +) }

    /// Records the outcome of a run that is already counted.
    func addOutcome(_ outcome: String) { add(FuzzTally.outcome + outcome) }

    /// The outcomes of a set that never occurred.
    func missing(_ outcomes: Set<String>) -> [String] {
        outcomes.filter { counts[FuzzTally.outcome + $0] == nil }.sorted()
    }

    private static let outcome = "of which "

    var description: String {
        counts.sorted { $0.key < $1.key }.map { "  \($0.value)\t\($0.key)" }.joined(separator: "\n")
    }
}
