// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import SyncCore

/// What a bulk move asks of a server.
package protocol BulkServer: Sendable {
    /// Each write for itself, in any order, at most one for each document.
    ///
    /// - Returns: how each one ended, in the order of `writes`.
    /// - Throws: if the server refused the request as a whole, or did not answer.
    func batchWrite(_ writes: [Write]) async throws(SyncError) -> [Result<WriteResult, SyncError>]

    /// The server's time.
    func now() async throws(SyncError) -> Timestamp

    /// The first documents of the whole database behind a name, in the order of names, as they were at a time.
    func documents(after path: DocumentPath?, limit: Int, at time: Timestamp) async throws(SyncError) -> [SyncDocument]

    /// The same documents without their fields: names, create and update times.
    func versions(after path: DocumentPath?, limit: Int, at time: Timestamp) async throws(SyncError) -> [SyncDocument]

    /// Documents as they were at a time, `missing` ones too.
    func documents(at paths: [DocumentPath], _ time: Timestamp) async throws(SyncError) -> [SyncDocument]
}
