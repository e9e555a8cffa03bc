// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog
internal import LMDB

extension Engine {
    /// Loads many documents. A document replaces the stored one with its name, and those before it in the load.
    ///
    /// Documents of new collections are sorted on disk beside the database, and appended in key order. They become
    /// visible all at once, at the end. A load that is killed or fails before leaves none of them; the next load or
    /// index change removes what it wrote. Documents of existing collections, and of groups with an index over all
    /// their collections, are written in atomic commits of many documents. All documents are durable when the call
    /// returns.
    ///
    /// Memory does not grow with the input. Only one load or index change runs at a time; a second one waits. Before
    /// `next` is called again, `reject` gets a document that cannot be stored.
    ///
    /// - Parameter progress: called with the share, from 0 to 1, of the work that follows the last document.
    /// - Returns: the number of documents written.
    package func load(
        next: () throws(EngineError) -> (path: DocumentPath, fields: Fields)?,
        reject: (DocumentPath, EngineError) -> Void, progress: (Double) -> Void = { _ in }
    ) throws(EngineError) -> Int {
        try environment.whileMaintaining { () throws(EngineError) in
            try scheduler.removeUnfinishedLoads()
            try build { _ in }
            let catalog = try scheduler.catalog()
            var load = Load(scheduler, catalog, stages: stagesLoads)
            defer { load.waitForThreads() }
            while let (path, fields) = try next() {
                do throws(EngineError) {
                    do throws(DocumentFormError) {
                        try WriteValidator.validate(.set(path, fields), database: database)
                        try IndexLimits.validate(path, fields, catalog.indexes)
                    } catch {
                        throw EngineError(error)
                    }
                } catch {
                    reject(path, error)
                    continue
                }
                try load.add(path, fields)
            }
            return try load.finish(progress)
        }
    }
}
