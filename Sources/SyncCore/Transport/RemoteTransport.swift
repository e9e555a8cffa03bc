// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

/// The way to the server: the two streams, single requests, and the credentials that they carry.
///
/// A client calls it from one thread at a time, in the order of the machine's effects; no call waits for the network.
/// What the server says is told by `report`, on any thread, in the order in which it was said. What is still reported of
/// a stream after ``close(_:connection:)`` is ignored by the machine.
package protocol RemoteTransport: Sendable {
    /// The server's database.
    var database: DatabaseID { get }
    /// The user, if it is always the same; nil if a token will name it.
    var user: SyncUser? { get }

    /// Called once, before anything else. `report` is told what the streams say, and the user: once as soon as it is
    /// known, which may take as long as the program's sign-in, and whenever it changes (``SyncInput/changeUser(_:)``). A
    /// program that says that the user has changed goes on when `report` has been told.
    func start(_ report: @escaping @Sendable (SyncInput) -> Void)

    /// Opens a stream with the current credentials, and reports `streamOpened`, or `streamClosed` with the reason.
    func open(_ stream: SyncStream, connection: Int)
    func close(_ stream: SyncStream, connection: Int)
    /// A message of the listen stream has left the queue in front of the machine. While many wait there, a transport reads
    /// no more, so that a server does not fill the memory of a busy client. What the machine keeps itself is not bounded: by
    /// the protocol's nature, it is all that belongs to one consistent state. Called from any thread.
    func watchMessageTaken()
    /// Sends on the open listen stream.
    func send(_ request: WatchRequest)
    /// Sends on the open write stream.
    func send(_ request: WriteRequest)
    /// The next request has fresh credentials.
    func invalidateCredentials()

    // MARK: Single requests

    /// The documents as they are now, in the order of `paths`; those that do not exist are `missing`, with the time of
    /// the read as their version.
    func documents(at paths: [DocumentPath]) async throws(SyncError) -> [SyncDocument]
    func commit(_ writes: [Write]) async throws(SyncError) -> CommitResult
    /// The rows of a query, also of those that cannot be listened to.
    func documents(of query: Query) async throws(SyncError) -> [SyncDocument]
    /// One value for each aggregation, in their order.
    func aggregate(_ query: AggregationQuery) async throws(SyncError) -> [Value]

    /// Ends streams and connections. Nothing is reported afterwards. Calls `ended` from any thread; that needs none of
    /// Swift's pool, all of which may wait for it.
    func stop(_ ended: @escaping @Sendable () -> Void)
}

extension RemoteTransport {
    /// Ends streams and connections, and waits until they have ended.
    package func stop() async {
        await withCheckedContinuation { continuation in stop { continuation.resume() } }
    }
}
