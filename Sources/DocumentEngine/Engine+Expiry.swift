// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

extension Engine {
    /// Deletes the documents that have expired: those of a collection group with a field override that says `"ttl": true` whose
    /// field is a timestamp not after `now`. Other values, and a missing field, never expire. Subcollections stay (W-7).
    ///
    /// It reads in slices and deletes each document in a commit of its own, which waits among the others and goes ahead only if
    /// the document has not changed since it was read; so nobody waits for long, and a sweep may be broken off and begun again.
    ///
    /// - Parameters:
    ///   - now: by default the time at which the call begins.
    ///   - deleted: told of each document that was deleted.
    /// - Returns: how many were deleted.
    @discardableResult
    package func deleteExpired(
        now: Timestamp? = nil, deleted: (DocumentPath) -> Void = { _ in }
    ) throws(EngineError) -> Int {
        try scheduler.deleteExpired(now: now, deleted: deleted)
    }
}
