// SPDX-License-Identifier: Apache-2.0

/// Alternating collection and document IDs, relative to the database: `cities/SF/landmarks`.
///
/// Paths sort segment by segment: `__id<n>__` first, as numbers, then other IDs by UTF-8 bytes. A prefix of a path
/// sorts before it (V-23, V-24).
package struct ResourcePath: Sendable, Hashable {
    package let segments: [Text]

    package init(segments: [Text]) {
        self.segments = segments
    }

    package static let root = ResourcePath(segments: [])

    package var count: Int { segments.count }
    package var isEmpty: Bool { segments.isEmpty }

    /// The length of all segments.
    package var utf8Count: Int { segments.reduce(0) { $0 + $1.utf8Count } }

    package func appending(_ segment: Text) -> ResourcePath {
        ResourcePath(segments: segments + [segment])
    }

    package func isPrefix(of other: ResourcePath) -> Bool {
        other.segments.starts(with: segments)
    }
}

extension ResourcePath {
    package static func == (lhs: ResourcePath, rhs: ResourcePath) -> Bool { lhs.segments.isSame(as: rhs.segments) }

    package func hash(into hasher: inout Hasher) { segments.hashEach(into: &hasher) }
}

extension ResourcePath: CustomStringConvertible {
    package var description: String { segments.map(\.string).joined(separator: "/") }
}

/// The path of a document: an even, positive number of valid segments. There is no empty document path; a parent that
/// may be the root is an optional.
package struct DocumentPath: Sendable, Hashable {
    package let collection: CollectionPath
    package let id: Text

    /// - Precondition: an even number of segments, at least two. Parse external text with ``init(parsing:)``.
    package init(_ resource: ResourcePath) {
        precondition(resource.count >= 2 && resource.count % 2 == 0, "a document path has an even number of segments")
        collection = CollectionPath(ResourcePath(segments: resource.segments.dropLast()))
        id = resource.segments[resource.count - 1]
    }

    fileprivate init(_ collection: CollectionPath, _ id: Text) {
        self.collection = collection
        self.id = id
    }

    package var resource: ResourcePath { collection.resource.appending(id) }
}

/// The path of a collection: an odd number of valid segments.
package struct CollectionPath: Sendable, Hashable {
    package let resource: ResourcePath

    /// - Precondition: an odd number of segments. Parse external text with ``init(parsing:)``.
    package init(_ resource: ResourcePath) {
        precondition(resource.count % 2 == 1, "a collection path has an odd number of segments")
        self.resource = resource
    }

    /// The last segment: the collection ID that collection-group queries and index definitions name.
    package var group: Text { resource.segments[resource.count - 1] }

    /// Nil for a collection at the root.
    package var parent: DocumentPath? {
        resource.count == 1 ? nil : DocumentPath(ResourcePath(segments: resource.segments.dropLast()))
    }

    package func document(_ id: Text) -> DocumentPath { DocumentPath(self, id) }
}

extension DocumentPath: CustomStringConvertible {
    package var description: String { resource.description }
}

extension CollectionPath: CustomStringConvertible {
    package var description: String { resource.description }
}
