// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What can be known to be wrong with a write before any lock is taken.
enum WriteValidator {
    /// Of a commit, by the formulas for documents (W-30).
    private static let maximumCommitSize = 10 << 20

    static func validate(_ writes: [Write], database: DatabaseID) throws(EngineError) {
        for write in writes { try validate(write, database: database) }
        guard writes.reduce(0, { $0 + size(of: $1) }) <= maximumCommitSize else {
            throw .refused(.invalidArgument, "Transaction too big. Decrease transaction size.")
        }
    }

    private static func size(of write: Write) -> Int {
        switch write.operation {
        case .update(let fields, _, _): DocumentSize.size(of: write.path, fields)
        case .delete, .verify: DocumentSize.size(of: write.path.resource)
        }
    }

    static func validate(_ write: Write, database: DatabaseID) throws(EngineError) {
        do throws(DocumentFormError) {
            guard case .update(let fields, let mask, let transforms) = write.operation else {
                return try DocumentLimits.validate(write.path, database: database)
            }
            if mask == nil, transforms.isEmpty {
                return try DocumentLimits.validate(write.path, fields, database: database)
            }
            try DocumentLimits.validate(write.path, database: database)
            for path in (mask ?? []) + transforms.map(\.path) {
                for name in path.segments { try DocumentLimits.validateName(name) }
            }
            try validate(transforms)
        } catch {
            throw EngineError(error)
        }
    }

    private static func validate(_ transforms: [FieldTransform]) throws(DocumentFormError) {
        guard transforms.count <= 500 else {
            throw DocumentFormError("cannot have more than 500 field transforms on a single document")
        }
        for transform in transforms {
            switch transform.operation {
            case .increment(let operand), .maximum(let operand), .minimum(let operand):
                guard operand.typeClass == .number else { throw DocumentFormError("Input must be a number.") }
            default: break
            }
            let nested = transforms.first { $0.path != transform.path && transform.path.isPrefix(of: $0.path) }
            if nested != nil {
                throw DocumentFormError(
                    "Cannot transform property \(transform.path.segments[0]) and its nested property at the same time.")
            }
        }
    }
}
