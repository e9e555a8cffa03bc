// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import QueryPlanner

    /// A Listen stream's place in the router of its database, which it leaves with this.
    final class RoutedStream: Sendable {
        private let router: ListenRouter

        /// - Parameters:
        ///   - token: the stream's state.
        ///   - wake: called when there is something to read, on any thread; must not wait.
        init(_ router: ListenRouter, at token: ResumeToken, _ wake: @escaping @Sendable () -> Void) {
            self.router = router
            router.withStreams { $0.add(ObjectIdentifier(self), at: token, wake) }
        }

        deinit { router.withStreams { $0.remove(ObjectIdentifier(self)) } }

        /// Adds a target, and wakes the stream: what it has not seen yet may concern the target.
        func add(_ target: Int32, _ interest: ListenerInterest) {
            router.withStreams { $0.add(target, interest, to: ObjectIdentifier(self)) }?()
        }

        func remove(_ target: Int32) { router.withStreams { $0.remove(target, of: ObjectIdentifier(self)) } }

        /// Whether there is something to read.
        var isDue: Bool { router.withStreams { $0.isDue(ObjectIdentifier(self)) } }

        /// See ``RoutedStreams/take(_:)``.
        func take() -> ResumeToken? { router.withStreams { $0.take(ObjectIdentifier(self)) } }
    }
#endif
