// SPDX-License-Identifier: Apache-2.0

extension WriteValidator {
    /// What earlier writes of a commit make of a document.
    private struct Written {
        /// As the first of them has it, in the emulator's words.
        let kind: String
        var isDeleted = false
    }

    /// W-5: a commit cannot require what its own earlier writes rule out. The words are the emulator's, which production has used, too.
    static func checkRequirements(_ writes: [Write]) throws(DocumentFormError) {
        guard writes.count > 1, writes.contains(where: { $0.precondition != nil }) else { return }
        var written: [DocumentPath: Written] = [:]
        for write in writes where !write.operation.isVerification {
            // The document exists exactly if it was not deleted.
            if let earlier = written[write.path], let required = write.expectedExistence,
                required == earlier.isDeleted
            {
                let before = earlier.isDeleted ? "delete" : earlier.kind
                let action = write.isDelete ? "delete" : write.kind
                throw DocumentFormError("Cannot \(before) then \(action) an entity in the same request.")
            }
            written[write.path, default: Written(kind: write.kind)].isDeleted = write.isDelete
        }
    }
}

extension Write {
    fileprivate var isDelete: Bool { if case .delete = operation { true } else { false } }

    fileprivate var kind: String {
        switch expectedExistence {
        case nil: "upsert"
        case true?: "update"
        case false?: "insert"
        }
    }
}
