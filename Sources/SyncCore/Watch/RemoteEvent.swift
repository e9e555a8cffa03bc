// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// All that the server has sent up to a consistent state.
struct RemoteEvent {
    /// ``Timestamp/noVersion`` for an event that the client made up.
    var version: Timestamp
    var targetChanges: [Int: TargetChange] = [:]
    /// Targets whose documents are wrong and must be sent again.
    var mismatches: [Int: ListenPurpose] = [:]
    var documents: [DocumentPath: SyncDocument] = [:]
    /// Documents that no target but those of limbo resolutions contains.
    var resolvedLimboDocuments: Set<DocumentPath> = []
}

/// What an event means for one target.
struct TargetChange {
    var resumeToken: [UInt8] = []
    /// Whether the server has sent the target's whole result.
    var isCurrent = false
    var added: Set<DocumentPath> = []
    var modified: Set<DocumentPath> = []
    var removed: Set<DocumentPath> = []

    var changesDocuments: Bool { !added.isEmpty || !modified.isEmpty || !removed.isEmpty }
}
