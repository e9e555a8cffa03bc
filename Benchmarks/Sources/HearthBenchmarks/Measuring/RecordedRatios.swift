// SPDX-License-Identifier: Apache-2.0

/// How fast Hearth was beside other engines, row by row: recorded in the repository, and of a run that is compared with it.
struct RecordedRatios: Codable, Equatable {
    /// The other engine's time over Hearth's, so that more is better. Nil where it did not take part.
    struct Row: Codable, Equatable {
        let name: String
        /// How many documents.
        let size: Int
        var sqlite: Double?
        var raw: Double?
    }

    /// A row that takes at least a tenth longer than it did, measured by what the other engine takes.
    struct Loss: Equatable {
        let row: Row
        let recorded: Row
    }

    /// What the recorded run was measured on.
    var machine: String
    /// Sorted by name and size.
    private(set) var rows: [Row] = []

    /// Takes the place of rows with the same name and size.
    mutating func record(_ new: [Row]) {
        rows.removeAll { old in new.contains { $0.name == old.name && $0.size == old.size } }
        rows = (rows + new).sorted { ($0.name, $0.size) < ($1.name, $1.size) }
    }

    /// Compares the rows of a run that are recorded too.
    func compare(_ run: [Row]) -> (compared: Int, losses: [Loss]) {
        let pairs = run.compactMap { row in
            rows.first { $0.name == row.name && $0.size == row.size }.map { Loss(row: row, recorded: $0) }
        }
        return (pairs.count, pairs.filter(\.isLoss))
    }
}

extension RecordedRatios.Loss {
    fileprivate var isLoss: Bool {
        isLoss(row.sqlite, recorded.sqlite) || isLoss(row.raw, recorded.raw)
    }

    private func isLoss(_ ratio: Double?, _ recorded: Double?) -> Bool {
        guard let ratio, let recorded else { return false }
        // Ratios are recorded with three digits.
        return recorded / ratio >= 1.0995
    }
}
