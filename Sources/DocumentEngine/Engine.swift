// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog
internal import JSONText
package import LMDB

/// A database file: documents and their indexes.
///
/// Reads see one unchanging state; writes happen one after another, each whole or not at all. All calls are synchronous and
/// may come from any thread.
package final class Engine: Sendable {
    package struct Options: Sendable {
        /// Whether a missing file is made.
        package var creates = true
        package var readOnly = false
        /// The identity of a new database (D-1). An existing one keeps its own.
        package var identity = DatabaseID(project: "hearth")
        package var mapSize = 64 << 30
        package var durability = Environment.Durability.full

        package init() {}
    }

    package let database: DatabaseID
    package let environment: Environment
    package let stores: Stores
    let numbers: Numbers
    let catalogs: CatalogCache

    /// Opens a database, or makes one.
    ///
    /// The same file opened twice in a process is the same environment. Files are made for their owner only.
    package static func open(_ path: String, _ options: Options = Options()) throws(EngineError) -> Engine {
        do throws(LMDBError) {
            if !options.creates || options.readOnly, !Environment.exists(path) {
                throw LMDBError(code: .noSuchFile, operation: .open, path: path)
            }
            let environment = try Environment.open(
                path,
                .init(mapSize: options.mapSize, durability: options.durability, readOnly: options.readOnly))
            return try make(environment, options)
        } catch {
            throw .storage(error)
        }
    }
}
