// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A batch that was sent before without an answer, and that the server now refuses. Its first attempt may be the reason.
struct WriteDoubt {
    let read: Int
    let error: SyncError
    /// Whether the batch's marker has told that the first attempt was committed. What is read now only replaces the cached
    /// documents.
    let isCommitted: Bool
}

extension SyncMachine {
    /// Reads what tells whether the first batch was committed. Nothing is sent until it is known.
    ///
    /// A marker is read alone: rules may let the user write documents that it may not read, and one of them fails a read of
    /// several.
    func ask(about batch: MutationBatch, _ error: SyncError) {
        read(batch.marker.map { [$0] } ?? batch.paths, WriteDoubt(read: lastRead + 1, error: error, isCommitted: false))
    }

    private func read(_ paths: Set<DocumentPath>, _ doubt: WriteDoubt) {
        lastRead = doubt.read
        self.doubt = doubt
        let sorted = paths.sorted { ResourcePath.compare($0.resource, $1.resource) < 0 }
        effects.append(.readDocuments(sorted, read: doubt.read))
    }

    func documentsRead(_ result: Result<[SyncDocument], SyncError>, _ read: Int) {
        guard let asked = doubt, asked.read == read, let batch = pipeline.first else { return }
        doubt = nil
        switch result {
        case .success(let documents) where asked.isCommitted: confirmFirstOfPipeline(documents)
        case .failure(let error) where asked.isCommitted && error.isPermanent: confirmFirstOfPipeline([])
        case .success(let documents) where batch.hasMade(documents):
            guard batch.marker != nil else { return confirmFirstOfPipeline(documents) }
            self.read(batch.paths, WriteDoubt(read: lastRead + 1, error: asked.error, isCommitted: true))
        case .success: rejectFirstOfPipeline(asked.error)
        case .failure(let error) where error.isPermanent: rejectFirstOfPipeline(asked.error)
        // The batch is sent again after a wait, and refused again: so the documents are read once more.
        case .failure: startWriteStreamIfNeeded()
        }
    }

    private func confirmFirstOfPipeline(_ documents: [SyncDocument]) {
        forgetFailures(of: .write)
        storeOrGoOffline(.confirm(takeFirstOfPipeline(), documents))
        fillPipeline()
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
