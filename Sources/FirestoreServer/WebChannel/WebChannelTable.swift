// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import Synchronization

    /// The open sessions of channels.
    final class WebChannelTable: Sendable {
        private struct State {
            var channels: [String: WebChannel] = [:]
            var now = Duration.zero
        }

        let memory: WebChannelMemory
        private let limit: Int
        private let state = Mutex(State())

        init(_ limits: ConnectionLimits) {
            limit = limits.webSessions
            memory = WebChannelMemory(limit: limits.webBytes)
        }

        /// The time of the last ``pass(_:)``: no deadline here needs more than seconds.
        var now: Duration { state.withLock { $0.now } }
        var count: Int { state.withLock { $0.channels.count } }

        /// Opens a session. If there are too many, or they hold too much, those end first that have been without a back channel for the
        /// longest time. What is held ends none whose page only is about to open the next one.
        ///
        /// - Throws: `resourceExhausted` if all have one and there are too many.
        func open(_ method: WebChannel.Method) throws(RequestError) -> WebChannel {
            let now = now
            while memory.isTight, let idle = mostIdle(where: { $0.isAway(at: now) }) { end(idle.id, idle.method) }
            let channel = WebChannel(AutoID.make() + AutoID.make(), method, memory, at: now)
            // Others may take the room that one session leaves.
            while !add(channel) {
                if let idle = mostIdle(where: { _ in true }) {
                    end(idle.id, idle.method)
                    continue
                }
                throw RequestError(
                    .resourceExhausted,
                    "\(limit) channels of web pages are open; close pages, or terminate their Firestore.")
            }
            return channel
        }

        private func add(_ channel: WebChannel) -> Bool {
            state.withLock { state in
                guard state.channels.count < limit else { return false }
                state.channels[channel.id] = channel
                return true
            }
        }

        /// The session that has been without a back channel for the longest time.
        private func mostIdle(where isIncluded: (WebChannel) -> Bool) -> WebChannel? {
            let channels = state.withLock { Array($0.channels.values) }.filter(isIncluded)
            return channels.compactMap { channel in channel.idleSince.map { (channel, $0) } }.min { $0.1 < $1.1 }?.0
        }

        /// - Throws: what makes the client open a new session if there is none of this ID.
        func channel(_ id: String, _ method: WebChannel.Method) throws(RequestError) -> WebChannel {
            guard let channel = state.withLock({ $0.channels[id] }), channel.method == method else {
                throw WebChannelSession.unknown
            }
            return channel
        }

        func end(_ id: String, _ method: WebChannel.Method) {
            let channel = state.withLock { state in
                state.channels[id]?.method == method ? state.channels.removeValue(forKey: id) : nil
            }
            channel?.close()
        }

        /// Does what is due at a time since the server's start.
        func pass(_ now: Duration) {
            let channels = state.withLock { state in
                state.now = now
                return Array(state.channels.values)
            }
            for channel in channels where channel.pass(now) { end(channel.id, channel.method) }
        }

        /// Passes at each of some times, until the task is cancelled.
        func follow(_ ticks: AsyncStream<Duration>?) -> Task<Void, Never> {
            Task.detached { [weak self] in
                guard let ticks else {
                    let start = ContinuousClock.now
                    while (try? await Task.sleep(for: .seconds(1))) != nil {
                        guard let self else { return }
                        pass(ContinuousClock.now - start)
                    }
                    return
                }
                for await now in ticks { self?.pass(now) }
            }
        }

        func closeAll() {
            let channels = state.withLock { state in
                defer { state.channels = [:] }
                return Array(state.channels.values)
            }
            for channel in channels { channel.close() }
        }
    }
#endif
