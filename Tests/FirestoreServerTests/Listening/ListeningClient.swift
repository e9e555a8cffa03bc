// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import JSONText
    import QueryPlanner
    import SwiftProtobuf
    import Synchronization

    @testable import FirestoreServer

    /// A Listen stream without a network, and what its client shows of each target. At each boundary every target that is current
    /// must be what a read at the boundary's time gives.
    final class ListeningClient: Sendable {
        /// When each document that is shown has changed, by its name.
        typealias View = [String: Google_Protobuf_Timestamp]

        private struct State {
            var kinds: [Int32: ListenTarget.Kind] = [:]
            var views: [Int32: View] = [:]
            var current: Set<Int32> = []
            var findings: [String] = []
            var boundaries = 0
            var lastID: Int32 = 0
            var isEnded = false
            /// What each target showed when it resumed.
            var former: [Int32: View] = [:]
            var saved = Saved()
            let synced = SyncedViews()
        }

        /// What was shown at the last boundary.
        private struct Saved {
            var token = Data()
            var targets: [(kind: ListenTarget.Kind, view: View)] = []
        }

        private let database: ServedDatabase
        private let requests: AsyncThrowingStream<ListenRequest, any Error>.Continuation
        private let state = Mutex(State())

        /// - Parameter former: the client that showed its targets before.
        init(_ service: FirestoreService, _ database: ServedDatabase, resuming former: ListeningClient? = nil) {
            self.database = database
            let (stream, requests) = AsyncThrowingStream<ListenRequest, any Error>.makeStream()
            self.requests = requests
            Task {
                do {
                    try await service.listen(stream, as: .administrator) { responses in
                        for response in responses { self.take(response) }
                    }
                } catch {
                    self.find("the stream ended: \(error)")
                }
                self.state.withLock { $0.isEnded = true }
            }
            guard let saved = former?.state.withLock({ $0.saved }) else { return }
            for (kind, view) in saved.targets { try? add(kind, saved.token, view) }
        }

        /// Differences from reads, and whatever else should not happen.
        var findings: [String] { state.withLock { $0.findings + $0.synced.findings } }
        var boundaries: Int { state.withLock { $0.boundaries } }
        var targets: [Int32] { state.withLock { $0.kinds.keys.sorted() } }
        var isEnded: Bool { state.withLock { $0.isEnded } }

        private func find(_ text: String) { state.withLock { $0.findings.append(text) } }

        // MARK: Requests

        func listen(to kind: ListenTarget.Kind) throws { try add(kind, Data(), [:]) }

        private func add(_ kind: ListenTarget.Kind, _ token: Data, _ former: View) throws {
            var target = ProtoTarget()
            switch kind {
            case .query(let query):
                var writer = JSONWriter()
                QueryJSON.write(.documents(query), to: &writer, database: database.id)
                target.query = try ProtoTarget.QueryTarget(jsonUTF8Bytes: writer.bytes)
                target.query.parent = query.parent?.name(in: database.id) ?? "\(database.id.resourceName)/documents"
            case .documents(let documents): target.documents.documents = documents.map { $0.name(in: database.id) }
            }
            target.resumeToken = token
            target.targetID = state.withLock { state in
                state.lastID += 1
                state.kinds[state.lastID] = kind
                state.former[state.lastID] = former
                let paths = former.keys.compactMap { try? DocumentPath(named: $0, in: database.id) }
                state.synced.add(state.lastID, kind, showing: Set(paths))
                return state.lastID
            }
            var request = ProtoListenRequest()
            request.database = database.id.resourceName
            request.addTarget = target
            requests.yield(ListenRequest(request))
        }

        func remove(_ target: Int32) {
            state.withLock {
                $0.kinds[target] = nil
                $0.synced.remove(target)
            }
            var request = ProtoListenRequest()
            request.database = database.id.resourceName
            request.removeTarget = target
            requests.yield(ListenRequest(request))
        }

        func leave() { requests.finish() }

        // MARK: Responses

        private func take(_ response: ProtoListenResponse) {
            state.withLock { $0.synced.take(response, database.id) }
            switch response.responseType {
            case .targetChange(let change): take(change)
            case .documentChange(let change):
                let document = change.document
                show(document.name, document.updateTime, change.targetIds, removed: change.removedTargetIds)
            case .documentDelete(let deletion): show(deletion.document, nil, [], removed: deletion.removedTargetIds)
            case .documentRemove(let removal): show(removal.document, nil, [], removed: removal.removedTargetIds)
            default: find("an unexpected message: \(response)")
            }
        }

        private func show(
            _ name: String, _ time: Google_Protobuf_Timestamp?, _ targets: [Int32], removed: [Int32]
        ) {
            state.withLock { state in
                for id in targets { state.views[id]?[name] = time }
                for id in removed { state.views[id]?[name] = nil }
            }
        }

        private func take(_ change: ProtoTargetChange) {
            // A random query may have a value that is too large.
            let isInvalid = change.cause.code == Int32(StatusCode.invalidArgument.rawValue)
            if change.hasCause, !isInvalid { find("a target ended: \(change.cause)") }
            state.withLock { state in
                if isInvalid { for id in change.targetIds { state.kinds[id] = nil } }
                for id in change.targetIds {
                    switch change.targetChangeType {
                    case .add: state.views[id] = state.former[id] ?? [:]
                    case .reset: state.views[id] = [:]
                    case .current: state.current.insert(id)
                    case .remove: state.views[id] = nil
                    default: state.findings.append("an unexpected change: \(change)")
                    }
                    if change.targetChangeType != .current { state.current.remove(id) }
                }
            }
            guard change.targetIds.isEmpty, let token = ResumeToken(Array(change.resumeToken)) else { return }
            compareWithSynced(token)
            state.withLock { state in
                state.boundaries += 1
                let targets = state.current.sorted().compactMap { id in
                    state.kinds[id].flatMap { kind in state.views[id].map { (kind, $0) } }
                }
                state.saved = Saved(token: change.resumeToken, targets: targets)
            }
            compare(at: token)
        }

        /// Both clients show the same documents.
        private func compareWithSynced(_ token: ResumeToken) {
            state.withLock { state in
                for id in state.current.sorted() where state.kinds[id] != nil {
                    let shown = state.synced.shown(id).map { Set($0.map { $0.name(in: database.id) }) }
                    guard shown != state.views[id].map({ Set($0.keys) }) else { continue }
                    state.findings.append("target \(id) at \(token.time) shows \(shown ?? []) to SyncCore's client")
                }
            }
        }

        private func compare(at token: ResumeToken) {
            let (views, current, kinds) = state.withLock { ($0.views, $0.current, $0.kinds) }
            for id in current.sorted() {
                guard let kind = kinds[id], let view = views[id] else { continue }
                let truth = Result { try read(kind, at: token.time) }
                // Another past cannot be read any longer.
                guard (try? database.engine.incarnation()) == token.incarnation else { return }
                switch truth {
                case .success(let truth):
                    if view != truth { find("\(kind) at \(token.time) shows \(view), not \(truth)") }
                case .failure(let error): find("\(kind) at \(token.time): \(error)")
                }
            }
        }

        /// Whether every target shows what a read gives now.
        func isSettled() throws -> Bool {
            let (views, current, kinds) = state.withLock { ($0.views, $0.current, $0.kinds) }
            guard Set(views.keys) == Set(kinds.keys), current == Set(kinds.keys) else { return false }
            return try kinds.allSatisfy { id, kind in try views[id] == read(kind, at: database.readTime()) }
        }

        private func read(_ kind: ListenTarget.Kind, at time: DocumentModel.Timestamp) throws -> View {
            let snapshot = Snapshot(database, at: time)
            let records: [DocumentRecord]
            switch kind {
            case .query(let query): records = try snapshot.run(.documents(query)).records
            case .documents(let paths): records = try snapshot.documents(Array(paths)).compactMap(\.self)
            }
            var view: View = [:]
            for record in records { view[try record.name().name(in: database.id)] = try record.changeTime().message }
            return view
        }
    }
#endif
