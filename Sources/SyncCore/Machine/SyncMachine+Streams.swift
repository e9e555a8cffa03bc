// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// Both streams open, wait, fall idle and fail in the same way.
extension SyncMachine {
    func start(_ stream: SyncStream) {
        guard streams[stream]!.phase != .failed else { return wait(for: stream) }
        streams[stream]!.phase = .starting
        streams[stream]!.connection += 1
        effects.append(.openStream(stream, connection: streams[stream]!.connection))
    }

    private func wait(for stream: SyncStream) {
        streams[stream]!.phase = .waiting
        let delay = streams[stream]!.backoff.next(at: now, &jitter)
        startTimer(.backoff(stream), delay)
    }

    /// Whether a message comes from the connection that is in use.
    func isCurrent(_ stream: SyncStream, _ connection: Int) -> Bool {
        streams[stream]!.isOpen && streams[stream]!.connection == connection
    }

    func streamOpened(_ stream: SyncStream, _ connection: Int) {
        guard streams[stream]!.phase == .starting, streams[stream]!.connection == connection else { return }
        streams[stream]!.phase = .open
        startTimer(.health(stream), StreamState.healthyAfter)
        switch stream {
        case .watch: sendAllTargets()
        case .write: send(.handshake)
        }
    }

    func streamClosed(_ stream: SyncStream, _ connection: Int, _ error: SyncError?, isNetworkFailure: Bool) {
        guard streams[stream]!.isConnected, streams[stream]!.connection == connection else { return }
        if isNetworkFailure { streams[stream]!.backoff.limitNextWithoutNetwork() }
        // A server that ends a stream without an error may be asked again at once, but not in a loop.
        close(stream, error ?? SyncError(.unavailable, "The server has ended the stream."), wasOK: error == nil)
    }

    func stop(_ stream: SyncStream) {
        guard streams[stream]!.isStarted else { return }
        if stream == .write, hasShakenHands { send(.goodbye(streamToken: streamToken)) }
        if streams[stream]!.isConnected {
            effects.append(.closeStream(stream, connection: streams[stream]!.connection))
        }
        close(stream, nil)
    }

    /// - Parameter error: nil if the client closes the stream.
    private func close(_ stream: SyncStream, _ error: SyncError?, wasOK: Bool = false) {
        for timer in [SyncTimer.idle(stream), .health(stream), .backoff(stream)] { cancelTimer(timer) }
        if let error, !wasOK {
            if error.code == .resourceExhausted { streams[stream]!.backoff.resetToGreatest() }
            // A stream that has worked for a while may end because its token has expired: the next one has a new one.
            if error.code == .unauthenticated, streams[stream]!.phase != .healthy {
                effects.append(.invalidateCredentials)
            }
        } else if error == nil {
            streams[stream]!.backoff.reset()
        }
        streams[stream]!.phase = error == nil ? .initial : .failed
        streams[stream]!.isIdle = false
        switch stream {
        case .watch: watchStreamClosed(error)
        case .write: writeStreamClosed(wasOK ? nil : error)
        }
    }

    /// The next start does not wait.
    func forgetFailures(of stream: SyncStream) {
        guard streams[stream]!.phase == .failed else { return }
        streams[stream]!.phase = .initial
        streams[stream]!.backoff.reset()
    }

    // MARK: Idleness

    func markIdle(_ stream: SyncStream) {
        guard streams[stream]!.isOpen, !streams[stream]!.isIdle else { return }
        streams[stream]!.isIdle = true
        startTimer(.idle(stream), StreamState.idleTime)
    }

    func markBusy(_ stream: SyncStream) {
        guard streams[stream]!.isIdle else { return }
        streams[stream]!.isIdle = false
        cancelTimer(.idle(stream))
    }

    // MARK: Timers

    func startTimer(_ timer: SyncTimer, _ milliseconds: Int) {
        lastTicket += 1
        tickets[timer] = lastTicket
        effects.append(.startTimer(timer, ticket: lastTicket, milliseconds: milliseconds))
    }

    func cancelTimer(_ timer: SyncTimer) {
        if tickets.removeValue(forKey: timer) != nil { effects.append(.cancelTimer(timer)) }
    }

    func fire(_ timer: SyncTimer) {
        tickets[timer] = nil
        switch timer {
        case .idle(let stream): stop(stream)
        case .backoff(let stream):
            streams[stream]!.phase = .initial
            streams[stream]!.backoff.noteAttempt(at: now)
            start(stream)
        case .health(let stream): streams[stream]!.phase = .healthy
        case .onlineState:
            online.timeoutPasses()
            tellOnlineState()
        case .collection: collectGarbage()
        case .peers: meetPeers()
        case .storeRetry:
            retryBackoff.noteAttempt(at: now)
            retryNext()
        }
    }
}
