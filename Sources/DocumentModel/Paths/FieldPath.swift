// SPDX-License-Identifier: Apache-2.0

/// The path of a field inside a document: one or more field names.
///
/// Paths order segment by segment by UTF-8 bytes, a prefix first.
package struct FieldPath: Sendable, Hashable {
    package let segments: [Text]

    /// - Precondition: at least one segment.
    package init(_ segments: [Text]) {
        precondition(!segments.isEmpty, "a field path has at least one segment")
        self.segments = segments
    }

    /// A path of one name. Dots in it are part of the name.
    package init(name: Text) {
        self.init([name])
    }

    /// `__name__`: the document's name, the only reserved path that queries and indexes may use (D-12).
    package static let documentName = FieldPath(["__name__"])

    package var isDocumentName: Bool { segments.count == 1 && segments[0] == "__name__" }

    package func isPrefix(of other: FieldPath) -> Bool { other.segments.starts(with: segments) }
}

extension FieldPath {
    package static func == (lhs: FieldPath, rhs: FieldPath) -> Bool { lhs.segments.isSame(as: rhs.segments) }

    package func hash(into hasher: inout Hasher) { segments.hashEach(into: &hasher) }
}

extension FieldPath: Comparable {
    package static func < (lhs: FieldPath, rhs: FieldPath) -> Bool {
        lhs.segments.lexicographicallyPrecedes(rhs.segments)
    }
}
