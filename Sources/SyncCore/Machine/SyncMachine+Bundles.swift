// SPDX-License-Identifier: Apache-2.0

extension SyncMachine {
    /// A bundle that was loaded before is a success without work.
    func loadBundle(_ bytes: [UInt8], _ load: Int) {
        do throws(SyncError) {
            let bundle = try BundleReader.read(bytes, database: database)
            let total = bundle.documents.count
            for (index, offset) in bundle.offsets.enumerated() {
                tell(index + 1, of: total, offset, bundle, isComplete: false, load)
            }
            try store(bundle)
            tell(total, of: total, bundle.totalBytes, bundle, isComplete: true, load)
        } catch {
            effects.append(.bundleFailed(error, load: load))
        }
    }

    private func store(_ bundle: Bundle) throws(SyncError) {
        do throws(ReplicaError) {
            if try !store.hasLoaded(bundle.record) { emit(try store.load(bundle)) }
        } catch {
            throw SyncError(error)
        }
    }

    private func tell(
        _ documents: Int, of total: Int, _ bytes: Int, _ bundle: Bundle, isComplete: Bool, _ load: Int
    ) {
        effects.append(
            .bundleProgress(
                BundleProgress(
                    documentsLoaded: documents, totalDocuments: total, bytesLoaded: bytes,
                    totalBytes: bundle.totalBytes, isComplete: isComplete), load: load))
    }

    /// The query that a bundle has brought under this name; nil if there is none.
    package func namedQuery(_ name: String) throws(ReplicaError) -> NamedQuery? { try store.namedQuery(name) }
}
