// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A batch that was sent before without an answer, and that the server now refuses. Its first attempt may be the reason.
struct WriteDoubt {
    let read: Int
    let error: SyncError
}

extension SyncMachine {
    /// Reads the documents of the first batch. Nothing is sent until they are known.
    func ask(about batch: MutationBatch, _ error: SyncError) {
        lastRead += 1
        doubt = WriteDoubt(read: lastRead, error: error)
        let paths = batch.tracePaths.sorted { ResourcePath.compare($0.resource, $1.resource) < 0 }
        effects.append(.readDocuments(paths, read: lastRead))
    }

    func documentsRead(_ result: Result<[SyncDocument], SyncError>, _ read: Int) {
        guard let asked = doubt, asked.read == read, let batch = pipeline.first else { return }
        doubt = nil
        switch result {
        case .success(let documents) where batch.hasMade(documents):
            forgetFailures(of: .write)
            storeOrGoOffline(.confirm(takeFirstOfPipeline(), documents))
            fillPipeline()
        case .success: rejectFirstOfPipeline(asked.error)
        case .failure(let error) where error.isPermanent: rejectFirstOfPipeline(asked.error)
        // The batch is sent again after a wait, and refused again: so the documents are read once more.
        case .failure: startWriteStreamIfNeeded()
        }
    }
}

extension MutationBatch {
    func mayBeCommitted(despite error: SyncError) -> Bool {
        // What the first attempt has changed may also be why rules refuse the next one: the marker tells.
        if marker != nil { return attempts > 1 }
        switch error.code {
        case .alreadyExists, .failedPrecondition, .notFound: return attempts > 1 && leavesTraces
        default: return false
        }
    }
}
