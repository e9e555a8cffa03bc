// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension SyncMachine {
    /// A bundle that was loaded before, and is still there, is a success without work.
    func loadBundle(_ bytes: [UInt8], _ load: Int) {
        do throws(SyncError) {
            let reader = try BundleReader(bytes, database: database)
            let (documents, byteCount) = (reader.documentCount, reader.byteCount)
            if try !hasLoaded(reader.record) {
                tell(0, of: documents, 0, byteCount, load)
                let bundle = try reader.read()
                for (index, offset) in bundle.offsets.enumerated() {
                    tell(index + 1, of: documents, offset, byteCount, load)
                }
                do throws(ReplicaError) { emit(try store.load(bundle)) } catch { throw SyncError(error) }
            }
            tell(documents, of: documents, byteCount, byteCount, isComplete: true, load)
        } catch {
            effects.append(.bundleFailed(error, load: load))
        }
    }

    private func hasLoaded(_ bundle: BundleRecord) throws(SyncError) -> Bool {
        do throws(ReplicaError) { return try store.hasLoaded(bundle) } catch { throw SyncError(error) }
    }

    private func tell(
        _ documents: Int, of documentCount: Int, _ bytes: Int, _ byteCount: Int, isComplete: Bool = false, _ load: Int
    ) {
        effects.append(
            .bundleProgress(
                BundleProgress(
                    documentsLoaded: documents, totalDocuments: documentCount, bytesLoaded: bytes,
                    totalBytes: byteCount, isComplete: isComplete), load: load))
    }

    /// The query that a bundle has brought under this name; nil if there is none.
    package func namedQuery(_ name: String) throws(ReplicaError) -> NamedQuery? { try store.namedQuery(name) }
}
