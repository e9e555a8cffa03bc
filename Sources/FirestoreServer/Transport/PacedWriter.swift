// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import NIOCore
    internal import Synchronization

    /// Writes to a channel at the pace of its client, so that an answer of any length needs memory for one part only.
    final class PacedWriter: Sendable {
        private struct State {
            var isWritable = true
            var isClosed = false
            var waiting: CheckedContinuation<Void, Never>?
        }

        private let channel: any Channel
        private let state = Mutex(State())

        init(_ channel: any Channel) {
            self.channel = channel
        }

        /// Writes a part, and returns when it is on its way and the client has room for more.
        ///
        /// - Throws: `CancellationError` if the client is gone.
        func write(_ part: some Sendable) async throws {
            try await waitUntilWritable()
            guard !channel.eventLoop.inEventLoop else { return send(part) }
            try await channel.eventLoop.submit { [self] in send(part) }.get()
        }

        private func send(_ part: some Sendable) {
            channel.writeAndFlush(part, promise: nil)
            // On the event loop, so that no change of it is missed.
            state.withLock { $0.isWritable = channel.isWritable }
        }

        /// Writes the last parts without waiting.
        func finish(_ parts: [some Sendable]) {
            guard !state.withLock({ $0.isClosed }) else { return }
            let send = { @Sendable [channel] in
                for part in parts { channel.write(part, promise: nil) }
                channel.flush()
            }
            if channel.eventLoop.inEventLoop { send() } else { channel.eventLoop.execute(send) }
        }

        /// Closes the channel. Whoever writes to it fails.
        func abandon() { channel.close(promise: nil) }

        private func waitUntilWritable() async throws {
            if state.withLock({ $0.isWritable && !$0.isClosed }) { return }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.isWritable || state.isClosed { return true }
                    state.waiting = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
            if state.withLock({ $0.isClosed }) { throw CancellationError() }
        }

        func setWritable(_ isWritable: Bool) {
            resume { state in state.isWritable = isWritable }
        }

        /// Ends the wait of a method whose client is gone.
        func close() {
            resume { state in state.isClosed = true }
        }

        private func resume(_ change: (inout State) -> Void) {
            let waiting = state.withLock { state in
                change(&state)
                guard state.isWritable || state.isClosed else { return nil as CheckedContinuation<Void, Never>? }
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume()
        }
    }
#endif
