// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A document as the client knows it: as the server sent it, or with local writes on top.
package struct SyncDocument: Sendable {
    package enum Contents: Sendable {
        /// Nothing is known about the document.
        case uncached
        /// The server, or a local delete, says that it does not exist.
        case missing
        /// It exists on the server, with contents that the client has not seen: an update was acknowledged whose base is
        /// not cached.
        case unreadable
        case found(Fields, createTime: Timestamp)
    }

    package let path: DocumentPath
    package var contents: Contents
    /// The server's update time, or ``Timestamp/noVersion``, which every document with local writes has.
    package var version: Timestamp
    /// Whether a write that the server has not acknowledged applies to it.
    package var hasLocalMutations: Bool
    /// Whether an acknowledged write applies to it whose result the server's listen has not sent yet.
    package var hasCommittedMutations: Bool
    /// Whether it is what acknowledged writes have made of a document that the client has not seen, so that it may have other
    /// fields.
    package var isPart = false

    package init(
        _ path: DocumentPath, _ contents: Contents, version: Timestamp, hasLocalMutations: Bool = false,
        hasCommittedMutations: Bool = false
    ) {
        self.path = path
        self.contents = contents
        self.version = version
        self.hasLocalMutations = hasLocalMutations
        self.hasCommittedMutations = hasCommittedMutations
    }

    package static func uncached(_ path: DocumentPath) -> SyncDocument {
        SyncDocument(path, .uncached, version: .noVersion)
    }

    package var isCached: Bool { if case .uncached = contents { false } else { true } }
    package var isFound: Bool { fields != nil }
    /// Whether the client knows all that is in the document, or that it does not exist.
    package var isWhole: Bool {
        switch contents {
        case .found: !isPart
        case .missing: true
        case .uncached, .unreadable: false
        }
    }
    package var hasPendingWrites: Bool { hasLocalMutations || hasCommittedMutations }

    package var fields: Fields? {
        if case .found(let fields, _) = contents { fields } else { nil }
    }

    /// The document if it exists.
    var found: Document? {
        guard case .found(let fields, let createTime) = contents else { return nil }
        return Document(path: path, fields: fields, createTime: createTime, updateTime: version)
    }

    package var createTime: Timestamp {
        if case .found(_, let time) = contents { time } else { .noVersion }
    }
}

extension Timestamp {
    /// The version of what has none.
    package static let noVersion = Timestamp(microseconds: 0)!
}
