// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

extension Engine {
    /// Deletes expired documents. A document expires if its group has a field override with `"ttl": true` and that
    /// field is a timestamp not after `now`. Other values and missing fields never expire. Subcollections remain (W-7).
    ///
    /// Reads in slices and deletes each document in its own commit, if it has not changed since it was read. So no
    /// other writer waits long, and an interrupted sweep can simply be repeated.
    ///
    /// - Parameters:
    ///   - now: by default the time at which the call begins.
    ///   - deleted: called for each deleted document.
    /// - Returns: the number of deleted documents.
    @discardableResult
    package func deleteExpired(
        now: Timestamp? = nil, deleted: (DocumentPath) -> Void = { _ in }
    ) throws(EngineError) -> Int {
        try scheduler.deleteExpired(now: now, deleted: deleted)
    }
}
