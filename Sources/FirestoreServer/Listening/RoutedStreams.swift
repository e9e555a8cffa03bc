// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import QueryPlanner

    /// The Listen streams of a database, what each has to read, and the index of their targets. It reads nothing itself.
    ///
    /// Laws:
    /// - Every commit up to the routed time was looked up. A stream that has nothing due may take over that time without reading.
    /// - A stream that is due since a time has missed nothing up to that time, however long ago its own state is.
    /// - A target that is added makes its stream due for everything since the stream's own time: commits up to the routed time
    ///   were looked up without it.
    /// - Whoever makes a stream due wakes it, once until the stream takes what is due.
    struct RoutedStreams {
        typealias Wake = @Sendable () -> Void

        private struct Stream {
            let wake: Wake
            var targets: [Int32: Target] = [:]
            var due = Due.nothing
        }

        /// A target in the index. Two targets of a stream may have the same interest.
        private final class Target: Sendable {
            let interest: ListenerInterest

            init(_ interest: ListenerInterest) {
                self.interest = interest
            }
        }

        private enum Due {
            case nothing
            case since(Timestamp)
            case everything
        }

        private var index = ListenerIndex()
        private var streams: [ObjectIdentifier: Stream] = [:]
        /// The stream of each target.
        private var owners: [ObjectIdentifier: ObjectIdentifier] = [:]
        /// Nil while there are no streams.
        private(set) var routed: ResumeToken?

        /// How many batches of changes were looked up, and how often a stream was woken.
        private(set) var lookups = 0
        private(set) var wakes = 0

        var count: Int { streams.count }
        /// How many have something to read.
        var dueCount: Int { streams.keys.count(where: isDue) }
        /// Whether nobody has a target.
        var isIndexEmpty: Bool { index.isEmpty }

        // MARK: Streams

        /// - Parameter token: the stream's state.
        mutating func add(_ stream: ObjectIdentifier, at token: ResumeToken, _ wake: @escaping Wake) {
            if streams.isEmpty { routed = token }
            streams[stream] = Stream(wake: wake)
        }

        mutating func remove(_ stream: ObjectIdentifier) {
            for id in (streams[stream]?.targets ?? [:]).keys { remove(id, of: stream) }
            streams[stream] = nil
            if streams.isEmpty { routed = nil }
        }

        mutating func add(_ id: Int32, _ interest: ListenerInterest, to stream: ObjectIdentifier) -> Wake? {
            let target = Target(interest)
            streams[stream]?.targets[id] = target
            owners[ObjectIdentifier(target)] = stream
            index.insert(ObjectIdentifier(target), interest)
            return note(.everything, stream)
        }

        mutating func remove(_ id: Int32, of stream: ObjectIdentifier) {
            guard let target = streams[stream]?.targets.removeValue(forKey: id) else { return }
            owners[ObjectIdentifier(target)] = nil
            index.remove(ObjectIdentifier(target), target.interest)
        }

        func isDue(_ stream: ObjectIdentifier) -> Bool {
            if case .nothing? = streams[stream]?.due { false } else { true }
        }

        /// The state from which on the stream has to read, if it is later than its own; nil for its own. What is routed from now on
        /// makes it due again.
        mutating func take(_ stream: ObjectIdentifier) -> ResumeToken? {
            let due = streams[stream]?.due ?? .everything
            streams[stream]?.due = .nothing
            switch due {
            case .nothing: return routed
            case .since(let time): return routed.map { ResumeToken(incarnation: $0.incarnation, time: time) }
            case .everything: return nil
            }
        }

        // MARK: Commits

        /// Whether changes of a document have to be looked up. A target that is added later does not need it: its stream reads everything.
        func mayConcern(_ path: DocumentPath) -> Bool { index.mayConcern(path) }

        /// Looks up the changes of all commits from the routed time to another, apart from those that need not be.
        ///
        /// - Returns: how to wake the streams that they concern.
        mutating func route(_ changes: [RoutedChange], upTo end: ResumeToken) -> [Wake] {
            guard let start = routed else { return [] }
            var search = ListenerSearch(stopsAtFirst: false)
            for change in changes { index.visit(change.path, change.old, change.new, &search) }
            routed = end
            if !changes.isEmpty { lookups += 1 }
            return search.found.compactMap { target in owners[target].flatMap { note(.since(start.time), $0) } }
        }

        /// Makes every stream due for everything, because the commits up to a state cannot be looked up.
        mutating func skip(to end: ResumeToken?) -> [Wake] {
            if routed != nil, let end { routed = end }
            return streams.keys.compactMap { note(.everything, $0) }
        }

        /// Makes a stream due. Returns how to wake it, unless it was woken already.
        private mutating func note(_ due: Due, _ stream: ObjectIdentifier) -> Wake? {
            guard let known = streams[stream] else { return nil }
            switch (known.due, due) {
            case (.nothing, _):
                streams[stream]?.due = due
                wakes += 1
                return known.wake
            case (.since, .everything): streams[stream]?.due = due
            default: break
            }
            return nil
        }
    }

    /// A document before and after a commit. Nil means that it does not exist.
    struct RoutedChange {
        let path: DocumentPath
        let old: Document?
        let new: Document?
    }
#endif
