// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension QueryValidator {
    /// Checks every field path of the query for reserved names (D-8, D-12; recorded path by path).
    static func checkPaths(_ query: Query, leaves: [Filter]) throws(InvalidQueryError) {
        for leaf in leaves { try checkPath(leaf.path!) }
        for order in query.orders { try checkPath(order.path) }
        for path in query.projection ?? [] { try checkPath(path, isProjection: true) }
        if let nearest = query.nearest { try checkPath(nearest.path) }
    }

    /// D-8. After the operands of filters and before orders, as in the official emulator; no recording shows it. The
    /// field of a vector search is not checked there.
    static func checkPathLengths(_ query: Query, leaves: [Filter]) throws(InvalidQueryError) {
        for leaf in leaves { try checkLength(leaf.path!) }
        for order in query.orders { try checkLength(order.path) }
        for path in query.projection ?? [] { try checkLength(path) }
    }

    static func checkLength(_ path: FieldPath) throws(InvalidQueryError) {
        guard !path.isTooLong else { throw InvalidQueryError("property path is longer than 1500 bytes.") }
    }

    static func checkPath(_ path: FieldPath, isProjection: Bool = false) throws(InvalidQueryError) {
        if path.isDocumentName { return }
        for (index, segment) in path.segments.enumerated() {
            guard segment.utf8Count > 0 else { throw InvalidQueryError("Invalid empty property path string.") }
            guard segment.isReserved else { continue }
            switch segment {
            case "__name__": throw InvalidQueryError("the name __key__ is reserved")
            case "__key__": throw InvalidQueryError("Invalid property path member name \"__key__\".")
            case "__type__":
                // The type marker inside a vector's map may be queried, but not returned on its own.
                let isInnerLeaf = index > 0 && index == path.segments.count - 1
                guard isInnerLeaf, !isProjection else { throw InvalidQueryError("the name __type__ is reserved") }
            default: throw InvalidQueryError("Invalid reserved name in field path \(segment)")
            }
        }
    }
}
