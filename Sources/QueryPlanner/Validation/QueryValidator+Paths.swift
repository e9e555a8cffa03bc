// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension QueryValidator {
    /// Every field path of the query, as production names reserved ones (D-8, D-12; recorded path by path).
    static func checkPaths(_ query: Query, leaves: [Filter]) throws(InvalidQueryError) {
        for leaf in leaves { try checkPath(leaf.path!) }
        for order in query.orders { try checkPath(order.path) }
        for path in query.projection ?? [] { try checkPath(path, isProjection: true) }
        if let nearest = query.nearest { try checkPath(nearest.path) }
    }

    /// D-8, after the filters' operands and before the orders, as the official emulator has it: no recording shows it. A
    /// vector's field is not measured there.
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
                // The type mark inside a vector's map may be asked for, but not returned by itself.
                let isInnerLeaf = index > 0 && index == path.segments.count - 1
                guard isInnerLeaf, !isProjection else { throw InvalidQueryError("the name __type__ is reserved") }
            default: throw InvalidQueryError("Invalid reserved name in field path \(segment)")
            }
        }
    }
}
