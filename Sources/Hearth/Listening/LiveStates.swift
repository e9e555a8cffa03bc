// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine

/// The states of a listener, each taken when the program has time for it.
struct LiveStates {
    private let subscription: Subscription
    /// One element where there is something to take. It ends with the iterator's task or with the last copy of the iterator,
    /// and then the subscription ends too.
    private var wakes: AsyncStream<Void>.Iterator
    private var isFinished = false

    init(
        _ firestore: Database, path: String,
        source: @escaping @Sendable (Engine) throws(FirestoreError) -> LiveSource
    ) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let subscription = Subscription(firestore, path: path) { _ in continuation.yield() }
        continuation.onTermination = { [weak subscription] _ in subscription?.remove() }
        self.subscription = subscription
        wakes = stream.makeAsyncIterator()
        subscription.start(source)
    }

    mutating func next(
        isolation actor: isolated (any Actor)?
    ) async throws -> (rows: [QueryDocumentSnapshot], previous: [QueryDocumentSnapshot])? {
        while !isFinished, await wakes.next(isolation: actor) != nil {
            switch subscription.take() {
            case nil: continue
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
