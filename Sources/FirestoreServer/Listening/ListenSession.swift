// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol

    /// One Listen stream: its targets, all of them at one time. It knows nothing of what carries the messages.
    ///
    /// When a commit may concern it, it reads what changed since its time, so it queues nothing: a client that reads slowly gets several
    /// commits one after another when it reads on.
    struct ListenSession {
        typealias Send = ([ProtoListenResponse]) async throws -> Void

        private let service: FirestoreService
        let credentials: Credentials
        private let wake: @Sendable () -> Void
        private let send: Send
        private(set) var database: ServedDatabase?
        /// Set with the database. The stream leaves the router with the session.
        private(set) var routed: RoutedStream?
        var targets: [Int32: ListenTarget] = [:]
        var token = ResumeToken(incarnation: 0, time: .minimum)
        private var lastAssigned: Int32 = 0
        private(set) var lastSent = ContinuousClock.now
        private var hasSent = false

        static let targetLimit = 1_000

        /// - Parameter wake: called on any thread when the session should catch up.
        init(
            _ service: FirestoreService, _ credentials: Credentials, wake: @escaping @Sendable () -> Void,
            _ send: @escaping Send
        ) {
            self.service = service
            self.credentials = credentials
            self.wake = wake
            self.send = send
        }

        // MARK: Requests

        /// - Throws: what ends the stream. What is wrong with a target ends that target only.
        mutating func handle(_ request: ListenRequest) async throws {
            let id = try ResourceName.database(request.database)
            let database = try await database(id)
            switch request.change {
            case .add(let target): try await add(target, in: database)
            case .remove(let id):
                guard targets[id] != nil else { return }
                end(id)
                try await deliver([.change(.remove, [id])])
            case nil: throw RequestError.invalid("A ListenRequest adds or removes a target.")
            }
        }

        /// The stream's database, which its first request names.
        private mutating func database(_ id: DatabaseID) async throws(RequestError) -> ServedDatabase {
            if let database {
                guard database.id == id else { throw .invalid("A Listen stream has one database.") }
                return database
            }
            let first = try await service.databases.database(id)
            token = try first.presentToken()
            database = first
            routed = RoutedStream(first.router, at: token, wake)
            return first
        }

        private mutating func add(_ request: ListenRequest.Target, in database: ServedDatabase) async throws {
            let id = try targetID(request)
            guard targets[id] == nil else {
                end(id)
                let cause = RequestError(.alreadyExists, "Target ID already exists: \(id)")
                return try await deliver([.change(.remove, [id], cause: cause)])
            }
            try await begin(request, id, in: database)
        }

        private mutating func begin(
            _ request: ListenRequest.Target, _ id: Int32, in database: ServedDatabase
        ) async throws {
            try await catchUp()
            let opened = Result { () throws(RequestError) in try open(request, id, in: database) }
            if try isGone(database) { return try await begin(request, id, in: database) }
            switch opened {
            case .success(let (target, responses)):
                var target = target
                switch try await deliverParts(of: &target, behind: responses, in: database) {
                case .success(let last?): try await complete(target, last)
                case .success(nil): try await beginWithAll(target, in: database)
                case .failure(let error): try await deliver(target.end(error))
                }
            case .failure(let error):
                if error.isTooOldReadTime { return try await begin(request, id, in: database) }
                // Production adds a target before it refuses its query, but not one whose token it cannot read.
                let isAdded = error != FormerState.badToken
                try await deliver((isAdded ? [.change(.add, [id])] : []) + [.change(.remove, [id], cause: error)])
            }
        }

        /// Begins anew with a target of which the client has a part that is gone. The end of a state is one of all the targets that the
        /// client knows, so that the others may not reach one before.
        private mutating func beginWithAll(_ target: ListenTarget, in database: ServedDatabase) async throws {
            keep(target)
            try await startAgain(database)
            guard target.isOnce, targets[target.id] != nil else { return }
            end(target.id)
            try await deliver([.change(.remove, [target.id])])
        }

        private mutating func keep(_ target: ListenTarget) {
            targets[target.id] = target
            routed?.add(target.id, target.interest)
        }

        /// Ends the first state of a target with its last part.
        private mutating func complete(_ target: ListenTarget, _ part: [ProtoListenResponse]) async throws {
            var all = part + [.change(.current, [target.id], at: token), .boundary(at: token)]
            if target.isOnce {
                all.append(.change(.remove, [target.id]))
            } else {
                keep(target)
            }
            try await deliver(all)
        }

        /// A target that the caller may listen to, and what comes before its CURRENT, or the first part of it.
        private func open(
            _ request: ListenRequest.Target, _ id: Int32, in database: ServedDatabase
        ) throws(RequestError) -> (ListenTarget, [ProtoListenResponse]) {
            guard targets.count < ListenSession.targetLimit else {
                throw RequestError(
                    .resourceExhausted, "A Listen stream has at most \(ListenSession.targetLimit) targets.")
            }
            let former = try FormerState(request.resumption, token, in: database)
            var target = ListenTarget(
                id, try ListenTarget.Kind(request.selection, in: database.id), isOnce: request.isOnce, in: database,
                for: credentials)
            try target.authorize(at: token.time)
            let responses = try first(&target, former, at: Snapshot(database, at: token.time))
            return (target, [.change(.add, [id])] + responses)
        }

        /// What comes between the addition of a target and CURRENT, or the first part of it.
        private func first(
            _ target: inout ListenTarget, _ former: FormerState, at snapshot: Snapshot
        ) throws(RequestError) -> [ProtoListenResponse] {
            switch former {
            case .none: return try target.start(at: snapshot)
            case .unknown: return [.change(.reset, [target.id])] + (try target.start(at: snapshot))
            case .known(let time):
                let old = Snapshot(snapshot.database, at: time)
                let changes: [ProtoListenResponse]?
                do throws(RequestError) { changes = try target.resume(from: old, at: snapshot) } catch {
                    // The history may have ended since the state was found in it.
                    guard error.isTooOldReadTime else { throw error }
                    return try first(&target, .unknown, at: snapshot)
                }
                guard let changes else { return try first(&target, .unknown, at: snapshot) }
                // As in production, what the client has is a state. Not behind a later one: times of boundaries never go back.
                let former = ResumeToken(incarnation: token.incarnation, time: time)
                return (hasSent ? [] : [.boundary(at: former)]) + changes
            }
        }

        /// Sends the parts of a target's state but the last, which it returns. Each is read when the client has room for it, and if the
        /// rules have changed since they were asked, they are asked again.
        ///
        /// - Parameter first: the first part.
        /// - Returns: nil if the rest can no longer be read at the stream's time.
        mutating func deliverParts(
            of target: inout ListenTarget, behind first: [ProtoListenResponse], in database: ServedDatabase
        ) async throws -> Result<[ProtoListenResponse]?, RequestError> {
            let snapshot = Snapshot(database, at: token.time)
            var last = first
            while target.hasMore {
                try await deliver(last)
                let part = Result { () throws(RequestError) in
                    try target.authorizeAgain(at: token.time)
                    return try target.next(at: snapshot)
                }
                if try isGone(database) { return .success(nil) }
                switch part {
                case .success(let part): last = part
                case .failure(let error): return error.isTooOldReadTime ? .success(nil) : .failure(error)
                }
            }
            return .success(last)
        }

        private mutating func targetID(_ request: ListenRequest.Target) throws(RequestError) -> Int32 {
            guard request.id >= 0 else { throw .invalid("Target IDs are not negative.") }
            if request.id == 0 {
                lastAssigned += 1
                return lastAssigned
            }
            guard lastAssigned == 0 else {
                throw .invalid("A stream's target IDs are given by the client or by the server, not by both.")
            }
            return request.id
        }

        /// Forgets a target.
        mutating func end(_ id: Int32) {
            targets[id] = nil
            routed?.remove(id)
        }

        mutating func deliver(_ responses: [ProtoListenResponse]) async throws {
            guard !responses.isEmpty else { return }
            lastSent = .now
            hasSent = true
            var start = 0
            while start < responses.count {
                let end = min(start + 500, responses.count)
                try await send(Array(responses[start..<end]))
                start = end
            }
        }
    }
#endif
