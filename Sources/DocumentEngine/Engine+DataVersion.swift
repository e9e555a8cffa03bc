// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension Engine {
    /// The version of the program's own data. A new database has version 0.
    package func dataVersion() throws(EngineError) -> UInt64 {
        try read { (transaction) throws(EngineError) in try Counter(.dataVersion).value(transaction) }
    }

    /// - Throws: `aborted` if the stored version is not `version - 1`, because another migration has changed it.
    package func setDataVersion(_ version: UInt64) throws(EngineError) {
        try write { (transaction, _, _) throws(EngineError) in
            let counter = Counter(.dataVersion)
            let current = try counter.value(transaction)
            guard current + 1 == version else {
                throw .refused(
                    .aborted,
                    "Another migration changed the data version to \(current) while this one ran. Run it again."
                )
            }
            try counter.set(version, &transaction)
        }
    }
}
