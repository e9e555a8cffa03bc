// SPDX-License-Identifier: Apache-2.0

/// Iterates over the states of a listener at the program's pace.
///
/// Every state arrives, in order, until `limit` of them wait; see ``BufferedListener``.
struct ListenerIterator {
    private let listener: BufferedListener
    /// Has one element if a state waits. It ends with the iterator's task or with the last copy of the iterator, and
    /// then the listener is removed.
    private var wakes: AsyncStream<Void>.Iterator
    private var isFinished = false

    init(_ request: ListenerRequest) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let listener = BufferedListener(request) { _ in continuation.yield() }
        continuation.onTermination = { [weak listener] _ in listener?.remove() }
        self.listener = listener
        wakes = stream.makeAsyncIterator()
        listener.start()
    }

    mutating func next(
        isolation actor: isolated (any Actor)?
    ) async throws -> BufferedListener.Result? {
        while !isFinished {
            if Task.isCancelled { listener.remove() }
            switch listener.take() {
            case nil: isFinished = await wakes.next(isolation: actor) == nil
            case .rows(let result): return result
            case .failed(let error):
                isFinished = true
                throw error
            case .ended: isFinished = true
            }
        }
        return nil
    }
}
