// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import LMDB

extension Engine {
    /// Writes documents, each replacing what stands under its name: the way in for bulk loads.
    ///
    /// Documents of new collections are sorted on disk, beside the database, and written in key order behind all others. They are
    /// seen all at once, at the end; a load that is killed or fails before leaves none of them, and the next load or change of
    /// indexes removes what it wrote. Documents of collections that are there already, or whose group has indexes over all its
    /// collections, are written in commits of many, each whole or not at all. When the call returns, all are durable.
    ///
    /// Memory does not grow with the input. One load or change of indexes happens at a time; a second one waits. A document that
    /// cannot be stored is handed to `reject`, before `next` is asked again, and left out.
    ///
    /// - Parameter progress: told how much of the work that follows the last document is done, from 0 to 1.
    /// - Returns: how many documents were written.
    package func load(
        next: () throws(EngineError) -> (path: DocumentPath, fields: Fields)?,
        reject: (DocumentPath, EngineError) -> Void, progress: (Double) -> Void = { _ in }
    ) throws(EngineError) -> Int {
        try environment.whileMaintaining { () throws(EngineError) in
            try scheduler.removeUnfinishedLoads()
            try build { _ in }
            var load = try Load(scheduler)
            while let (path, fields) = try next() {
                do throws(EngineError) {
                    try WriteValidator.validate(.set(path, fields), database: database)
                    try load.add(path, fields)
                } catch {
                    guard case .refused = error else { throw error }
                    reject(path, error)
                }
            }
            return try load.finish(progress)
        }
    }
}
