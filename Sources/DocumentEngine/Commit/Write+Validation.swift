// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

extension Write {
    /// Refuses a write that every commit would refuse, whatever is stored. Also checks the new fields of a merge and what
    /// transforms make of nothing, because every resulting document contains them.
    package func validate(in database: DatabaseID) throws(EngineError) {
        do throws(DocumentFormError) {
            try WriteValidator.validate(self, database: database)
            guard case .update(let fields, let mask, let transforms) = operation, mask != nil || !transforms.isEmpty
            else { return }
            var written = fields
            if let mask {
                written = .empty
                for path in mask { written.set(fields[path], at: path) }
            }
            for transform in transforms {
                written.set(transform.apply(to: written[transform.path], at: .minimum).value, at: transform.path)
            }
            try DocumentLimits.validate(path, written, database: database)
        } catch {
            throw EngineError(error)
        }
    }

    /// Refuses writes that every commit of all of them would refuse, whatever is stored.
    package static func validate(_ writes: [Write], in database: DatabaseID) throws(EngineError) {
        try check(writes, in: database)
        for write in writes { try write.validate(in: database) }
    }

    /// What is checked of a commit before its turn comes.
    static func check(_ writes: [Write], in database: DatabaseID) throws(EngineError) {
        do throws(DocumentFormError) { try WriteValidator.validate(writes, database: database) } catch {
            throw EngineError(error)
        }
    }
}
