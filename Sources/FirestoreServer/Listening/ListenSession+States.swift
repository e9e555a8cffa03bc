// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol

    // What a stream sends after commits, and after changes of the past and of the rules.
    extension ListenSession {
        /// Clients take a stream for dead that is silent for two minutes.
        private static let silence = Duration.seconds(30)

        /// The changes to read at once, unless one commit has more.
        private static let changeLimit = 500

        /// Sends what was committed since the last state.
        mutating func catchUp() async throws {
            guard let database, let routed else { return }
            // Before the present is read: what is routed later wakes the stream again.
            let skipped = routed.take()
            let present = try database.presentToken()
            guard present.incarnation == token.incarnation else { return try await startAgain(database) }
            // None of the commits in between concerns the targets.
            if let skipped, skipped.incarnation == token.incarnation, skipped.time > token.time { token = skipped }
            guard present.time > token.time else { return }
            guard !targets.isEmpty else {
                token = present
                return
            }
            while token.time < present.time {
                guard let part = try firstChanges(upTo: present.time, database) else {
                    return try await startAgain(database)
                }
                for state in part.changes.states {
                    let isShown = try await show(state.changes, at: state.time, database)
                    guard isShown else { return try await startAgain(database) }
                }
                token = ResumeToken(incarnation: token.incarnation, time: part.end)
            }
        }

        /// What to show next of the changes up to a time. A client that reads on after a long while has missed many, which are not all
        /// held at once. To read a whole result at a time in between takes longer the more has changed since, so those that need it get
        /// one state.
        ///
        /// Nil if they cannot be known: the state is of another past, or the history does not reach back to it, as after an import
        /// or for a client that has not read for an hour.
        private func firstChanges(
            upTo end: Timestamp, _ database: ServedDatabase
        ) throws(RequestError) -> (changes: [VersionChange], end: Timestamp)? {
            let limit = targets.values.contains(where: \.readsAgain) ? Int.max : ListenSession.changeLimit
            do throws(RequestError) {
                return try database.firstChanges(since: token.time, upTo: end, limit)
            } catch {
                // In this order: the time says nothing about another incarnation.
                let earliest = try database.earliestReadTime()
                let isGone = try self.isGone(database)
                guard token.time >= earliest, !isGone else { return nil }
                throw error
            }
        }

        /// Returns false if the state can no longer be read; nothing was sent then.
        private mutating func show(
            _ changes: [VersionChange], at time: Timestamp, _ database: ServedDatabase
        ) async throws -> Bool {
            token = ResumeToken(incarnation: token.incarnation, time: time)
            let snapshot = Snapshot(database, at: time)
            var responses: [ProtoListenResponse] = []
            var shown = targets
            var ended: [Int32] = []
            var isTooOld = false
            for id in targets.keys.sorted() {
                guard var target = targets[id] else { continue }
                do throws(RequestError) {
                    let own = try target.apply(changes, at: snapshot)
                    // What a change has made of the target's documents may be hidden from the caller.
                    if !own.isEmpty { try database.authorize(target.kind.read, for: credentials, at: time) }
                    responses += own
                    shown[id] = target
                } catch {
                    isTooOld = isTooOld || error.isTooOldReadTime
                    ended.append(id)
                    responses += target.end(error)
                }
            }
            guard !responses.isEmpty else { return true }
            if isTooOld { return false }
            if try isGone(database) { return false }
            targets = shown
            for id in ended { end(id) }
            try await deliver(responses + [.boundary(at: token)])
            return true
        }

        /// What clients have means nothing, or what is different from it cannot be known: all targets get their whole results.
        mutating func startAgain(_ database: ServedDatabase) async throws {
            // The history may end again meanwhile.
            while !(try await startAll(database)) { await Task.yield() }
        }

        /// Returns false if the results can no longer be read at the time of the first ones.
        private mutating func startAll(_ database: ServedDatabase) async throws -> Bool {
            token = try database.presentToken()
            for id in targets.keys.sorted() {
                guard let target = targets[id] else { continue }
                guard try await startAgain(target, database) else { return false }
            }
            // One boundary for all of them: it says that every target is shown at its time.
            if !targets.isEmpty { try await deliver([.boundary(at: token)]) }
            return true
        }

        /// Returns false if the result can no longer be read at the stream's time.
        private mutating func startAgain(_ target: ListenTarget, _ database: ServedDatabase) async throws -> Bool {
            var target = target
            let started = Result { () throws(RequestError) in
                try database.authorize(target.kind.read, for: credentials, at: token.time)
                return try target.start(at: Snapshot(database, at: token.time))
            }
            if try isGone(database) { return false }
            let parts: Result<[ProtoListenResponse]?, RequestError>
            switch started {
            case .success(let first):
                parts = try await deliverParts(
                    of: &target, behind: [.change(.reset, [target.id])] + first, in: database)
            case .failure(let error): parts = error.isTooOldReadTime ? .success(nil) : .failure(error)
            }
            switch parts {
            case .success(let last?):
                targets[target.id] = target
                try await deliver(last + [.change(.current, [target.id], at: token)])
            case .success(nil): return false
            case .failure(let error):
                end(target.id)
                try await deliver(target.end(error))
            }
            return true
        }

        /// Ends the targets that rules no longer allow, after a change of the rules.
        mutating func judgeAgain() async throws {
            guard let database else { return }
            try await catchUp()
            for id in targets.keys.sorted() {
                guard let target = targets[id] else { continue }
                do throws(RequestError) {
                    try database.authorize(target.kind.read, for: credentials, at: token.time)
                } catch {
                    if error.isTooOldReadTime { return try await startAgain(database) }
                    if try isGone(database) { return }
                    end(id)
                    try await deliver(target.end(error))
                }
            }
        }

        /// Whether the stream's state can no longer be read, because the database was cleared or restored. To be asked between
        /// reading and sending: what was read, and errors of reading, may be of another past. Whoever cleared it wakes the
        /// stream, which then starts again.
        func isGone(_ database: ServedDatabase) throws(RequestError) -> Bool {
            try database.incarnation() != token.incarnation
        }

        /// Sends a sign of life if the stream was silent.
        mutating func beat() async throws {
            guard !targets.isEmpty, ContinuousClock.now - lastSent >= ListenSession.silence else { return }
            // So that the routed time follows the clock while nothing is committed.
            database?.router.look()
            try await catchUp()
            try await deliver([.boundary(at: token)])
        }
    }
#endif
