// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol

    /// One Listen stream: its targets, all of them at one time. It knows nothing of what carries the messages.
    ///
    /// After each commit it reads what changed since its time, so it queues nothing: a client that reads slowly gets several commits
    /// one after another when it reads on.
    struct ListenSession {
        typealias Send = ([ProtoListenResponse]) async throws -> Void

        private let service: FirestoreService
        private let credentials: Credentials
        private let send: Send
        private var database: ServedDatabase?
        private var targets: [Int32: ListenTarget] = [:]
        private var token = ResumeToken(incarnation: 0, time: .minimum)
        private var lastAssigned: Int32 = 0
        private var lastSent = ContinuousClock.now

        static let targetLimit = 1_000
        /// Commits of which each is shown by itself if there are more to show. Beyond, they are joined.
        private static let commitLimit = 200
        /// Clients take a stream for dead that is silent for two minutes.
        private static let silence = Duration.seconds(30)

        init(_ service: FirestoreService, _ credentials: Credentials, _ send: @escaping Send) {
            self.service = service
            self.credentials = credentials
            self.send = send
        }

        var listensTo: ServedDatabase? { database }

        // MARK: Requests

        /// - Throws: what ends the stream. What is wrong with a target ends that target only.
        mutating func handle(_ request: ListenRequest) async throws {
            let id = try ResourceName.database(request.database)
            let database = try await database(id)
            switch request.change {
            case .add(let target): try await add(target, in: database)
            case .remove(let id):
                guard targets.removeValue(forKey: id) != nil else { return }
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
            return first
        }

        private mutating func add(_ request: ListenRequest.Target, in database: ServedDatabase) async throws {
            let id = try targetID(request)
            guard targets[id] == nil else {
                targets[id] = nil
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
                var all = responses + [.change(.current, [id], at: token), .boundary(at: token)]
                if target.isOnce { all.append(.change(.remove, [id])) } else { targets[id] = target }
                try await deliver(all)
            case .failure(let error):
                // Production adds a target before it refuses its query, but not one whose token it cannot read.
                let isAdded = error != FormerState.badToken
                try await deliver((isAdded ? [.change(.add, [id])] : []) + [.change(.remove, [id], cause: error)])
            }
        }

        /// A target that the caller may listen to, and what comes before its CURRENT.
        private func open(
            _ request: ListenRequest.Target, _ id: Int32, in database: ServedDatabase
        ) throws(RequestError) -> (ListenTarget, [ProtoListenResponse]) {
            guard targets.count < ListenSession.targetLimit else {
                throw RequestError(
                    .resourceExhausted, "A Listen stream has at most \(ListenSession.targetLimit) targets.")
            }
            let former = try FormerState(request.resumption, token, in: database)
            var target = ListenTarget(
                id, try ListenTarget.Kind(request.selection, in: database.id), isOnce: request.isOnce, in: database)
            try database.authorize(target.kind.read, for: credentials, at: token.time)
            let responses = try first(&target, former, at: Snapshot(database, at: token.time))
            return (target, responses)
        }

        /// What comes between the addition of a target and CURRENT.
        private func first(
            _ target: inout ListenTarget, _ former: FormerState, at snapshot: Snapshot
        ) throws(RequestError) -> [ProtoListenResponse] {
            let added = ProtoListenResponse.change(.add, [target.id])
            switch former {
            case .none: return [added] + (try target.start(at: snapshot))
            case .unknown:
                return [added, .change(.reset, [target.id])] + (try target.start(at: snapshot))
            case .known(let time):
                let old = Snapshot(snapshot.database, at: time)
                let changes = try target.resume(from: old, at: snapshot)
                return [added] + changes
            }
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

        // MARK: Commits

        /// Sends what was committed since the last state.
        mutating func catchUp() async throws {
            guard let database else { return }
            let present = try database.presentToken()
            guard present.incarnation == token.incarnation else { return try await startAgain(present, database) }
            guard present.time > token.time else { return }
            guard !targets.isEmpty else {
                token = present
                return
            }
            let commits: [VersionChange]
            do throws(RequestError) { commits = try database.changes(since: token.time, upTo: present.time) } catch {
                if try isGone(database) { return try await catchUp() }
                throw error
            }
            for commit in ListenSession.joined(commits) {
                try await show(commit.changes, at: commit.time, database)
            }
            token = present
        }

        private mutating func show(
            _ changes: [VersionChange], at time: Timestamp, _ database: ServedDatabase
        ) async throws {
            token = ResumeToken(incarnation: token.incarnation, time: time)
            let snapshot = Snapshot(database, at: time)
            var responses: [ProtoListenResponse] = []
            var shown = targets
            for id in targets.keys.sorted() {
                guard var target = targets[id] else { continue }
                do throws(RequestError) {
                    let own = try target.apply(changes, at: snapshot)
                    // What a change has made of the target's documents may be hidden from the caller.
                    if !own.isEmpty { try database.authorize(target.kind.read, for: credentials, at: time) }
                    responses += own
                    shown[id] = target
                } catch {
                    shown[id] = nil
                    responses += target.end(error)
                }
            }
            guard !responses.isEmpty, !(try isGone(database)) else { return }
            targets = shown
            try await deliver(responses + [.boundary(at: token)])
        }

        /// The database was cleared or restored: what clients have means nothing.
        private mutating func startAgain(_ present: ResumeToken, _ database: ServedDatabase) async throws {
            token = present
            let snapshot = Snapshot(database, at: token.time)
            for id in targets.keys.sorted() {
                guard var target = targets[id] else { continue }
                let started = Result { () throws(RequestError) in
                    try database.authorize(target.kind.read, for: credentials, at: token.time)
                    return try target.start(at: snapshot)
                }
                if try isGone(database) { return }
                switch started {
                case .success(let responses):
                    targets[id] = target
                    try await deliver([.change(.reset, [id])] + responses + [.change(.current, [id], at: token)])
                case .failure(let error):
                    targets[id] = nil
                    try await deliver(target.end(error))
                }
            }
            // One boundary for all of them: it says that every target is shown at its time.
            if !targets.isEmpty { try await deliver([.boundary(at: token)]) }
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
                    if try isGone(database) { return }
                    targets[id] = nil
                    try await deliver(target.end(error))
                }
            }
        }

        /// Whether the stream's state can no longer be read, because the database was cleared or restored. To be asked between
        /// reading and sending: what was read, and errors of reading, may be of another past. Whoever cleared it wakes the
        /// stream, which then starts again.
        private func isGone(_ database: ServedDatabase) throws(RequestError) -> Bool {
            try database.presentToken().incarnation != token.incarnation
        }

        /// The changes by commit. If there are many commits, they become one state.
        private static func joined(_ changes: [VersionChange]) -> [(time: Timestamp, changes: [VersionChange])] {
            var commits: [(time: Timestamp, changes: [VersionChange])] = []
            for change in changes {
                if commits.last?.time == change.commitTime {
                    commits[commits.count - 1].changes.append(change)
                } else {
                    commits.append((change.commitTime, [change]))
                }
            }
            guard commits.count > commitLimit, let last = commits.last else { return commits }
            var latest: [DocumentPath: VersionChange] = [:]
            for change in changes {
                let old = latest[change.path].map(\.old) ?? change.old
                latest[change.path] = VersionChange(
                    commitTime: last.time, path: change.path, old: old, new: change.new)
            }
            return [(last.time, latest.values.sorted { $0.path.description < $1.path.description })]
        }

        /// Sends a sign of life if the stream was silent.
        mutating func beat() async throws {
            guard !targets.isEmpty, ContinuousClock.now - lastSent >= ListenSession.silence else { return }
            try await catchUp()
            try await deliver([.boundary(at: token)])
        }

        private mutating func deliver(_ responses: [ProtoListenResponse]) async throws {
            lastSent = .now
            var start = 0
            while start < responses.count {
                let end = min(start + 500, responses.count)
                try await send(Array(responses[start..<end]))
                start = end
            }
        }
    }
#endif
