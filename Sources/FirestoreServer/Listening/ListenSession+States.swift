// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol

    // What a stream sends after commits, and after changes of the past and of the rules.
    extension ListenSession {
        /// Clients take a stream for dead that is silent for two minutes.
        private static let silence = Duration.seconds(30)

        /// The changes to read at once, unless one commit has more, and the bytes of their documents.
        private static let changeLimit = (count: 500, bytes: FirestoreService.byteGoal)
        /// The same, if whole results are read again.
        private static let longLimit = (count: 20_000, bytes: 16 << 20)

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
                guard let next = try nextStates(upTo: present.time, database) else {
                    return try await startAgain(database)
                }
                for state in next.states {
                    let isShown = try await show(state.missed, at: state.time, database)
                    guard isShown else { return try await startAgain(database) }
                }
                token = ResumeToken(incarnation: token.incarnation, time: next.end)
            }
        }

        /// The states to show next on the way to a time. A client that reads on after a long while has missed many changes, which are
        /// not all held at once. A target that reads its whole result again takes longer for a state the more has changed since, so that
        /// only the last state is shown then.
        ///
        /// Nil if they cannot be known: the state is of another past, or the history does not reach back to it, as after an import
        /// or for a client that has not read for an hour.
        private func nextStates(
            upTo end: Timestamp, _ database: ServedDatabase
        ) throws(RequestError) -> (states: [(time: Timestamp, missed: MissedChanges)], end: Timestamp)? {
            let readsAgain = targets.values.contains(where: \.readsAgain)
            let limit = readsAgain ? ListenSession.longLimit : ListenSession.changeLimit
            do throws(RequestError) {
                let part = try database.firstChanges(
                    since: token.time, upTo: end, limit.count, byteGoal: limit.bytes)
                if readsAgain, part.end < end { return ([(end, .since(token.time))], end) }
                return (part.changes.states.map { ($0.time, .all($0.changes)) }, part.end)
            } catch {
                // In this order: the time says nothing about another incarnation.
                let earliest = try database.earliestReadTime()
                let isGone = try self.isGone(database)
                guard token.time >= earliest, !isGone else { return nil }
                throw error
            }
        }

        /// Returns false if the state can no longer be read; what was sent of it has no end for the client then.
        private mutating func show(
            _ missed: MissedChanges, at time: Timestamp, _ database: ServedDatabase
        ) async throws -> Bool {
            token = ResumeToken(incarnation: token.incarnation, time: time)
            var state = NextState(targets: targets)
            for id in targets.keys.sorted() {
                guard try await show(missed, to: id, in: &state, database) else { return false }
            }
            guard state.hasBegun || !state.responses.isEmpty else { return true }
            if try isGone(database) { return false }
            targets = state.targets
            for id in state.ended { end(id) }
            try await deliver(state.responses + [.boundary(at: token)])
            return true
        }

        /// What is to be sent of the next state.
        private struct NextState {
            /// As they are after it.
            var targets: [Int32: ListenTarget]
            var responses: [ProtoListenResponse] = []
            /// Whether a part of it was sent.
            var hasBegun = false
            var ended: [Int32] = []
        }

        private mutating func show(
            _ missed: MissedChanges, to id: Int32, in state: inout NextState, _ database: ServedDatabase
        ) async throws -> Bool {
            guard var target = targets[id] else { return true }
            let first = Result { () throws(RequestError) -> [ProtoListenResponse]? in
                let snapshot = Snapshot(database, at: token.time)
                guard var first = try target.apply(missed, at: snapshot) else { return nil }
                // A target that is read again may be as it was.
                while first.isEmpty, target.hasMore { first = try target.next(at: snapshot) }
                // What a change has made of the target's documents may be hidden from the caller.
                if !first.isEmpty {
                    try target.authorize(at: token.time)
                }
                return first
            }
            var own = first
            if case .success(let first?) = first, target.hasMore {
                if try isGone(database) { return false }
                // What follows tells the client, even if the state is broken off.
                for id in state.ended { end(id) }
                own = try await deliverParts(of: &target, behind: state.responses + first, in: database)
                state.responses = []
                state.hasBegun = true
            }
            switch own {
            case .success(let last?):
                state.responses += last
                state.targets[id] = target
            case .success(nil): return false
            case .failure(let error):
                if error.isTooOldReadTime { return false }
                state.ended.append(id)
                state.responses += target.end(error)
            }
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
                try target.authorize(at: token.time)
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
                guard var target = targets[id] else { continue }
                do throws(RequestError) {
                    try target.authorize(at: token.time)
                    targets[id] = target
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
