// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

extension Engine {
    /// Checks every document and every index entry, both ways, in one read.
    ///
    /// What is wrong with documents and entries is in the report; an error means that the file could not be read through.
    package func verify() throws(EngineError) -> VerificationReport {
        try read { (cursors) throws(EngineError) in
            let catalog = try self.catalogs.read(&cursors)
            var verifier = Verifier(self.stores, catalog, self.database)
            try verifier.verify(&cursors)
            return verifier.report
        }
    }
}
