// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine

/// Iterates over the states of a listener at the program's pace.
///
/// Every state arrives, in order, until `limit` of them wait; see ``BufferedListener``.
struct LiveStates {
    private let subscription: Subscription
    /// Has one element if a state waits. It ends with the iterator's task or with the last copy of the iterator, and
    /// then the listener is removed.
    private var wakes: AsyncStream<Void>.Iterator
    private var isFinished = false

    init(
        _ firestore: Database, path: String, keeping limit: Int,
        source: @escaping @Sendable (Engine) throws(FirestoreError) -> LiveSource
    ) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let subscription = Subscription(firestore, path: path, keeping: limit) { _ in continuation.yield() }
        continuation.onTermination = { [weak subscription] _ in subscription?.remove() }
        self.subscription = subscription
        wakes = stream.makeAsyncIterator()
        subscription.start(source)
    }

    mutating func next(
        isolation actor: isolated (any Actor)?
    ) async throws -> (rows: [QueryDocumentSnapshot], previous: [QueryDocumentSnapshot])? {
        while !isFinished {
            if Task.isCancelled { subscription.remove() }
            switch subscription.take() {
            case nil: isFinished = await wakes.next(isolation: actor) == nil
            case .rows(let rows, let previous): return (rows, previous)
            case .failed(let error):
                isFinished = true
                throw error
            case .ended: isFinished = true
            }
        }
        return nil
    }
}
