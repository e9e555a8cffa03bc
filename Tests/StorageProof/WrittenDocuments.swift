// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import StorageWorkload

/// Every state in which a workload of one writer wrote each document.
struct WrittenDocuments {
    private var states: [DocumentPath: [Fields]] = [:]

    init(_ workload: Workload, steps: Int) {
        let after = Inspection.States(workload)
        for number in 0...steps {
            for (path, fields) in after.after(number, writer: 0).documents { states[path, default: []].append(fields) }
        }
    }

    /// Whether the document was once written in this state. Of documents that count, only the name is known.
    func contains(_ document: Document) -> Bool {
        if document.path == Workload.counter || document.path == Workload.progress(0) { return true }
        return states[document.path]?.contains { document.fields.isIdentical(to: $0) } ?? false
    }
}
