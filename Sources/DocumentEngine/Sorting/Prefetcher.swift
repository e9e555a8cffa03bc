// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// Fills buffers on its own thread, one buffer ahead of the consumer.
final class Prefetcher: Sendable {
    private let queue = DispatchQueue(label: "hearth.merge")
    private let fill: @Sendable (inout EntryBuffer) throws(EngineError) -> Void
    private let filled = Mutex<Result<EntryBuffer, EngineError>?>(nil)
    private let isReady = DispatchSemaphore(value: 0)

    /// - Parameter fill: fills an empty buffer, or leaves it empty at the end.
    init(_ fill: @escaping @Sendable (inout EntryBuffer) throws(EngineError) -> Void) {
        self.fill = fill
        start(EntryBuffer())
    }

    /// The next full buffer, or nil at the end.
    ///
    /// - Parameter used: a buffer to reuse.
    func next(reusing used: EntryBuffer? = nil) throws(EngineError) -> EntryBuffer? {
        isReady.wait()
        guard let buffer = try filled.withLock({ $0 })?.get(), !buffer.isEmpty else {
            isReady.signal()
            return nil
        }
        filled.withLock { $0 = nil }
        start(used ?? EntryBuffer())
        return buffer
    }

    private func start(_ buffer: consuming EntryBuffer) {
        let buffer = buffer
        queue.async { [self] in
            var buffer = buffer
            buffer.removeAll()
            do throws(EngineError) {
                try fill(&buffer)
                filled.withLock { $0 = .success(buffer) }
            } catch {
                filled.withLock { $0 = .failure(error) }
            }
            isReady.signal()
        }
    }
}
