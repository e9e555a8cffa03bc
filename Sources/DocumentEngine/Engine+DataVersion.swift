// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

extension Engine {
    /// The version of the program's own data; 0 in a new database.
    package func dataVersion() throws(EngineError) -> UInt64 {
        try read { (cursors) throws(EngineError) in try Counter(.dataVersion, self.stores).value(cursors) }
    }

    package func setDataVersion(_ version: UInt64) throws(EngineError) {
        try write { (cursors, _, _) throws(EngineError) in
            try Counter(.dataVersion, self.stores).set(version, &cursors)
        }
    }
}
