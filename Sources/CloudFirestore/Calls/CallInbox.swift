// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import DocumentModel
    internal import NIOCore
    internal import SyncCore
    internal import Synchronization

    /// Messages of a call between its event loop and the task that reads them, at that task's pace.
    final class CallInbox: Sendable {
        private struct State {
            var messages: [ByteBuffer] = []
            var end: CallEnd?
            var waiting: CheckedContinuation<Void, Never>?
            var channel: (any Channel)?
            var isPaused = false
        }

        private let state = Mutex(State())

        /// More messages than these wait with the server.
        private static let room = 256

        /// Called on the event loop.
        func receive(_ event: CallEvent) {
            let (waiting, paused) = state.withLock { state in
                switch event {
                case .message(let message): state.messages.append(message)
                case .end(let end): if state.end == nil { state.end = end }
                }
                let mustPause = state.messages.count > CallInbox.room && !state.isPaused
                if mustPause { state.isPaused = true }
                defer { state.waiting = nil }
                return (state.waiting, mustPause ? state.channel : nil)
            }
            if let paused { _ = paused.setOption(.autoRead, value: false) }
            waiting?.resume()
        }

        func begin(_ channel: any Channel) {
            let isEnded = state.withLock { state in
                state.channel = channel
                return state.end != nil
            }
            if isEnded { channel.close(promise: nil) }
        }

        /// Ends the call from this side.
        func end(_ error: SyncError) {
            let channel = state.withLock { $0.channel }
            receive(.end(CallEnd(error: error)))
            channel?.close(promise: nil)
        }

        /// The next message; nil after the last one of a call that succeeded.
        func next() async throws(CallEnd) -> ByteBuffer? {
            while true {
                let (message, end, resumed) = state.withLock { state in
                    guard !state.messages.isEmpty else { return (nil as ByteBuffer?, state.end, nil as (any Channel)?) }
                    let message = state.messages.removeFirst()
                    guard state.isPaused, state.messages.count < CallInbox.room / 2 else { return (message, nil, nil) }
                    state.isPaused = false
                    return (message, nil, state.channel)
                }
                if let resumed {
                    _ = resumed.setOption(.autoRead, value: true)
                    resumed.read()
                }
                if let message { return message }
                if let end {
                    if end.error != nil { throw end }
                    return nil
                }
                await wait()
            }
        }

        private func wait() async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        if !state.messages.isEmpty || state.end != nil { return true }
                        state.waiting = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                end(SyncError(.cancelled, "The call was cancelled."))
            }
        }
    }
#endif
