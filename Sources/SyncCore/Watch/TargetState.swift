// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What the server has said of a target since the last consistent state.
struct TargetState {
    enum Change {
        case added, modified, removed
    }

    /// The request that the server answers.
    let wireID: Int
    /// Until then, what the server says is about nothing.
    private(set) var isAdded = false
    private(set) var isCurrent = false
    private(set) var resumeToken: [UInt8] = []
    private(set) var changes: [DocumentPath: Change] = [:]
    /// A new target is part of the next event even if nothing was said about it.
    private(set) var hasNews = true

    init(wireID: Int) {
        self.wireID = wireID
    }

    mutating func markAdded() {
        isAdded = true
        clearNews()
    }

    mutating func markCurrent() {
        isCurrent = true
        hasNews = true
    }

    mutating func note(_ token: [UInt8]) {
        guard !token.isEmpty else { return }
        resumeToken = token
        hasNews = true
    }

    /// Nil: the document has come and gone.
    mutating func note(_ change: Change?, of path: DocumentPath) {
        changes[path] = change
        hasNews = true
    }

    mutating func reset() {
        self = TargetState(wireID: wireID)
        isAdded = true
    }

    mutating func clearNews() {
        changes = [:]
        hasNews = false
    }

    var summary: TargetChange {
        var summary = TargetChange(resumeToken: resumeToken, isCurrent: isCurrent)
        for (path, change) in changes {
            switch change {
            case .added: summary.added.insert(path)
            case .modified: summary.modified.insert(path)
            case .removed: summary.removed.insert(path)
            }
        }
        return summary
    }
}
