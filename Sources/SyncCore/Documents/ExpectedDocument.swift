// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// The acknowledgement of a batch may be lost with its connection. The batch is then sent again, and its conditions fail
// because of what the first attempt has done: a document that it creates exists already. The documents tell the two
// cases apart.
extension MutationBatch {
    /// Whether the documents can tell if an earlier attempt of this batch was committed: one that the batch sets as a whole,
    /// or deletes, must be under a condition.
    var leavesTraces: Bool { expectations.contains { $0.expected.isConditional && $0.expected.isKnown } }

    /// Whether the documents are what an earlier attempt of this batch has made of them, as far as they tell. A marker
    /// tells for certain, whatever became of the others since.
    func hasMade(_ documents: [SyncDocument]) -> Bool {
        if let marker { return documents.contains { $0.path == marker && $0.isFound } }
        return expectations.allSatisfy { path, expected in
            documents.first { $0.path == path }.map(expected.isMet) ?? false
        }
    }

    private var expectations: [(path: DocumentPath, expected: ExpectedDocument)] {
        paths.map { path in (path, ExpectedDocument(after: writes.filter { $0.path == path })) }
    }
}

/// What a document is after writes that were made to an unknown version of it.
private struct ExpectedDocument {
    private enum State {
        case unknown
        case missing
        /// Some fields have a time that only the server knows.
        case found(Fields, timestamps: [FieldPath])
    }

    private var state = State.unknown
    /// Whether a write that decides over the whole document has a condition.
    private(set) var isConditional = false

    init(after writes: [Write]) {
        for write in writes { apply(write) }
    }

    private mutating func apply(_ write: Write) {
        switch write.operation {
        case .verify: return
        case .delete: state = .missing
        case .update(let new, let mask, let transforms):
            var known = Fields.empty
            var timestamps: [FieldPath] = []
            if mask != nil {
                guard case .found(let fields, let times) = state else { return state = .unknown }
                (known, timestamps) = (fields, times)
            }
            known = Fields.merged(known, new, mask: mask)
            for transform in transforms {
                if case .serverTimestamp = transform.operation {
                    timestamps.append(transform.path)
                } else {
                    known.set(transform.apply(to: known[transform.path], at: .noVersion).value, at: transform.path)
                }
            }
            state = .found(known, timestamps: timestamps)
            if mask != nil { return }
        }
        if write.precondition != nil { isConditional = true }
    }

    var isKnown: Bool { if case .unknown = state { false } else { true } }

    func isMet(by document: SyncDocument) -> Bool {
        switch state {
        case .unknown: return true
        case .missing: return document.fields == nil
        case .found(var fields, let timestamps):
            guard let found = document.fields else { return false }
            for path in timestamps {
                guard case .timestamp? = found[path] else { return false }
                fields.set(found[path], at: path)
            }
            return fields.isIdentical(to: found)
        }
    }
}
