// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// What makes two entries of `indexes` the same index (J-24): its definition and, where the edition has them, its options.
struct IdentifiedIndex: Hashable {
    let definition: IndexDefinition
    /// In the Standard edition there is one value of each. Enterprise implies no `__name__`, so it counts whether one is
    /// written.
    private let options: [String]

    /// Nil for an entry that is not readable.
    init?(_ entry: IndexEntry, _ edition: Edition) {
        guard let definition = entry.definition else { return nil }
        self.definition = definition
        guard edition != .standard else {
            options = []
            return
        }
        options = [
            entry.node.present("apiScope")?.string ?? "ANY_API",
            entry.node.present("density")?.string.flatMap { $0 == "DENSITY_UNSPECIFIED" ? nil : $0 } ?? "DENSE",
            entry.node.present("multikey") == nil ? "" : "multikey",
            entry.node.present("unique") == nil ? "" : "unique",
            entry.fields.contains(where: \.isDocumentName) ? "__name__" : "",
        ]
    }
}
