// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

/// Steps several scans in turn until one ends. This is the cheapest way to find the shortest, because LMDB does not
/// count ranges.
struct ScanTrial {
    private struct Candidate {
        let access: AccessPath
        /// Nil if there is nothing to read.
        let rows: (any RowOperator)?
    }

    private let candidates: [Candidate]
    private var steps = 0

    init(
        _ alternatives: [AccessPath], _ builder: OperatorBuilder, _ transaction: inout Transaction
    ) throws(EngineError) {
        var candidates: [Candidate] = []
        for alternative in alternatives {
            candidates.append(Candidate(access: alternative, rows: try builder.scan(alternative, &transaction)))
        }
        self.candidates = candidates
    }

    /// Steps each scan on to its entry number `count`. Returns the first scan that has fewer entries, or nil.
    mutating func step(to count: Int, _ transaction: inout Transaction) throws(EngineError) -> AccessPath? {
        while steps < count {
            steps += 1
            for candidate in candidates {
                guard let rows = candidate.rows, try rows.next(&transaction) else { return candidate.access }
            }
        }
        return nil
    }

    /// Steps the scans until one ends.
    mutating func shortest(_ transaction: inout Transaction) throws(EngineError) -> AccessPath {
        if candidates.count == 1 { return candidates[0].access }
        while true {
            if let ended = try step(to: steps + 64, &transaction) { return ended }
        }
    }
}
