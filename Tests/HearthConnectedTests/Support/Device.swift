// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentEngine
    import DocumentModel
    import Foundation
    import CloudFirestore
    import LMDB
    import QueryPlanner
    import ReplicaStore
    import SyncCore
    import Synchronization
    import TestSupport

    /// A client with a file: the machine, its replica, and a way to the server. Waiting times of its timers are a
    /// fiftieth, so that no test waits for a backoff.
    final class Device: Sendable {
        /// What only the queue touches.
        private final class Core {
            let machine: SyncMachine
            var timers: [SyncTimer: Int] = [:]

            init(_ machine: SyncMachine) { self.machine = machine }
        }

        /// What tests look at.
        struct Seen: Sendable {
            /// The last snapshot of each listener.
            var snapshots: [Int: ViewSnapshot] = [:]
            /// The values of all snapshots of each listener.
            var values: [Int: [[String: Int64]]] = [:]
            var failures: [Int: SyncError] = [:]
            /// How writes ended; nil for an acknowledgement.
            var finished: [Int: SyncError?] = [:]
            var users: [SyncUser] = []
            var opens = 0
            /// Ends that the transport told, by stream and connection.
            var closes: [[Int]: Int] = [:]
            /// Why streams ended.
            var reasons: [SyncError?] = []
            /// Messages with documents.
            var documents = 0
            var lastNumber = 0
        }

        private let queue = DispatchQueue(label: "device")
        private let core: QueueBound<Core?>
        private let transport: any RemoteTransport
        private let seen = Mutex(Seen())

        private let observe: @Sendable (SyncEffect) -> Void

        /// - Parameter observe: told of each effect before it is carried out.
        init(
            _ path: String, _ transport: any RemoteTransport, seed: UInt64 = 1, markers: CollectionPath? = nil,
            _ observe: @escaping @Sendable (SyncEffect) -> Void = { _ in }
        ) throws {
            self.observe = observe
            var options = Engine.Options()
            options.identity = transport.database
            options.durability = .mayLoseDatabase
            let replica = try EngineReplica(path, options)
            core = QueueBound(
                Core(
                    SyncMachine(
                        replica,
                        SyncMachine.Configuration(database: transport.database, markers: markers, seed: seed))))
            self.transport = transport
            transport.start { [weak self] input in
                guard let self else { return }
                note(input)
                queue.async { self.handle(input) }
            }
            feed(.start)
        }

        var state: Seen { seen.withLock { $0 } }

        func feed(_ input: SyncInput) { queue.async { self.handle(input) } }

        /// Ends the client; its file can be opened again.
        func stop() async {
            await withCheckedContinuation { continuation in
                queue.async {
                    self.handle(.shutdown)
                    self.core.value = nil
                    continuation.resume()
                }
            }
            await transport.stop()
        }

        private func note(_ input: SyncInput) {
            seen.withLock { seen in
                switch input {
                case .streamClosed(let stream, let connection, let error, _):
                    seen.closes[[stream == .watch ? 0 : 1, connection], default: 0] += 1
                    seen.reasons.append(error)
                case .watch(.document, _): seen.documents += 1
                case .changeUser(let user?): seen.users.append(user)
                default: break
                }
            }
        }

        private func handle(_ input: SyncInput) {
            let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))!
            for effect in core.value?.machine.handle(input, at: now) ?? [] { perform(effect) }
            if case .watch = input { transport.watchMessageTaken() }
        }

        private func perform(_ effect: SyncEffect) {
            observe(effect)
            switch effect {
            case .openStream(let stream, let connection):
                seen.withLock { $0.opens += 1 }
                transport.open(stream, connection: connection)
            case .closeStream(let stream, let connection): transport.close(stream, connection: connection)
            case .send(let request): transport.send(request)
            case .sendWrites(let request): transport.send(request)
            case .invalidateCredentials: transport.invalidateCredentials()
            case .startTimer(let timer, let ticket, let milliseconds):
                core.value?.timers[timer] = ticket
                queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds / 50)) { [weak self] in
                    guard let self, core.value?.timers[timer] == ticket else { return }
                    handle(.timer(timer, ticket: ticket))
                }
            case .cancelTimer(let timer): core.value?.timers[timer] = nil
            case .readDocuments(let paths, let read):
                Task { [weak self, transport] in
                    let documents: Result<[SyncDocument], SyncError>
                    do throws(SyncError) { documents = .success(try await transport.documents(at: paths)) } catch {
                        documents = .failure(error)
                    }
                    self?.feed(.documentsRead(documents, read: read))
                }
            case .snapshot(let snapshot, let listener):
                seen.withLock { seen in
                    seen.snapshots[listener] = snapshot
                    seen.values[listener, default: []].append(snapshot.values)
                }
            case .listenerFailed(let error, let listener): seen.withLock { $0.failures[listener] = error }
            case .writeFinished(let error, let write): seen.withLock { $0.finished[write] = .some(error) }
            default: break
            }
        }

        // MARK: What a program does

        /// Begins to listen, and returns the listener's number.
        @discardableResult
        func listen(_ query: SyncQuery) -> Int {
            let number = nextNumber()
            feed(.listen(query, ListenOptions(includesMetadataChanges: true), listener: number))
            return number
        }

        /// Queues a write, and returns its number.
        @discardableResult
        func write(_ writes: Write...) -> Int {
            let number = nextNumber()
            feed(.write(writes, write: number))
            return number
        }

        private func nextNumber() -> Int {
            seen.withLock {
                $0.lastNumber += 1
                return $0.lastNumber
            }
        }

        /// The integers `n` of a listener's documents, by ID, once the result is the server's; else nil.
        func synced(_ listener: Int) -> [String: Int64]? {
            guard let snapshot = state.snapshots[listener], !snapshot.isFromCache, !snapshot.hasPendingWrites else {
                return nil
            }
            return snapshot.values
        }

        /// The ends of streams that were told twice.
        var repeatedCloses: [[Int]: Int] { state.closes.filter { $0.value > 1 } }
    }

    extension SyncDocument {
        /// A field of a document that exists.
        func value(_ name: Text) -> Value? { fields?[name] }
    }

    extension ViewSnapshot {
        /// The integers `n` of the documents, by ID.
        var values: [String: Int64] {
            var values: [String: Int64] = [:]
            for document in documents {
                if case .integer(let n)? = document.value("n") { values[document.path.id.string] = n }
            }
            return values
        }
    }

    /// A value that one queue touches.
    final class QueueBound<Value>: @unchecked Sendable {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    extension SyncQuery {
        static func collection(_ id: Text) throws -> SyncQuery {
            try SyncQuery(Query(from: CollectionSelector(collectionID: id)), database: LocalServer.database)
        }
    }

    extension Write {
        /// Sets a document that has one field `n`.
        static func n(_ collection: String, _ id: String, _ n: Int64) -> Write {
            .set(DocumentPath(collection, id), Fields([Field("n", .integer(n))])!)
        }
    }
#endif
