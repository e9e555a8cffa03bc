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
        options = entry.node.indexOptions + [entry.fields.contains(where: \.isDocumentName) ? "__name__" : ""]
    }
}

/// What makes two entries the same index for the backend and for the official tool. Where only the backend takes them for the same
/// (I-17), the official tool may create both.
struct DeployedIndex: Hashable {
    private let byBackend: IdentifiedIndex
    private let byOfficialTool: IndexDefinition?

    /// Nil for an entry that is not readable.
    init?(_ entry: IndexEntry, _ edition: Edition) {
        guard let index = IdentifiedIndex(entry, edition) else { return nil }
        byBackend = index
        byOfficialTool = entry.officialToolDefinition
    }
}

/// What makes an index of one field in an override different from others (J-24).
struct IdentifiedFieldIndex: Hashable {
    private let index: SingleFieldIndex
    private let options: [String]

    /// Nil for an entry that is not readable.
    init?(_ entry: OverrideIndexEntry, _ edition: Edition) {
        guard let index = entry.index else { return nil }
        self.index = index
        options = edition == .standard ? [] : entry.node.indexOptions
    }
}

/// The keys of an index that say more than its fields and scope: options of the Enterprise edition (J-24).
enum IndexOptions {
    static let keys = ["apiScope", "density", "multikey", "unique"]
}

extension JSONNode {
    fileprivate var indexOptions: [String] {
        [
            present("apiScope")?.string ?? "ANY_API",
            present("density")?.string.flatMap { $0 == "DENSITY_UNSPECIFIED" ? nil : $0 } ?? "DENSE",
            present("multikey") == nil ? "" : "multikey", present("unique") == nil ? "" : "unique",
        ]
    }
}
