// SPDX-License-Identifier: Apache-2.0

/// Refuses writes that every commit would refuse, whatever is stored.
package enum WriteValidator {
    /// The limit of a commit, by the size formulas of documents (W-30).
    private static let maximumCommitSize = 10 << 20

    package static func validate(_ writes: [Write], database: DatabaseID) throws(DocumentFormError) {
        var size = 0
        for write in writes { size += try validate(write, database: database) }
        guard size <= maximumCommitSize else {
            throw DocumentFormError("Transaction too big. Decrease transaction size.")
        }
        try checkRequirements(writes)
    }

    /// - Returns: the write's size in bytes.
    @discardableResult
    package static func validate(_ write: Write, database: DatabaseID) throws(DocumentFormError) -> Int {
        guard case .update(let fields, let mask, let transforms) = write.operation else {
            try DocumentLimits.validate(write.path, database: database)
            return DocumentSize.size(of: write.path)
        }
        if mask == nil, transforms.isEmpty {
            return try DocumentLimits.validate(write.path, fields, database: database)
        }
        try DocumentLimits.validate(write.path, database: database)
        try DocumentLimits.refuseNestedArrays(fields)
        for path in (mask ?? []) + transforms.map(\.path) {
            guard !path.isTooLong else { throw DocumentFormError("property path is longer than 1500 bytes.") }
            for name in path.segments { try DocumentLimits.validateName(name) }
        }
        try validate(transforms)
        return DocumentSize.size(of: write.path, fields)
    }

    private static func validate(_ transforms: [FieldTransform]) throws(DocumentFormError) {
        guard transforms.count <= 500 else {
            throw DocumentFormError("cannot have more than 500 field transforms on a single document")
        }
        let outer = outerPaths(transforms)
        for transform in transforms {
            switch transform.operation {
            case .increment(let operand), .maximum(let operand), .minimum(let operand):
                guard operand.typeClass == .number else { throw DocumentFormError("Input must be a number.") }
            default: break
            }
            if outer.contains(transform.path) {
                throw DocumentFormError(
                    "Cannot transform property \(transform.path.segments[0]) and its nested property at the same time.")
            }
        }
    }

    /// The paths that others go on from. In order, such a path is right before one of those.
    private static func outerPaths(_ transforms: [FieldTransform]) -> Set<FieldPath> {
        guard transforms.count > 1, transforms.contains(where: { $0.path.segments.count > 1 }) else { return [] }
        let paths = transforms.map(\.path).sorted()
        var outer: Set<FieldPath> = []
        for (path, next) in zip(paths, paths.dropFirst())
        where path.segments.count < next.segments.count && path.isPrefix(of: next) {
            outer.insert(path)
        }
        return outer
    }
}
