// SPDX-License-Identifier: Apache-2.0

package import DocumentEngine
internal import DocumentModel
internal import ManagedExport

extension Engine {
    /// Loads the documents of an export, as `load` does.
    ///
    /// - Parameters:
    ///   - movesReferences: whether references to the exported database lead to this one. Otherwise they lead where they led.
    ///   - progress: told the number of documents read.
    /// - Returns: the number of documents.
    /// - Throws: ``ExportError``, also if a document cannot be stored; the others are stored then.
    package func load(
        _ exported: ExportedDocuments, movesReferences: Bool = false, progress: (Int) -> Void = { _ in }
    ) throws -> Int {
        var documents = exported
        var refusal: (path: DocumentPath, error: EngineError)?
        var failure: (any Error)?
        var read = 0
        func next() throws(EngineError) -> (path: DocumentPath, fields: Fields)? {
            do {
                guard let next = try documents.next() else { return nil }
                read += 1
                progress(read)
                let fields =
                    movesReferences ? next.fields.movingReferences(from: next.database, to: database) : next.fields
                return (next.path, fields)
            } catch {
                failure = error
                // What the load throws leaves no document of a new collection.
                throw .refused(.invalidArgument, (error as? ExportError)?.message ?? "\(error)")
            }
        }
        let count: Int
        do {
            count = try load(next: next) { path, error in if refusal == nil { refusal = (path, error) } }
        } catch {
            throw failure ?? error
        }
        if let (path, error) = refusal {
            throw ExportError("a document cannot be stored, others were: \(path): \(error.message)")
        }
        return count
    }
}
