// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import Synchronization

    /// Wakes the Listen streams of a database whose targets a commit may concern, so that the others cost a commit nothing.
    ///
    /// One task reads what was committed, once for all streams. The streams that it wakes read and show the changes themselves.
    /// Whatever breaks the chain of commits wakes all of them: another incarnation, or a history that does not reach back to the
    /// routed time.
    final class ListenRouter: Sendable {
        private struct BrokenChain: Error {}

        private static let rest = Duration.milliseconds(5)

        private let engine: Engine
        private let looksUp: Bool
        private let streams = Mutex(RoutedStreams())
        /// So that a commit takes no lock.
        private let hasStreams = Atomic<Bool>(false)
        private let signals: AsyncStream<Void>.Continuation

        /// - Parameter looksUp: false wakes every stream at every commit instead.
        init(_ engine: Engine, looksUp: Bool) {
            self.engine = engine
            self.looksUp = looksUp
            // However many commits there are before the task comes to it, one look is enough.
            let (stream, signals) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            self.signals = signals
            Task { [weak self] in
                for await _ in stream {
                    // While commits concern nobody they are routed together: a look at each would compete with the writers.
                    if self?.route() == false { try? await Task.sleep(for: ListenRouter.rest) }
                }
            }
        }

        deinit { signals.finish() }

        /// There may be commits. Waits for nothing.
        func look() {
            if hasStreams.load(ordering: .sequentiallyConsistent) { signals.yield() }
        }

        /// Calls `body` with the streams, which it must not keep.
        func withStreams<R: Sendable>(_ body: (inout RoutedStreams) -> R) -> R {
            streams.withLock { streams in
                let result = body(&streams)
                hasStreams.store(streams.count > 0, ordering: .sequentiallyConsistent)
                return result
            }
        }

        /// Looks up what was committed. Returns whether it concerns anybody.
        private func route() -> Bool {
            guard let start = withStreams({ $0.routed }) else { return false }
            guard looksUp, let (changes, end) = try? self.changes(after: start) else {
                // Read before the streams are told: they read up to a later time.
                let present = try? ResumeToken(presentOf: engine)
                withStreams { $0.skip(to: present) }.forEach { $0() }
                return true
            }
            let wakes = withStreams { streams in
                // Unless all streams have left meanwhile and others came.
                streams.routed == start ? streams.route(changes, upTo: end) : nil
            }
            guard let wakes else {
                look()
                return true
            }
            for wake in wakes { wake() }
            return !wakes.isEmpty
        }

        private func changes(after start: ResumeToken) throws -> (changes: [RoutedChange], end: ResumeToken) {
            let present = try ResumeToken(presentOf: engine)
            guard present.incarnation == start.incarnation else { throw BrokenChain() }
            guard present.time > start.time else { return ([], start) }
            let concerning = try engine.changes(
                since: start.time, upTo: present.time, where: { path in streams.withLock { $0.mayConcern(path) } })
            let changes = try concerning.map { change in
                RoutedChange(path: change.path, old: try change.old?.document(), new: try change.new?.document())
            }
            // What was read may be of another incarnation.
            guard try engine.incarnation() == start.incarnation else { throw BrokenChain() }
            return (changes, present)
        }
    }
#endif
