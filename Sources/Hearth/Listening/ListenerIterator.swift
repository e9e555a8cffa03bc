// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine

/// Iterates over the states of a listener at the program's pace.
///
/// Every state arrives, in order, until `limit` of them wait; see ``BufferedListener``.
struct ListenerIterator {
    private let listener: BufferedListener
    /// Has one element if a state waits. It ends with the iterator's task or with the last copy of the iterator, and
    /// then the listener is removed.
    private var wakes: AsyncStream<Void>.Iterator
    private var isFinished = false

    init(
        _ firestore: Database, path: String, keeping limit: Int,
        target: @escaping @Sendable (Engine) throws(FirestoreError) -> ListenerTarget
    ) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let listener = BufferedListener(firestore, path: path, keeping: limit) { _ in continuation.yield() }
        continuation.onTermination = { [weak listener] _ in listener?.remove() }
        self.listener = listener
        wakes = stream.makeAsyncIterator()
        listener.start(target)
    }

    mutating func next(
        isolation actor: isolated (any Actor)?
    ) async throws -> (rows: [QueryDocumentSnapshot], previous: [QueryDocumentSnapshot])? {
        while !isFinished {
            if Task.isCancelled { listener.remove() }
            switch listener.take() {
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
